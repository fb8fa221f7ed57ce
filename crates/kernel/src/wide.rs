//! The lockstep kernel's sums with 32 bits, and floats in as many lanes: what learners need side by
//! side.

#[cfg(target_arch = "x86_64")]
pub mod avx2;
#[cfg(target_arch = "x86_64")]
pub mod avx512;
pub mod portable;
