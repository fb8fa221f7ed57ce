//! Discs that can never be turned again. They bound the score: with s stable discs of the opponent
//! nobody can win by more than 64 - 2 s.
//!
//! A disc is stable if in each of the four directions its line is full, or it is next to the edge
//! or to a stable disc of its colour. Edges are looked up, since there discs are stable more often
//! than that.

use std::sync::OnceLock;

/// Stable discs of `own` on edges, by the own and the opposing discs of the edge.
type Edges = [[u8; 256]; 256];

fn edges() -> &'static Edges {
    static EDGES: OnceLock<Box<Edges>> = OnceLock::new();
    EDGES.get_or_init(build)
}

/// An edge has 3^8 states. A disc is stable if no sequence of moves by either side turns it; one
/// may move anywhere, since a move may be legal by what it turns elsewhere.
fn build() -> Box<Edges> {
    let mut edges: Box<Edges> = vec![[0; 256]; 256].try_into().expect("as many as asked for");
    let states = (0..256usize).rev().flat_map(|own| (0..256usize).map(move |opp| (own, opp)));
    let mut all: Vec<(usize, usize)> = states.filter(|(own, opp)| own & opp == 0).collect();
    // Fuller edges first: a state is known by those that a move leads to.
    all.sort_by_key(|(own, opp)| std::cmp::Reverse((own | opp).count_ones()));
    for (own, opp) in all {
        let mut stable = own;
        for at in (0..8).filter(|at| (own | opp) >> at & 1 == 0) {
            let turned = turn(own, opp, at);
            stable &= usize::from(edges[own | turned | 1 << at][opp & !turned]);
            let lost = turn(opp, own, at);
            stable &= usize::from(edges[own & !lost][opp | lost | 1 << at]);
        }
        edges[own][opp] = stable as u8;
    }
    edges
}

/// What a disc at a place of a line turns.
fn turn(own: usize, opp: usize, at: usize) -> usize {
    let towards = |places: &mut dyn Iterator<Item = usize>| {
        let mut run = 0;
        for place in places {
            if opp >> place & 1 == 0 {
                return if own >> place & 1 == 1 { run } else { 0 };
            }
            run |= 1 << place;
        }
        0
    };
    towards(&mut (at + 1..8)) | towards(&mut (0..at).rev())
}

const FILE_A: u64 = 0x0101_0101_0101_0101;
const EDGE: u64 = 0xff81_8181_8181_81ff;

/// The byte of a file, row by row.
#[inline(always)]
fn file(set: u64, file: u32) -> usize {
    ((set >> file & FILE_A).wrapping_mul(0x0102_0408_1020_4080) >> 56) as usize
}

/// A byte as squares of the first file.
#[inline(always)]
fn unfile(byte: u8) -> u64 {
    // Bit i to byte i: first to the diagonal of a square, then along rows.
    let spread = u64::from(byte).wrapping_mul(FILE_A) & 0x8040_2010_0804_0201;
    (spread.wrapping_add(0x7f7f_7f7f_7f7f_7f7f) | spread) >> 7 & FILE_A
}

/// The stable discs of `own` among those on edges.
#[inline(always)]
pub fn stable_edges(own: u64, opp: u64) -> u64 {
    let edges = edges();
    let top = edges[own as usize & 0xff][opp as usize & 0xff];
    let bottom = edges[(own >> 56) as usize][(opp >> 56) as usize];
    let left = edges[file(own, 0)][file(opp, 0)];
    let right = edges[file(own, 7)][file(opp, 7)];
    u64::from(top) | u64::from(bottom) << 56 | unfile(left) | unfile(right) << 7
}

/// Squares whose lines are full, in the order: rows, columns, and the two diagonals.
#[inline(always)]
fn full_lines(discs: u64) -> [u64; 4] {
    let mut rows = discs;
    rows &= rows >> 4;
    rows &= rows >> 2;
    rows &= rows >> 1;
    let rows = (rows & FILE_A).wrapping_mul(0xff);

    let mut columns = discs;
    columns &= columns.rotate_right(8);
    columns &= columns.rotate_right(16);
    columns &= columns.rotate_right(32);

    // Along a diagonal, an edge square and what is full up to there.
    const LEFT: u64 = 0x0101_0101_0101_01ff;
    const RIGHT: u64 = 0xff80_8080_8080_8080;
    let (mut down, mut up) = (discs, discs);
    let step = |set: u64, edge: u64, by: u32| set & (edge | set << by);
    let back = |set: u64, edge: u64, by: u32| set & (edge | set >> by);
    for _ in 0..7 {
        down = step(down, LEFT, 9);
        up = step(up, 0x8080_8080_8080_80ff, 7);
    }
    let (mut down_back, mut up_back) = (discs, discs);
    for _ in 0..7 {
        down_back = back(down_back, RIGHT, 9);
        up_back = back(up_back, 0xff01_0101_0101_0101, 7);
    }
    [rows, columns, up & up_back, down & down_back]
}

/// A lower bound of the stable discs of `own`, as a set.
#[inline(always)]
pub fn stable(own: u64, opp: u64) -> u64 {
    let full = full_lines(own | opp);
    let mut stable = stable_edges(own, opp) | full[0] & full[1] & full[2] & full[3] & own;
    if stable == 0 {
        return 0;
    }
    let inner = own & !EDGE;
    loop {
        let along_row = stable << 1 | stable >> 1 | full[0];
        let along_column = stable << 8 | stable >> 8 | full[1];
        let rising = stable << 7 | stable >> 7 | full[2];
        let falling = stable << 9 | stable >> 9 | full[3];
        let more = stable | inner & along_row & along_column & rising & falling;
        if more == stable {
            return stable;
        }
        stable = more;
    }
}
