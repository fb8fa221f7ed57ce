//! Whole numbers in as few bytes as they need: seven bits a byte, the lowest first.

/// Adds a number.
pub(super) fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Adds a number that may be negative: small ones of both signs take one byte.
pub(super) fn put_signed(bytes: &mut Vec<u8>, number: i64) {
    put(bytes, (number << 1 ^ number >> 63) as u64);
}

/// Reads numbers one after another; `None` where they end or are too large.
pub(super) struct Reader<'a>(pub &'a [u8]);

impl<'a> Reader<'a> {
    #[inline]
    pub fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let (byte, rest) = self.0.split_first()?;
            self.0 = rest;
            // The tenth byte has one bit left.
            if shift == 63 && *byte > 1 {
                return None;
            }
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                // One number is written in one way.
                return (*byte != 0 || shift == 0).then_some(number);
            }
        }
        None
    }

    #[inline]
    pub fn signed(&mut self) -> Option<i64> {
        self.number().map(|number| (number >> 1) as i64 ^ -((number & 1) as i64))
    }

    #[inline]
    pub fn small<T: TryFrom<u64>>(&mut self) -> Option<T> {
        T::try_from(self.number()?).ok()
    }

    #[inline]
    pub fn byte(&mut self) -> Option<u8> {
        let (byte, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*byte)
    }

    pub fn bytes(&mut self, length: usize) -> Option<&'a [u8]> {
        let (bytes, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_back() {
        let mut bytes = Vec::new();
        let numbers = [0, 1, 127, 128, 300, 1 << 35, u64::MAX];
        numbers.iter().for_each(|number| put(&mut bytes, *number));
        let signed = [0, -1, 1, -64, i64::MIN, i64::MAX];
        signed.iter().for_each(|number| put_signed(&mut bytes, *number));
        let mut reader = Reader(&bytes);
        numbers.iter().for_each(|number| assert_eq!(reader.number(), Some(*number)));
        signed.iter().for_each(|number| assert_eq!(reader.signed(), Some(*number)));
        assert_eq!(reader.number(), None);
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for bytes in [&[0x80][..], &[0xff; 10], &[0x80, 0], &[0xff; 9]] {
            assert_eq!(Reader(bytes).number(), None, "{bytes:?}");
        }
    }
}
