//! Who leads in games of champions, move by move, as a strong player judges them.

use outflank_arena::{GameScratch, play_game};
use outflank_game::othello::{Game, Position, Square, write_game};
use outflank_game::player::{Policy, parse_player};
use outflank_kernel::rng::Stream;
use outflank_lab::{AnalyseError, Analyst, leads};
use outflank_study::{CaseResults, Evidence, FigureSpec, LedGame, Ledger, TournamentSpec};

use super::{Contests, SEED, are_here, entrants, players_key};
use crate::Error;
use crate::blocks::Blocks;

impl Contests<'_> {
    /// Games of the champions of two cases with the same seed, one each, and who leads in them.
    pub(super) fn leads(
        &self,
        spec: &FigureSpec,
        evidence: &Evidence,
        ledger: &mut Ledger,
    ) -> Result<Option<Vec<LedGame>>, Error> {
        let tournaments = &self.work.design.file.tournament;
        let tournament = tournaments.iter().find(|one| one.name == spec.tournament);
        let (Some(tournament), Some(cases)) = (tournament, self.teams(&spec.cases, evidence))
        else {
            return Ok(None);
        };
        let &[black, white] = cases.as_slice() else { return Ok(None) };
        let policies = self.policies(tournament, &cases)?;
        let about = (&policies, tournament.epsilon, &spec.judge);
        let key = format!("{about:?} {}", players_key(&cases));
        self.kept(["leads", &spec.name, &key], 1, ledger, are_here(&cases), |cut| {
            let play = &mut |_| self.led_games(spec, tournament, [black, white], &policies);
            Ok(match cut.blocks(self.watch, play)? {
                Blocks::Whole(games) => Ok(games.concat()),
                Blocks::Missing(missing) => Err(missing),
            })
        })
    }

    fn led_games(
        &self,
        spec: &FigureSpec,
        tournament: &TournamentSpec,
        [black, white]: [&CaseResults; 2],
        policies: &[Policy],
    ) -> Result<Vec<LedGame>, Error> {
        let cases = [black, white];
        let alone = TournamentSpec { players: Vec::new(), ..tournament.clone() };
        let teams = entrants(&alone, &cases, policies)?;
        let judge = parse_player(&spec.judge)?;
        let analyst = Analyst {
            kernel: self.arena.kernel(),
            player: &judge,
            depth: judge.policy.depth.max(1),
            solve: judge.policy.solve,
        };
        let mut games = Vec::new();
        for (row, run) in black.results.runs.iter().enumerate() {
            let same = white.results.runs.iter().position(|other| other.seed == run.seed);
            let Some(column) = same else { continue };
            let players = [&teams[0].players[row], &teams[1].players[column]];
            let key = SEED.at(Stream::Game, run.seed);
            let (mut scratch, start) = (GameScratch::default(), Position::START);
            play_game(self.arena.kernel(), players, start, key, &mut scratch);
            let mut game = Game::default();
            for at in scratch.moves.iter().filter_map(|at| Square::new(usize::from(*at))) {
                game.play(at).expect("players make legal moves");
            }
            let judged = analyst.judge(&game, self.watch, &mut || ());
            let judged = judged.map_err(|error| match error {
                AnalyseError::Stopped(_) => Error::Resumable,
                AnalyseError::Memory(problem) => Error::Failed(problem),
            })?;
            let (seed, game) = (run.seed, write_game(game.plies()));
            games.push(LedGame { seed, game, leads: leads(&judged) });
        }
        Ok(games)
    }
}
