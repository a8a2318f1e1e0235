//! One game and one pair, from the opening to the record.

mod adjudication;
mod clock;
mod engine_pool;
mod live_games;
mod recorder;
mod referee;
mod rule_violation;

pub use engine_pool::EnginePool;
pub use live_games::{GameListener, LiveGame, LiveGames, LiveSlot};
pub use referee::judge;
pub use rule_violation::{RuleViolation, rule_violation};

use std::mem;
use std::time::Instant;

use tanren_engine::game::{GameMove, Path, Position, Side};

use crate::config::{FaultAction, MoveLimit, Rules, Seat};
use crate::endgame::{Known, Tables};
use crate::openings::Opening;
use crate::platform::suspensions;
use crate::player::{Action, Clocks, EnvironmentError, GameEnd, Player};
use crate::record::{GameRecord, PairFault, PairRecord, PlayerId, Reason};
use crate::schedule::PairPlan;
use adjudication::Adjudicator;
use clock::Clock;
use recorder::GameRecorder;
use referee::GameEnding;

pub trait PlayPairs<P: Position> {
    /// Plays both games of a pair, again after faults as the policies say. `replayed` are the faults of earlier attempts; those of
    /// this one join them, and all go into the record.
    fn play_pair(
        &mut self,
        plan: &PairPlan,
        opening: &Opening<P>,
        replayed: &mut Vec<PairFault>,
    ) -> Result<PairRecord, Unplayed>;

    fn show_in(&mut self, _: LiveSlot) {}
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unplayed {
    Interrupted,
    /// Something that no player is at fault for; the pair is still to be played.
    Environment(EnvironmentError),
    Stopped(PairFault),
}

/// Two players facing each other, and what is reused from game to game. One worker owns it.
pub struct GameTable<P: Position> {
    players: [Box<dyn Player<P>>; 2],
    rules: Rules,
    tables: Option<Tables>,
    path: Path,
    live_slot: Option<LiveSlot>,
    /// Was a game by the clock given up because this process did not run?
    was_suspended: bool,
}

impl<P: Position> PlayPairs<P> for GameTable<P> {
    fn play_pair(
        &mut self,
        plan: &PairPlan,
        opening: &Opening<P>,
        replayed: &mut Vec<PairFault>,
    ) -> Result<PairRecord, Unplayed> {
        loop {
            let played = self.play_games(plan, opening, replayed.len())?;
            match played {
                Ok(games) => {
                    return Ok(PairRecord {
                        pair: plan.pair,
                        players: plan.players,
                        opening_line: opening.line,
                        opening: opening.position().to_string(),
                        book: opening.book(),
                        games,
                        replayed: mem::take(replayed),
                    });
                }
                Err(fault) => replayed.push(fault),
            }
        }
    }

    fn show_in(&mut self, live_slot: LiveSlot) {
        self.live_slot = Some(live_slot);
    }
}

impl<P: Position> GameTable<P> {
    pub fn new(players: [Box<dyn Player<P>>; 2], rules: Rules) -> Self {
        GameTable {
            players,
            rules,
            tables: None,
            path: Path::default(),
            live_slot: None,
            was_suspended: false,
        }
    }

    pub fn with_endgames(self, tables: Option<Tables>) -> Self {
        GameTable { tables, ..self }
    }

    pub fn with_live_slot(self, live_slot: Option<LiveSlot>) -> Self {
        GameTable { live_slot, ..self }
    }

    /// Has its players play on with the options of these seats; false if one of them is to be made anew.
    pub fn set_options_of(&mut self, seats: &[Seat; 2]) -> bool {
        let mut players = self.players.iter_mut().zip(seats);
        players.all(|(player, seat)| {
            let process = seat.player.process();
            process.is_some_and(|process| player.set_options(&process.options))
        })
    }

    /// Both games of a pair that was played `replays` times before, or the fault after which to play it again.
    fn play_games(
        &mut self,
        plan: &PairPlan,
        opening: &Opening<P>,
        replays: usize,
    ) -> Result<Result<[GameRecord; 2], PairFault>, Unplayed> {
        let alone = self
            .rules
            .single_games
            .then(|| PairPlan::alone(plan.pair, opening.position().side_to_move()));
        let mut play = |index: usize| -> Result<Result<GameRecord, PairFault>, Unplayed> {
            if alone.is_some_and(|alone| alone != index) {
                return Ok(Ok(GameRecord::unplayed(
                    PairPlan::FIRST[index],
                    plan.seeds[index],
                )));
            }
            if let Some(live_slot) = &mut self.live_slot {
                live_slot.begin(LiveGame {
                    pair: plan.pair,
                    index: index as u8,
                    players: plan.players,
                    opening_line: opening.line,
                    opening: opening.position().to_string(),
                    ..LiveGame::default()
                });
            }
            for player in &mut self.players {
                player.named(plan.pair, index);
            }
            let game = self.play_game(&opening.position(), PairPlan::FIRST[index], plan.seeds[index]);
            let game = game.ok_or_else(|| self.why_unplayed())?;
            if let Some(live_slot) = &self.live_slot {
                live_slot.end(&game);
            }
            let Some((loser, action)) = self.action_after(&game) else {
                return Ok(Ok(game));
            };
            let fault = PairFault {
                pair: plan.pair,
                game: index as u8,
                player: plan.players[loser.index()],
                reason: game.reason,
            };
            match action {
                FaultAction::Stop => Err(Unplayed::Stopped(fault)),
                FaultAction::Replay(times) if replays < usize::from(times) => {
                    self.players[loser.index()].replayed(game.reason);
                    Ok(Err(fault))
                }
                FaultAction::Replay(_) | FaultAction::Loss => Ok(Ok(game)),
            }
        };
        match play(0)? {
            Err(fault) => Ok(Err(fault)),
            Ok(first) => Ok(play(1)?.map(|second| [first, second])),
        }
    }

    fn why_unplayed(&mut self) -> Unplayed {
        let environment_error = match mem::take(&mut self.was_suspended) {
            true => Some(EnvironmentError::Suspended),
            false => self
                .players
                .iter_mut()
                .find_map(|player| player.environment_error()),
        };
        environment_error.map_or(Unplayed::Interrupted, Unplayed::Environment)
    }

    fn action_after(&self, game: &GameRecord) -> Option<(PlayerId, FaultAction)> {
        let loser = game.winner?.opponent();
        let own = self.players[loser.index()].on_fault();
        let action = own.or(self.rules.on_fault).action(game.reason)?;
        Some((loser, action))
    }

    /// Plays one game in which `first` makes the first move. `None` if a player was interrupted, the environment failed, or the process
    /// stopped while time counted.
    pub fn play_game(&mut self, start: &P, first: PlayerId, seed: u32) -> Option<GameRecord> {
        let mut position = start.clone();
        self.path.restart(&position);
        for player in &mut self.players {
            player.new_game(start, seed);
        }
        let mut clocks = self.clocks();
        let limits = self.players.each_ref().map(|player| player.limit());
        let is_timed = limits.iter().flatten().any(|limit| limit.is_timed());
        let awake = is_timed.then(suspensions);
        let has_external = self.players.iter().any(|player| player.warnings().is_some());
        let mut adjudicator = Adjudicator::new(&self.rules, has_external);
        let mut recorder = GameRecorder::new(first, seed);
        let first_side = start.side_to_move();
        let player_of = |side: Side| {
            if side == first_side {
                first
            } else {
                first.opponent()
            }
        };
        let outcome = loop {
            let id = player_of(position.side_to_move());
            let faces = faces(&clocks, id);
            self.show(start, &recorder.record, &clocks);
            let began = Instant::now();
            let mut thought = self.players[id.index()].think(&position, &self.path, &faces)?;
            if awake.is_some_and(|before| suspensions() != before) {
                self.was_suspended = true;
                return None;
            }
            let used_us = thought.time.unwrap_or_else(|| began.elapsed()).as_micros() as u64;
            let expected = self.players[id.index()].variation();
            recorder.turn(id, used_us, &thought, expected);
            if let Some(comment) = self.players[id.index()].comment() {
                recorder.comment(&comment);
            }
            let warning = recorder.warning(id, &*self.players[id.index()], &position, thought.score);
            if !matches!(thought.action, Action::Fault(_))
                && let Some(clock) = &mut clocks[id.index()]
                && !clock.charge(used_us)
            {
                self.players[id.index()].faulted(Reason::TimeLoss, "its clock ran out");
                thought.action = Action::Fault(Reason::TimeLoss);
            }
            let plies = self.path.len();
            let ending = judge(&mut position, &mut self.path, thought.action, &self.rules);
            if let (Action::Move(mv), true) = (thought.action, self.path.len() > plies) {
                recorder.record.moves.push(mv.bits());
                self.players.iter_mut().for_each(|player| player.moved(mv));
            }
            if let Some(ending) = ending {
                if ending.reason == Reason::WrongDeclaration {
                    break self.lost_by(id, ending.reason, "it declared a win that the rules do not give");
                }
                break (ending.winner.map(player_of), ending.reason);
            }
            if let (true, Some(warning)) = (self.rules.strict, warning) {
                break self.lost_by(id, Reason::Nonsense, warning);
            }
            if let Some(ending) = self.known(&position) {
                break (ending.winner.map(player_of), ending.reason);
            }
            // Who has no legal move has lost (or drawn) by the rules, whatever the scores were.
            let is_progress = position.halfmove_clock() == Some(0);
            match adjudicator.turn(id, thought.score, is_progress, recorder.record.moves.len()) {
                Some(outcome) if position.count_legal_all() > 0 => break outcome,
                _ => {}
            }
        };
        self.tell_end(outcome.0);
        Some(recorder.finish(outcome, &self.players, left_ms(&clocks)))
    }

    fn show(&mut self, start: &P, record: &GameRecord, clocks: &[Option<Clock>; 2]) {
        let Some(live_slot) = self.live_slot.as_mut().filter(|live_slot| live_slot.is_asked()) else {
            return;
        };
        let ids = [record.first, record.first.opponent()];
        let moves = record.moves.iter();
        let moves: Vec<String> = moves.map(|&bits| P::Move::from_bits(bits).to_string()).collect();
        let (game, left_ms) = (live_slot.game.clone(), left_ms(clocks));
        live_slot.publish(LiveGame {
            game: P::GAME.name().to_owned(),
            players: ids.map(|id| game.players[id.index()]),
            opening: start.to_string(),
            moves: moves.join(" "),
            clocks_ms: ids.map(|id| left_ms[id.index()]),
            ..game
        });
    }

    /// What the tables know of `position`, where the rules let it go on.
    fn known(&self, position: &P) -> Option<GameEnding> {
        let winner = match self.tables.as_ref()?.known(position)? {
            Known::Won(side) => Some(side),
            Known::Drawn => None,
        };
        let reason = Reason::Syzygy;
        (position.count_legal_all() > 0).then_some(GameEnding { winner, reason })
    }

    fn lost_by(&mut self, id: PlayerId, reason: Reason, words: &str) -> (Option<PlayerId>, Reason) {
        self.players[id.index()].faulted(reason, words);
        (Some(id.opponent()), reason)
    }

    /// By the match's rules, with each player's own margin.
    fn clocks(&self) -> [Option<Clock>; 2] {
        self.players.each_ref().map(|player| {
            let mut rules = self.rules.clock;
            rules.margin_ms = player.margin_ms().unwrap_or(rules.margin_ms);
            match player.limit() {
                Some(MoveLimit::Clock(limit)) => Some(Clock::new(limit, rules)),
                _ => None,
            }
        })
    }

    fn tell_end(&mut self, winner: Option<PlayerId>) {
        for (id, player) in [PlayerId::A, PlayerId::B].into_iter().zip(&mut self.players) {
            player.game_over(match winner {
                Some(winner) if winner == id => GameEnd::Win,
                Some(_) => GameEnd::Loss,
                None => GameEnd::Draw,
            });
        }
    }
}

fn faces(clocks: &[Option<Clock>; 2], id: PlayerId) -> Clocks {
    Clocks {
        own: clocks[id.index()].as_ref().map(Clock::face),
        opponent: clocks[id.opponent().index()].as_ref().map(Clock::face),
    }
}

fn left_ms(clocks: &[Option<Clock>; 2]) -> [Option<u64>; 2] {
    clocks
        .each_ref()
        .map(|clock| Some(clock.as_ref()?.face().remaining_ms))
}

#[cfg(test)]
mod tests;
