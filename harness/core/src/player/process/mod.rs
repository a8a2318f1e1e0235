//! Another program as a player, by USI or UCI.

mod analysis;
mod compliance;
mod connection;
mod engine;
mod engine_line;
mod engine_stderr;
mod fault;
mod fitness;
#[cfg(feature = "fuzzing")]
pub mod fuzzing;
mod lines;
mod log;
mod option;
mod position_command;
mod program;
mod referee_rules;
mod remote;
mod sharing;

pub use analysis::{AnalysisLimits, Analyst};
pub use compliance::{Finding, comply};
pub use engine::{Introduction, Launch, NoAnswer};
pub use fault::FaultLog;
pub use fitness::{offers_chess960, probe, unfit};
pub use option::EngineOption;
pub use program::{ExaminedFiles, ProgramDigests, file_sha256, loaded_files, program_path};
pub use referee_rules::rule_warnings;
pub use remote::command_of;
pub use sharing::unused_us;

use std::time::{Duration, Instant};

use tanren_engine::game::{GameMove, Path, Position};

use super::{Action, Clocks, EnvironmentError, GameEnd, Player, Thought};
use crate::config::{EngineProtocol, FaultPolicy, MoveLimit};
use crate::openings::is_chess960;
use crate::platform::suspensions;
use crate::record::{EngineWarnings, Reason};
use crate::schedule::limit_of_game;
use engine::Engine;
use engine_line::BestMove;
use fault::Fault;
use position_command::PositionCommand;
use sharing::Sharing;

/// How long an engine that was too late may take to stop before it is ended.
const STOP_TIME: Duration = Duration::from_secs(1);

/// How long after `stop` an answer is not late yet, where moves have no greater margin.
const STOP_MARGIN_MS: u64 = 100;

#[derive(Debug, Clone)]
pub struct ProcessRules {
    pub label: String,
    pub limit: MoveLimit,
    /// Variation of a node limit from game to game, in percent.
    pub node_jitter_percent: u32,
    /// How late an answer may be where its specification does not say so.
    pub time_margin_ms: u64,
    pub faults: FaultLog,
}

/// A player that is an external engine; started when it is needed and kept from game to game.
pub struct Process<P: Position> {
    launch: Launch,
    rules: ProcessRules,
    engine: Option<Engine>,
    limit: MoveLimit,
    position_command: PositionCommand,
    /// The move after its own last one that it thinks about on its opponent's time.
    pondered: Option<P::Move>,
    /// Is it asked whether it is ready before each move?
    pings: bool,
    end: Option<GameEnd>,
    /// What went wrong while nothing was asked; it counts at the next turn of this game.
    pending: Option<NoAnswer>,
    variation: Vec<u16>,
    comment: Option<String>,
    /// Which game it plays, for its log.
    game: String,
    environment_error: Option<EnvironmentError>,
    /// How often this process had been stopped when the game began.
    suspensions: u64,
    warnings: EngineWarnings,
    sharing: Sharing,
    is_chess960: bool,
}

impl<P: Position> Process<P> {
    pub fn new(launch: Launch, rules: ProcessRules) -> Self {
        let protocol = launch.spec.protocol;
        let is_pinged = protocol == EngineProtocol::Uci && matches!(rules.limit, MoveLimit::Clock(_));
        Process {
            position_command: PositionCommand::new(protocol),
            pings: launch
                .spec
                .ping
                .unwrap_or(is_pinged || launch.spec.ping_ms.is_some()),
            limit: rules.limit,
            launch,
            rules,
            engine: None,
            pondered: None,
            end: None,
            pending: None,
            variation: Vec::new(),
            comment: None,
            game: String::new(),
            environment_error: None,
            suspensions: 0,
            warnings: EngineWarnings::default(),
            sharing: Sharing::default(),
            is_chess960: false,
        }
    }

    fn begin(&mut self) -> Result<(), NoAnswer> {
        let timeout = self.launch.timeouts.startup();
        // What the old process does after its last game loses no game of a new one.
        if !self.launch.spec.restarts_each_game {
            self.stop(Instant::now() + timeout)?;
        }
        let (engine, is_new) = self.launch.engine(&mut self.engine)?;
        if is_new {
            self.warnings.starts += 1;
            self.end = None;
        }
        engine.connection.note(&self.game);
        engine.set_options(&self.launch.spec.options, Instant::now() + timeout)?;
        engine.new_game(self.end.take(), self.is_chess960, timeout)?;
        self.sharing.begin(engine.connection.child.number);
        Ok(())
    }

    /// Asks for a move, and lets the engine ponder on its expected answer.
    fn turn(
        &mut self,
        position: &P,
        clocks: &Clocks,
        thought: &mut Thought<P::Move>,
    ) -> Result<(), NoAnswer> {
        if let Some(no_answer) = self.pending.take() {
            return Err(no_answer);
        }
        let (time, late) = self.deadline(clocks);
        let pondered = self.pondered.take();
        let is_hit = pondered.is_some_and(|expected| self.position_command.last() == Some(expected.bits()));
        if pondered.is_some() && !is_hit {
            self.stop(Instant::now() + self.launch.timeouts.stall())?;
        }
        let Some(engine) = &mut self.engine else {
            return Err(Fault::new(Reason::StartFailure, "it does not run").into());
        };
        let (side, asked) = (position.side_to_move(), Instant::now());
        let search = if is_hit {
            engine.connection.send(b"ponderhit\n", asked + time)?;
            engine.wait_for_answer(asked, asked + time, late)?
        } else {
            if self.pings {
                let own = self.launch.spec.ping_ms.map(Duration::from_millis);
                engine.ping(Instant::now() + own.unwrap_or(self.launch.timeouts.stall()))?;
            }
            engine.think(self.position_command.go(self.limit, side, clocks), time, late)?
        };
        self.sharing.turn(search.time);
        thought.score = match self.launch.spec.white_pov {
            true => search.info.score.map(|score| score.from_first_side(side)),
            false => search.info.score,
        };
        thought.nodes = search.info.nodes.unwrap_or(0);
        thought.depth = search.info.depth.unwrap_or(0);
        thought.time = Some(search.time);
        // After a hit it counts from when it began to ponder.
        if let Some(ms) = search.info.time_ms.filter(|_| !is_hit) {
            let beyond = search.time.saturating_sub(Duration::from_millis(ms));
            self.warnings.add_latency(beyond.as_micros() as u64);
        }
        let (text, ponder) = match engine.best()? {
            BestMove::Resign => return Ok(()),
            BestMove::Win => {
                thought.action = Action::Declare;
                return Ok(());
            }
            BestMove::Move { text, ponder } => (text, ponder),
        };
        match self.is_chess960 {
            true => self.variation.extend(bits_in(position, engine.variation())),
            false => self.variation.extend(bits_of::<P::Move>(engine.variation())),
        }
        self.comment = engine.comment();
        let (mv, is_capital) = read_move(position, text, self.launch.spec.protocol)?;
        self.warnings.uppercase_promotions += u32::from(is_capital);
        thought.action = Action::Move(mv);
        if !(position.is_pseudo_legal(mv) && position.is_legal(mv)) {
            if engine.repeats_answer() {
                return Err(repeated(text).into());
            }
            let hint = castling_hint(position, text);
            let detail = format!("move {text} is illegal in {position}{hint}");
            self.faulted(Reason::IllegalMove, &detail);
        } else if let Some(ponder) = ponder.filter(|_| self.launch.spec.ponder) {
            let mut next = position.clone();
            next.make(mv);
            self.pondered = next.parse_move(ponder).ok();
            if let Some(expected) = self.pondered {
                let own = clocks.own.map(|face| face.after(search.time));
                let (clocks, moves) = (Clocks { own, ..*clocks }, [mv, expected]);
                let question = self.position_command.ponder(self.limit, side, &clocks, moves);
                self.pending = engine.ponder(question, Instant::now() + STOP_TIME).err();
            }
        }
        Ok(())
    }

    /// How long the answer to a `go` is waited for, and what it means if it does not come: under node and depth limits the
    /// engine is stuck, by a time or a clock it has lost on time.
    fn deadline(&self, clocks: &Clocks) -> (Duration, Reason) {
        let time_ms = match self.limit {
            MoveLimit::Nodes(_) | MoveLimit::Depth(_) => {
                return (self.launch.timeouts.stall(), Reason::Stall);
            }
            MoveLimit::MoveTimeMs(time_ms) => time_ms,
            MoveLimit::Clock(_) => clocks.own.unwrap_or_default().allowed_ms(),
        };
        (
            Duration::from_millis(time_ms + self.move_margin_ms()),
            Reason::TimeLoss,
        )
    }

    fn move_margin_ms(&self) -> u64 {
        self.launch
            .spec
            .time_margin_ms
            .unwrap_or(self.rules.time_margin_ms)
    }

    /// Stops a search, if there is one, and counts an answer that is late.
    fn stop(&mut self, deadline: Instant) -> Result<(), NoAnswer> {
        let margin = Duration::from_millis(self.move_margin_ms().max(STOP_MARGIN_MS));
        let Some(engine) = &mut self.engine else {
            return Ok(());
        };
        let began = Instant::now();
        let stopped = engine.stop(deadline);
        if began.elapsed() > margin {
            self.warnings.late_stops += 1;
        }
        stopped
    }

    fn fail(&mut self, mut fault: Fault) -> Action<P::Move> {
        self.pondered = None;
        self.pending = None;
        let can_go_on = fault.reason == Reason::TimeLoss && self.wait_for_late_answer(&mut fault);
        if !can_go_on && let Some(engine) = self.engine.take() {
            engine.connection.kill();
        }
        self.faulted(fault.reason, &fault.detail);
        Action::Fault(fault.reason)
    }

    /// Is the missing answer the result of a stop of this process or a sleep of the machine in this game? The engine begins anew then:
    /// nobody knows what it took for a question.
    fn was_suspended(&mut self, fault: &Fault) -> bool {
        let is_silence = matches!(
            fault.reason,
            Reason::Stall | Reason::TimeLoss | Reason::StartFailure
        );
        let was_suspended = is_silence && suspensions() != self.suspensions;
        if was_suspended && let Some(engine) = self.engine.take() {
            engine.connection.kill();
        }
        was_suspended
    }

    /// Lets an engine that was too late finish and says how late it was; false if it does not even stop.
    fn wait_for_late_answer(&mut self, fault: &mut Fault) -> bool {
        let began = Instant::now();
        let stopped = self.engine.is_some() && self.stop(began + STOP_TIME).is_ok();
        let waited_ms = began.elapsed().as_micros().div_ceil(1000).max(1);
        let came = if stopped { "the answer came" } else { "nor" };
        fault.detail += &format!(", {came} {waited_ms} ms after that");
        stopped
    }
}

impl<P: Position> Player<P> for Process<P> {
    fn new_game(&mut self, start: &P, game_seed: u32) {
        let rules = &self.rules;
        self.limit = limit_of_game(rules.limit, rules.node_jitter_percent, game_seed);
        self.position_command.restart(start);
        self.is_chess960 = is_chess960(start);
        self.pondered = None;
        self.pending = None;
        self.suspensions = suspensions();
        self.warnings = EngineWarnings::default();
    }

    fn limit(&self) -> Option<MoveLimit> {
        Some(self.rules.limit)
    }

    fn environment_error(&mut self) -> Option<EnvironmentError> {
        self.environment_error.take()
    }

    fn margin_ms(&self) -> Option<u64> {
        self.launch.spec.time_margin_ms
    }

    fn on_fault(&self) -> FaultPolicy {
        self.launch.spec.on_fault
    }

    fn variation(&self) -> &[u16] {
        &self.variation
    }

    fn comment(&mut self) -> Option<String> {
        self.comment.take()
    }

    fn named(&mut self, pair: u64, index: usize) {
        self.game = format!("pair {} game {}", pair + 1, 2 * pair + index as u64 + 1);
    }

    fn warnings(&self) -> Option<&EngineWarnings> {
        Some(&self.warnings)
    }

    fn faulted(&mut self, reason: Reason, detail: &str) {
        self.rules.faults.add(&self.rules.label, reason, detail);
    }

    fn replayed(&mut self, reason: Reason) {
        self.rules.faults.replayed(&self.rules.label, reason);
    }

    fn think(&mut self, position: &P, _: &Path, clocks: &Clocks) -> Option<Thought<P::Move>> {
        let mut thought = Thought::of(Action::Resign);
        self.variation.clear();
        self.comment = None;
        // Nobody is asked where the game is over; what an engine says there differs.
        if position.count_legal_all() == 0 {
            return Some(thought);
        }
        let is_first = !std::mem::replace(&mut self.position_command.is_begun, true);
        let begun = if is_first { self.begin() } else { Ok(()) };
        // Starting is on nobody's clock.
        let asked = Instant::now();
        match begun.and_then(|()| self.turn(position, clocks, &mut thought)) {
            Ok(()) => {}
            Err(NoAnswer::Fault(fault)) if !self.was_suspended(&fault) => {
                thought.time.get_or_insert_with(|| asked.elapsed());
                thought.action = self.fail(fault);
            }
            Err(no_answer) => {
                self.environment_error = match no_answer {
                    NoAnswer::Fault(_) => Some(EnvironmentError::Suspended),
                    NoAnswer::Environment(environment_error) => Some(environment_error),
                    NoAnswer::Interrupted => None,
                };
                return None;
            }
        }
        Some(thought)
    }

    fn moved(&mut self, mv: P::Move) {
        self.position_command.push(mv);
    }

    fn game_over(&mut self, end: GameEnd) {
        self.end = Some(end);
        // One that ponders needs a core of its own, and under a clock nobody is to wait for a core while another one is free.
        let may_be_near = !self.launch.spec.ponder && !matches!(self.limit, MoveLimit::Clock(_));
        if let Some(engine) = &self.engine {
            self.sharing.end(engine.connection.child.number, may_be_near);
        }
        // Nobody else's time is to be used. One that does not stop is found out when it is to begin the next game.
        let _ = self.stop(Instant::now() + STOP_TIME);
    }

    fn set_options(&mut self, options: &[(String, String)]) -> bool {
        let own = &mut self.launch.spec.options;
        own.retain(|(name, _)| options.iter().all(|(other, _)| other != name));
        own.extend_from_slice(options);
        true
    }
}

fn repeated(text: &str) -> Fault {
    let detail = format!("'bestmove {text}' was sent twice for one search");
    Fault::new(Reason::MalformedBestmove, detail)
}

/// The move that an engine names, and whether the piece of its promotion was in upper case.
fn read_move<P: Position>(
    position: &P,
    text: &str,
    protocol: EngineProtocol,
) -> Result<(P::Move, bool), Fault> {
    // What a move means may depend on the position: castling does.
    let read = |text: &str| position.parse_move(text).or_else(|_| P::Move::parse(text));
    let small = || with_small_promotion(text).filter(|_| protocol == EngineProtocol::Uci);
    read(text).map(|mv| (mv, false)).or_else(|error| {
        let mv = small().and_then(|small| read(&small).ok());
        mv.map(|mv| (mv, true))
            .ok_or_else(|| Fault::new(Reason::MalformedBestmove, error.to_string()))
    })
}

/// A move of UCI with the piece of its promotion in small letters, if that is in capitals.
fn with_small_promotion(text: &str) -> Option<String> {
    let (squares, piece) = text.split_at_checked(4)?;
    let is_capital = piece.len() == 1 && piece.bytes().all(|letter| letter.is_ascii_uppercase());
    is_capital.then(|| squares.to_owned() + &piece.to_ascii_lowercase())
}

/// As [`bits_of`], of moves whose meaning depends on where they are made; from the first illegal one on it does not any more.
fn bits_in<'a, P: Position>(position: &P, words: impl Iterator<Item = &'a str>) -> Vec<u16> {
    let mut position = Some(position.clone());
    let bits = words.map_while(|word| {
        let legal = position
            .as_ref()
            .and_then(|position| position.parse_move(word).ok());
        match (&mut position, legal) {
            (Some(position), Some(mv)) => {
                position.make(mv);
            }
            _ => position = None,
        }
        legal.or_else(|| P::Move::parse(word).ok()).map(GameMove::bits)
    });
    bits.collect()
}

/// How castling is written in `position`, where `text` is the castling of the other kind of chess.
pub(super) fn castling_hint<P: Position>(position: &P, text: &str) -> String {
    let Some(castling) = position.castling_meant(text) else {
        return String::new();
    };
    match is_chess960(position) {
        true => format!("; in Chess960 castling is the king's move onto its rook: {castling}"),
        false => {
            format!("; castling is the king's move of two squares: {castling} (only Chess960 writes {text})")
        }
    }
}

fn bits_of<'a, M: GameMove>(words: impl Iterator<Item = &'a str>) -> impl Iterator<Item = u16> {
    words.map_while(|word| M::parse(word).ok().map(GameMove::bits))
}
