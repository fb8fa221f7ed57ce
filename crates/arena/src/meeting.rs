//! Meetings of two players: pairs of games with colours swapped, played in blocks on all cores.
//!
//! A game's stream is keyed by (meeting's seed, game). So results do not depend on how games are
//! cut into blocks and batches, nor on whether the batch kernel or the single-game engine plays
//! them.

use std::borrow::Cow;
use std::ops::{ControlFlow, Range};
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::effort::{cost_of, games_at_once};
use super::engines::play_with_engines;
use super::game::is_with_engines;
use super::{Distinct, GameScratch, News, Openings, Stopped, Tally, Watch, play_game};
use outflank_game::othello::{Board, Position, Side, Squares};
use outflank_game::player::{Colour, Player};
use outflank_kernel::rng::{Key, Seed, Stream};
use outflank_kernel::{CENTRE, Finished, Kernel, Lane, LaneGame, Record, fingerprint};

/// Where games are played: a kernel and some threads.
#[derive(Debug)]
pub struct Arena {
    kernel: Kernel,
    threads: usize,
    /// None for a single thread, which is the caller's: a pool would cost more than the games of a
    /// small generation.
    pool: Option<rayon::ThreadPool>,
}

/// Games of `a` against `b`: in game 2 p of pair p `a` is Black, in game 2 p + 1 `b` is, unless `a`
/// has one colour only.
#[derive(Clone, Copy, Debug)]
pub struct Meeting<'a> {
    /// The player from whose side the games are counted.
    pub a: &'a Player,
    /// Its opponent.
    pub b: &'a Player,
    /// Pairs of games.
    pub pairs: u64,
    /// The root of the games' streams.
    pub seed: Seed,
    /// Where they start.
    pub openings: &'a Openings,
    /// The colours of `a`.
    pub colour: Colour,
}

/// What to keep of games in addition to their results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// Nothing.
    MeetingResults,
    /// How many games were different.
    Distinct,
    /// Every game, in order, and how many were different.
    Games,
}

/// A game that was kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedGame {
    /// Its number in its meeting.
    pub game: u64,
    /// Where it started.
    pub start: Position,
    /// Its moves, square indices or [`outflank_kernel::NO_MOVE`].
    pub moves: Vec<u8>,
    /// Black's margin.
    pub margin: i32,
}

/// The results of a list of meetings.
#[derive(Debug)]
pub struct MeetingResults {
    /// A tally for each meeting, from the side of its `a`.
    pub tallies: Vec<Tally>,
    /// Different games of all meetings, if counted; and whether the number is exact.
    pub distinct: Option<(u64, bool)>,
}

/// Pairs played by one thread at a time: a whole number of batches of every kernel.
const BLOCK: u64 = 1024;
/// A pair played by the single-game engine counts as this many, or more with large networks.
const ALONE: u64 = 64;

impl Arena {
    /// An arena with this many threads, at least one; fails if the system cannot start them.
    pub fn new(kernel: Kernel, threads: usize) -> Result<Arena, rayon::ThreadPoolBuildError> {
        let threads = threads.max(1);
        let build = || rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = (threads > 1).then(build).transpose()?;
        Ok(Arena { kernel, threads, pool })
    }

    /// The number of threads that play here.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Runs work on the arena's threads.
    pub fn install<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        match &self.pool {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }

    /// The kernel that plays here.
    pub fn kernel(&self) -> Kernel {
        self.kernel
    }

    /// Plays all meetings and returns a tally for each, from the side of its `a`. Reports the
    /// number of games to the watch.
    pub fn play(&self, meetings: &[Meeting<'_>], watch: &dyn Watch) -> Result<Vec<Tally>, Stopped> {
        let mut see = |_, _| ControlFlow::Continue(());
        self.play_and_keep(meetings, Keep::MeetingResults, &mut see, watch)
            .map(|results| results.tallies)
    }

    /// Plays some of the pairs of all meetings laid end to end. For each meeting it returns a tally
    /// of these games only: those of ranges that make up the whole add up to those of
    /// [`Arena::play`].
    pub fn play_some(
        &self,
        meetings: &[Meeting<'_>],
        pairs: Range<u64>,
        watch: &dyn Watch,
    ) -> Result<Vec<Tally>, Stopped> {
        let mut see = |_, _| ControlFlow::Continue(());
        self.play_range(meetings, pairs, Keep::MeetingResults, &mut see, watch)
            .map(|results| results.tallies)
    }

    /// The same, and passes every kept game to `see`, in order; `see` can also stop the work.
    pub fn play_and_keep(
        &self,
        meetings: &[Meeting<'_>],
        keep: Keep,
        see: &mut dyn FnMut(usize, PlayedGame) -> ControlFlow<()>,
        watch: &dyn Watch,
    ) -> Result<MeetingResults, Stopped> {
        self.play_range(meetings, 0..u64::MAX, keep, see, watch)
    }

    /// Plays a range of all meetings' pairs laid end to end.
    fn play_range(
        &self,
        meetings: &[Meeting<'_>],
        range: Range<u64>,
        keep: Keep,
        see: &mut dyn FnMut(usize, PlayedGame) -> ControlFlow<()>,
        watch: &dyn Watch,
    ) -> Result<MeetingResults, Stopped> {
        let mut starts = vec![0];
        starts.extend(meetings.iter().scan(0, |sum, meeting| {
            *sum += meeting.pairs;
            Some(*sum)
        }));
        let total = starts[meetings.len()];
        let range = range.start.min(total)..range.end.min(total);
        let mut tallies = vec![Tally::default(); meetings.len()];
        let mut distinct = (keep != Keep::MeetingResults).then(|| Distinct::for_games(2 * total));
        let mut blocks = Blocks { meetings, starts: &starts, next: range.start };
        let mut round = 2 * self.threads;
        let mut done = 0;
        loop {
            let began = Instant::now();
            let inside = |block: Range<u64>| {
                (block.start < range.end).then(|| block.start..block.end.min(range.end))
            };
            let todo: Vec<Range<u64>> = blocks.by_ref().map_while(inside).take(round).collect();
            let Some(last) = todo.last() else { break };
            done = done.max(last.end - range.start);
            let stop = || watch.stop();
            let play = |pairs| self.play_block(meetings, &starts, pairs, keep, total, &stop);
            let played: Result<Vec<Block>, Stopped> = match self.threads {
                1 => todo.into_iter().map(play).collect(),
                _ => self.install(|| todo.into_par_iter().with_max_len(1).map(play).collect()),
            };
            for block in played? {
                for (meeting, tally) in block.tallies {
                    tallies[meeting].add(&tally);
                }
                if let (Some(all), Some(more)) = (&mut distinct, block.distinct) {
                    all.join(more);
                }
                for (meeting, game) in block.games {
                    if see(meeting, game).is_break() {
                        return Err(Stopped);
                    }
                }
            }
            watch.tell(News::Done(2 * done));
            watch.check()?;
            // Threads wait for each other at the end of a round, so a round takes only as long as
            // progress may stand still.
            if began.elapsed() < Duration::from_millis(200) {
                round *= 2;
            }
        }
        let count = |all: Distinct| self.install(|| all.count(2 * total));
        Ok(MeetingResults { tallies, distinct: distinct.map(count) })
    }

    /// Plays the pairs of a range of all meetings' pairs laid end to end.
    fn play_block(
        &self,
        meetings: &[Meeting<'_>],
        starts: &[u64],
        pairs: Range<u64>,
        keep: Keep,
        total: u64,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<Block, Stopped> {
        let spans = spans(meetings, starts, pairs);
        let mut bouts = Vec::with_capacity(2 * spans.iter().map(Span::len).sum::<usize>());
        for (index, span) in spans.iter().enumerate() {
            span.add_bouts(index, &mut bouts);
        }
        let mut games = Vec::new();
        let finished = self.play_bouts(&spans, &bouts, keep, stop, |index, moves, end| {
            let bout = &bouts[index];
            let (game, start, margin) = (bout.game, bout.start, bout.black_margin(end));
            let played = PlayedGame { game, start, moves: moves.to_vec(), margin };
            games.push((index, spans[bout.span].index, played));
        })?;
        let distinct = (keep != Keep::MeetingResults).then(|| {
            let mut distinct = Distinct::for_games(2 * total);
            distinct.add(bouts.iter().zip(&finished).map(|(bout, end)| (bout.start, end.print)));
            distinct
        });
        games.sort_unstable_by_key(|(index, ..)| *index);
        let games = games.into_iter().map(|(_, meeting, game)| (meeting, game)).collect();
        Ok(Block { tallies: tallies(&spans, &bouts, &finished), distinct, games })
    }

    /// Plays every bout, in the batch kernel or alone, and returns its moves if they are kept.
    fn play_bouts(
        &self,
        spans: &[Span<'_>],
        bouts: &[Bout],
        keep: Keep,
        stop: &dyn Fn() -> bool,
        mut show: impl FnMut(usize, &[u8], Finished),
    ) -> Result<Vec<Finished>, Stopped> {
        // First all games in which `a` moves first: neighbours then have similar players, and a
        // step in which all move at random is cheap.
        let (mut order, mut games) =
            (Vec::with_capacity(bouts.len()), Vec::with_capacity(bouts.len()));
        let mut alone = Vec::new();
        for a_first in [true, false] {
            for (index, bout) in bouts.iter().enumerate().filter(|(_, b)| b.a_first() == a_first) {
                match bout.lane_game(&spans[bout.span]) {
                    Some(game) => {
                        order.push(index);
                        games.push(game);
                    }
                    None => alone.push(index),
                }
            }
        }
        let mut ends = vec![Finished::default(); games.len()];
        let mut tell = |game: usize, moves: &[u8], end| show(order[game], moves, end);
        let record = match keep {
            Keep::MeetingResults => Record::Nothing,
            Keep::Distinct => Record::Prints,
            Keep::Games => Record::Moves(&mut tell),
        };
        self.kernel.play(&games, &mut ends, record);
        let mut finished = vec![Finished::default(); bouts.len()];
        for (index, end) in order.iter().zip(ends) {
            finished[*index] = end;
        }
        let mut table = GameScratch::default();
        for index in alone {
            let bout = &bouts[index];
            let [a, b] = spans[bout.span].meeting.players(bout.pair());
            let players = if bout.a_first() { [&*a, &*b] } else { [&*b, &*a] };
            finished[index] = if is_with_engines(players) {
                let Meeting { openings, seed, .. } = spans[bout.span].meeting;
                let opened = openings.opened(bout.pair(), *seed);
                play_with_engines(self.kernel, players, opened, bout.key, &mut table, stop)?
            } else {
                play_game(self.kernel, players, bout.start, bout.key, &mut table)
            };
            if keep != Keep::MeetingResults {
                finished[index].print = fingerprint(&table.moves);
            }
            if keep == Keep::Games {
                show(index, &table.moves, finished[index]);
            }
        }
        Ok(finished)
    }
}

impl<'a> Meeting<'a> {
    /// Says whether the batch kernel can play both players.
    fn has_lanes(&self) -> bool {
        let has = |player: &Player| {
            if player.is_drawn() {
                player.drawn_lane(&[0; 64]).is_some()
            } else {
                player.lane().is_some()
            }
        };
        has(self.a) && has(self.b)
    }

    /// How many pairs of a block a pair counts as; at most a whole block.
    fn cost(&self) -> u64 {
        if self.has_lanes() {
            return 1;
        }
        let games =
            games_at_once(cost_of([self.a, self.b]).try_into().unwrap_or(usize::MAX)) as u64;
        (BLOCK / (games / 2).max(1)).clamp(ALONE, BLOCK)
    }

    /// The random stream of a drawn player in a pair of games; both may be drawn.
    fn drawn_key(&self, pair: u64, seat: u64) -> Key {
        self.seed.at(Stream::Weights, 2 * pair + seat)
    }

    /// The players of a pair of games.
    fn players(&self, pair: u64) -> [Cow<'a, Player>; 2] {
        [(self.a, 0), (self.b, 1)].map(|(player, seat)| {
            if player.is_drawn() {
                Cow::Owned(player.drawn(self.drawn_key(pair, seat)))
            } else {
                Cow::Borrowed(player)
            }
        })
    }
}

/// Cuts all meetings' pairs, laid end to end, into blocks of about the same work.
struct Blocks<'a> {
    meetings: &'a [Meeting<'a>],
    starts: &'a [u64],
    next: u64,
}

impl Iterator for Blocks<'_> {
    type Item = Range<u64>;

    fn next(&mut self) -> Option<Range<u64>> {
        let start = self.next;
        let first = self.starts.partition_point(|&meeting| meeting <= start) - 1;
        let mut left = BLOCK;
        for (index, meeting) in self.meetings.iter().enumerate().skip(first) {
            let cost = meeting.cost();
            let pairs = (left / cost).min(self.starts[index + 1] - self.next);
            self.next += pairs;
            left -= pairs * cost;
            if left < ALONE || self.next < self.starts[index + 1] {
                break;
            }
        }
        (self.next > start).then_some(start..self.next)
    }
}

/// The result of one thread.
struct Block {
    tallies: Vec<(usize, Tally)>,
    distinct: Option<Distinct>,
    games: Vec<(usize, PlayedGame)>,
}

/// Some pairs of one meeting, and the weights drawn for them.
struct Span<'a> {
    index: usize,
    meeting: &'a Meeting<'a>,
    pairs: Range<u64>,
    /// For `a` and `b`, by pair; empty for a player that is not drawn.
    drawn: [Vec<[i16; 64]>; 2],
    /// How they play in the batch kernel, if they can and are not drawn.
    lanes: [Option<Lane<'a>>; 2],
}

/// The parts of the meetings that make up a range of all their pairs laid end to end.
fn spans<'a>(meetings: &'a [Meeting<'a>], starts: &[u64], pairs: Range<u64>) -> Vec<Span<'a>> {
    let first = starts.partition_point(|&start| start <= pairs.start) - 1;
    let mut spans = Vec::new();
    for (index, meeting) in meetings.iter().enumerate().skip(first) {
        let (start, end) = (starts[index], starts[index + 1]);
        if start >= pairs.end {
            break;
        }
        let pairs = pairs.start.max(start) - start..pairs.end.min(end) - start;
        let drawn = [(meeting.a, 0), (meeting.b, 1)].map(|(player, seat)| {
            let drawn = pairs.clone().filter(|_| player.is_drawn());
            drawn.map(|pair| Player::drawn_grid(meeting.drawn_key(pair, seat))).collect()
        });
        let lanes = [meeting.a, meeting.b].map(Player::lane);
        spans.push(Span { index, meeting, pairs, drawn, lanes });
    }
    spans
}

impl Span<'_> {
    /// Pairs of games.
    fn len(&self) -> usize {
        (self.pairs.end - self.pairs.start) as usize
    }

    fn add_bouts(&self, span: usize, bouts: &mut Vec<Bout>) {
        let Meeting { seed, openings, colour, .. } = *self.meeting;
        for pair in self.pairs.clone() {
            let start = openings.start(pair, seed);
            for game in [2 * pair, 2 * pair + 1] {
                let (key, side) =
                    (seed.at(Stream::Game, game), colour.side(game.is_multiple_of(2)));
                bouts.push(Bout { span, game, side, start, key });
            }
        }
    }

    /// How `a` (seat 0) or `b` plays a pair in the batch kernel, if it can.
    fn lane(&self, seat: usize, pair: u64) -> Option<Lane<'_>> {
        let player = [self.meeting.a, self.meeting.b][seat];
        match self.drawn[seat].get((pair - self.pairs.start) as usize) {
            Some(grid) => player.drawn_lane(grid),
            None => self.lanes[seat],
        }
    }
}

/// Bouts come in pairs, span by span.
fn tallies(spans: &[Span<'_>], bouts: &[Bout], finished: &[Finished]) -> Vec<(usize, Tally)> {
    let mut tallies: Vec<_> = spans.iter().map(|span| (span.index, Tally::default())).collect();
    for (bouts, ends) in bouts.chunks(2).zip(finished.chunks(2)) {
        let margins = [bouts[0].margin(ends[0]), bouts[1].margin(ends[1])];
        tallies[bouts[0].span].1.add_pair(margins);
    }
    tallies
}

/// One game of a meeting.
struct Bout {
    span: usize,
    game: u64,
    /// The side of `a`.
    side: Side,
    start: Position,
    key: Key,
}

impl Bout {
    fn pair(&self) -> u64 {
        self.game / 2
    }

    /// Which of the two moves first also depends on the opening.
    fn a_first(&self) -> bool {
        self.side == self.start.side
    }

    /// The margin of `a`.
    fn margin(&self, end: Finished) -> i32 {
        let black = self.black_margin(end);
        if self.side == Side::Black { black } else { -black }
    }

    /// The game for the batch kernel, if it can play both players and the start.
    fn lane_game<'a>(&self, span: &'a Span<'_>) -> Option<LaneGame<'a>> {
        let Board { own, opp } = self.start.board;
        let a = span.lane(0, self.pair())?;
        let b = span.lane(1, self.pair())?;
        let (first, second) = if self.a_first() { (a, b) } else { (b, a) };
        let full_centre = (own.0 | opp.0) & CENTRE == CENTRE;
        full_centre.then_some(LaneGame { own: own.0, opp: opp.0, key: self.key, first, second })
    }

    fn black_margin(&self, end: Finished) -> i32 {
        let first = Board { own: Squares(end.first), opp: Squares(end.second) }.margin();
        if self.start.side == Side::Black { first } else { -first }
    }
}
