//! Facts about squares that the search looks up: neighbours, quadrants, and how many discs the last
//! move of a game turns.

/// The four corners.
pub const CORNERS: u64 = 0x8100_0000_0000_0081;

/// The squares next to each square.
pub const NEIGHBOURS: [u64; 64] = {
    let mut all = [0; 64];
    let mut at = 0;
    while at < 64 {
        all[at] = spread(1 << at) & !(1 << at);
        at += 1;
    }
    all
};

const NOT_FIRST_FILE: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_LAST_FILE: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// A set and all squares next to it.
#[inline(always)]
pub const fn spread(set: u64) -> u64 {
    let wide = set | (set << 1 & NOT_FIRST_FILE) | (set >> 1 & NOT_LAST_FILE);
    wide | wide << 8 | wide >> 8
}

/// The quadrants of the board.
const QUADRANTS: [u64; 4] =
    [0x0000_0000_0f0f_0f0f, 0x0000_0000_f0f0_f0f0, 0x0f0f_0f0f_0000_0000, 0xf0f0_f0f0_0000_0000];

/// The bit of each square's quadrant in a [`Parity`].
pub const QUADRANT: [u8; 64] = {
    let mut all = [0; 64];
    let mut at = 0;
    while at < 64 {
        all[at] = 1 << (2 * (at / 32) + at % 8 / 4);
        at += 1;
    }
    all
};

/// Which quadrants have an odd number of empty squares: who moves there first may move there last.
#[derive(Clone, Copy)]
pub struct Parity(u8);

impl Parity {
    /// Of a set of empty squares.
    pub fn of(empty: u64) -> Parity {
        let bit = |q: usize| (((empty & QUADRANTS[q]).count_ones() & 1) as u8) << q;
        Parity(bit(0) | bit(1) | bit(2) | bit(3))
    }

    /// After a move on a square.
    #[inline(always)]
    pub fn after(self, at: u32) -> Parity {
        Parity(self.0 ^ QUADRANT[at as usize % 64])
    }

    /// The squares of the odd quadrants.
    #[inline(always)]
    pub fn odd(self) -> u64 {
        ODD[self.0 as usize % 16]
    }
}

const ODD: [u64; 16] = {
    let mut all = [0; 16];
    let mut parity = 0;
    while parity < 16 {
        let mut q = 0;
        while q < 4 {
            if parity >> q & 1 == 1 {
                all[parity] |= QUADRANTS[q];
            }
            q += 1;
        }
        parity += 1;
    }
    all
};

/// How many discs a move turns on a board without other empty squares: the whole board is known by
/// one side's discs, and each line by a byte.
pub struct LastFlips {
    /// Twice the discs turned on a line of eight, by the place of the move and the own discs.
    line: [[u8; 256]; 8],
    /// The squares of the two diagonals through each square.
    diagonals: [[u64; 2]; 64],
}

pub static LAST_FLIPS: LastFlips = LastFlips::new();

const FIRST_FILE: u64 = 0x0101_0101_0101_0101;
/// Times a set of squares of the first file: its rows as the bits of the highest byte.
const GATHER: u64 = 0x0102_0408_1020_4080;

impl LastFlips {
    const fn new() -> LastFlips {
        let mut all = LastFlips { line: [[0; 256]; 8], diagonals: [[0; 2]; 64] };
        let mut at = 0;
        while at < 8 {
            let mut own = 0;
            while own < 256 {
                all.line[at][own] = turned_on_line(at, own);
                own += 1;
            }
            at += 1;
        }
        let mut square = 0;
        while square < 64 {
            all.diagonals[square] = [diagonal(square, 1), diagonal(square, -1)];
            square += 1;
        }
        all
    }

    /// Twice the discs that a move turns for the owner of `own`, if all other squares are occupied.
    #[inline(always)]
    pub fn twice(&self, own: u64, at: u32) -> i32 {
        let at = at as usize % 64;
        let (row, file) = (at / 8, at % 8);
        let lines = &self.line[file];
        let [falling, rising] = self.diagonals[at];
        let across = lines[(own >> (8 * row)) as usize & 0xff];
        // A diagonal has a square in each file: their sum as bytes is the diagonal.
        let falling = lines[((own & falling).wrapping_mul(FIRST_FILE) >> 56) as usize];
        let rising = lines[((own & rising).wrapping_mul(FIRST_FILE) >> 56) as usize];
        let column = (own >> file & FIRST_FILE).wrapping_mul(GATHER) >> 56;
        let column = self.line[row][column as usize];
        across as i32 + falling as i32 + rising as i32 + column as i32
    }
}

/// The squares of the diagonal through a square that goes right and down (1) or up (-1).
const fn diagonal(square: usize, down: isize) -> u64 {
    let (row, file) = ((square / 8) as isize, (square % 8) as isize);
    let mut set = 0;
    let mut f = 0;
    while f < 8 {
        let r = row + (f - file) * down;
        if r >= 0 && r < 8 {
            set |= 1 << (8 * r + f);
        }
        f += 1;
    }
    set
}

/// Twice the discs turned on a full line of eight. On a diagonal squares beyond the board count as
/// the opponent's, so nothing behind them can close a run.
const fn turned_on_line(at: usize, own: usize) -> u8 {
    let mut count = 0;
    let mut i = at + 1;
    while i < 8 && own >> i & 1 == 0 {
        i += 1;
    }
    if i < 8 {
        count += i - at - 1;
    }
    let mut i = at;
    while i > 0 && own >> (i - 1) & 1 == 0 {
        i -= 1;
    }
    if i > 0 {
        count += at - i;
    }
    2 * count as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Seed, Stream};
    use crate::rules::flips;

    #[test]
    fn the_last_move_turns_what_the_rules_say() {
        let mut rng = Seed(1).at(Stream::Weights, 0).rng();
        for case in 0..20_000u32 {
            let at = case % 64;
            let own = rng.bits() & if case % 3 == 0 { rng.bits() } else { u64::MAX } & !(1 << at);
            let opp = !own & !(1 << at);
            let expected = flips(own, opp, 1 << at).count_ones() as i32;
            assert_eq!(LAST_FLIPS.twice(own, at), 2 * expected, "{own:x} {at}");
        }
    }

    #[test]
    fn parity_follows_moves() {
        let mut parity = Parity::of(u64::MAX);
        assert_eq!(parity.odd(), 0);
        for at in 0..64 {
            parity = parity.after(at);
            let rest = !0 << at << 1;
            assert_eq!(parity.odd(), Parity::of(rest).odd());
        }
        assert_eq!(Parity::of(1 << 63 | 1 << 9).odd(), QUADRANTS[0] | QUADRANTS[3]);
    }

    #[test]
    fn neighbours_do_not_wrap() {
        assert_eq!(NEIGHBOURS[0], 1 << 1 | 1 << 8 | 1 << 9);
        assert_eq!(NEIGHBOURS[7], 1 << 6 | 1 << 14 | 1 << 15);
        assert_eq!(NEIGHBOURS[28].count_ones(), 8);
    }
}
