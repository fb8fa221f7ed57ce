//! The lines from each square to the edges of the board, without the square.

/// Those of one square.
#[repr(C, align(64))]
pub struct Rays {
    /// Towards h8: east, south, south-west, south-east.
    pub up: [u64; 4],
    /// The opposite directions.
    pub down: [u64; 4],
}

pub static RAYS: [Rays; 64] = {
    let mut all = [const { Rays { up: [0; 4], down: [0; 4] } }; 64];
    let steps: [[isize; 2]; 4] = [[0, 1], [1, 0], [1, -1], [1, 1]];
    let mut i = 0;
    while i < 64 * 4 {
        let (at, [down, right]) = (i / 4, steps[i % 4]);
        all[at].up[i % 4] = ray(at as isize, down, right);
        all[at].down[i % 4] = ray(at as isize, -down, -right);
        i += 1;
    }
    all
};

const fn ray(at: isize, down: isize, right: isize) -> u64 {
    let (mut row, mut file, mut set) = (at / 8 + down, at % 8 + right, 0);
    while row >= 0 && row < 8 && file >= 0 && file < 8 {
        set |= 1 << (8 * row + file);
        (row, file) = (row + down, file + right);
    }
    set
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rays_end_at_the_edges() {
        assert_eq!(RAYS[0].up, [0xfe, 0x0101_0101_0101_0100, 0, 0x8040_2010_0804_0200]);
        assert_eq!(RAYS[0].down, [0; 4]);
        assert_eq!(
            RAYS[14].up,
            [1 << 15, 0x4040_4040_4040_0000, 0x0001_0204_0810_2000 << 8, 1 << 23]
        );
        assert_eq!(RAYS[14].down, [0x3f00, 1 << 6, 1 << 7, 1 << 5]);
    }
}
