//! Does an engine do what the protocol asks, where it matters for a match?

use std::time::{Duration, Instant};

use tanren_engine::game::{Game, Position, Side};

use super::castling_hint;
use super::engine::{Engine, Launch, NoAnswer, SearchReply};
use super::engine_line::BestMove;
use super::fault::Fault;
use super::fitness::{CHESS960, offers_chess960, probe};
use super::position_command::PositionCommand;
use crate::config::EngineProtocol;
use crate::record::Reason;

/// Time for each move in the checks of time, and how often it is tried.
const MOVE_MS: u64 = 100;
const MOVES: u32 = 5;
/// As the margin of a match.
const MARGIN_MS: u64 = 100;
/// Nodes of the check of determinism.
const NODES: u64 = 2_000;
/// How long a search without an end, or on the opponent's time, must stay silent.
const QUIET: Duration = Duration::from_millis(300);
/// How long an engine may take to stop and to leave.
const STOP: Duration = Duration::from_secs(1);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    pub check: &'static str,
    pub is_passed: bool,
    pub detail: String,
}

/// Asks all questions; later ones are left out when the engine does not start.
pub fn comply<P: Position>(launch: &Launch) -> Result<Vec<Finding>, NoAnswer> {
    let start = || -> Result<Conversation, NoAnswer> {
        let mut engine = Engine::start(launch)?;
        engine.new_game(None, false, launch.timeouts.startup())?;
        let stall = launch.timeouts.stall();
        let white_pov = launch.spec.white_pov;
        Ok(Conversation {
            engine,
            stall,
            white_pov,
        })
    };
    let introduction = probe(launch).and_then(|said| {
        start()?;
        Ok(format!("'{}', {} options", said.name, said.options.len()))
    });
    let starts = introduction.is_ok();
    let mut findings = vec![finding("starts, takes its options and is ready", introduction)?];
    for (check, ask) in checks::<P>().into_iter().filter(|_| starts) {
        // A fresh start each time: what one question breaks must not fail the next.
        findings.push(finding(check, start().and_then(|mut talk| ask(&mut talk)))?);
    }
    Ok(findings)
}

type CheckResult = Result<String, NoAnswer>;

type Check = (&'static str, fn(&mut Conversation) -> CheckResult);

fn checks<P: Position>() -> Vec<Check> {
    let castling: [Check; 2] = [
        ("castles in ordinary chess", castles::<P>),
        ("castles in Chess960", castles_in_chess960::<P>),
    ];
    let of_chess = castling.into_iter().filter(|_| P::GAME == Game::Chess);
    let of_all: [Check; 8] = [
        ("keeps to a time for each move", keeps_time::<P>),
        ("stops when told", stops::<P>),
        ("ponders in silence", ponders::<P>),
        ("answers where a position repeats", answers_repetition::<P>),
        ("answers where there is a mate", answers_mate::<P>),
        ("scores for the side to move", scores_for_mover::<P>),
        ("plays the same again under a node limit", is_deterministic::<P>),
        ("leaves when told", leaves),
    ];
    of_all.into_iter().chain(of_chess).collect()
}

struct Conversation {
    engine: Engine,
    stall: Duration,
    white_pov: bool,
}

impl Conversation {
    /// The move that the engine plays after `moves` from `start`, and what its search cost.
    fn ask<P: Position>(
        &mut self,
        start: &str,
        moves: &[&str],
        go: &str,
    ) -> Result<(String, SearchReply), NoAnswer> {
        let (position, question) = position_of::<P>(start, moves, go);
        let (question, stall) = (question.as_bytes(), self.stall);
        let search = self.engine.think(question, stall, Reason::Stall)?;
        Ok((self.answer_in(&position)?, search))
    }

    /// Lets it search the start position, through which it must stay silent, until it is told otherwise.
    fn search_on<P: Position>(&mut self, go: &str) -> Result<P, NoAnswer> {
        let (position, question) = position_of::<P>("", &[], go);
        self.engine.ponder(question.as_bytes(), Instant::now() + STOP)?;
        self.engine.stay_silent(Instant::now() + QUIET)?;
        Ok(position)
    }

    /// The move that it answered last, which must be one in `position`.
    fn answer_in<P: Position>(&self, position: &P) -> Result<String, NoAnswer> {
        let Ok(BestMove::Move { text, .. }) = self.engine.best() else {
            return Err(wrong(self.engine.answer_quoted()));
        };
        let mv = position.parse_move(text);
        let mv = mv.map_err(|error| wrong(format!("{error}{}", castling_hint(position, text))))?;
        Ok(mv.to_string())
    }

    /// A `go` for a time for each move that every engine of the protocol knows.
    fn timed(&self) -> String {
        match self.engine.protocol {
            EngineProtocol::Usi => format!("go btime 0 wtime 0 byoyomi {MOVE_MS}"),
            EngineProtocol::Uci => format!("go movetime {MOVE_MS}"),
        }
    }
}

fn wrong(detail: String) -> NoAnswer {
    Fault::new(Reason::IllegalMove, detail).into()
}

/// A position after moves that are known to be legal, and the question `go` there.
fn position_of<P: Position>(start: &str, moves: &[&str], go: &str) -> (P, String) {
    let parsed = match start {
        "" => Ok(P::start()),
        _ => P::parse(start),
    };
    let mut position = parsed.unwrap_or_else(|error| unreachable!("{start}: {error}"));
    let mut question = PositionCommand::new(EngineProtocol::Usi);
    question.restart(&position);
    for text in moves {
        let mv = position.parse_move(text);
        let mv = mv.unwrap_or_else(|error| unreachable!("{text}: {error}"));
        position.make(mv);
        question.push(mv);
    }
    (position, format!("{}\n{go}\n", question.text()))
}

fn keeps_time<P: Position>(talk: &mut Conversation) -> CheckResult {
    let go = talk.timed();
    let mut longest = Duration::ZERO;
    for _ in 0..MOVES {
        let (_, search) = talk.ask::<P>("", &[], &go)?;
        longest = longest.max(search.time);
    }
    let detail = format!(
        "{} ms at most of {MOVE_MS} ms and a margin of {MARGIN_MS} ms, in {MOVES} moves",
        longest.as_millis()
    );
    if longest > Duration::from_millis(MOVE_MS + MARGIN_MS) {
        return Err(Fault::new(Reason::TimeLoss, detail).into());
    }
    Ok(detail)
}

fn stops<P: Position>(talk: &mut Conversation) -> CheckResult {
    let position = talk.search_on::<P>("go infinite")?;
    let asked = Instant::now();
    talk.engine.stop(asked + STOP)?;
    let waited_ms = asked.elapsed().as_millis();
    let best = talk.answer_in(&position)?;
    Ok(format!("plays {best} within {waited_ms} ms"))
}

fn ponders<P: Position>(talk: &mut Conversation) -> CheckResult {
    let position = talk.search_on::<P>(&talk.timed().replacen("go", "go ponder", 1))?;
    let asked = Instant::now();
    talk.engine.connection.send(b"ponderhit\n", asked + STOP)?;
    let deadline = asked + Duration::from_millis(MOVE_MS + MARGIN_MS);
    let search = talk.engine.wait_for_answer(asked, deadline, Reason::TimeLoss)?;
    let (best, waited_ms) = (talk.answer_in(&position)?, search.time.as_millis());
    Ok(format!("plays {best} {waited_ms} ms after ponderhit"))
}

fn answers_repetition<P: Position>(talk: &mut Conversation) -> CheckResult {
    let cycle = match P::GAME {
        Game::Shogi => ["2h3h", "8b7b", "3h2h", "7b8b"],
        Game::Chess => ["g1f3", "g8f6", "f3g1", "f6g8"],
    };
    let go = talk.timed();
    // The start position has stood once more than the cycle was played.
    let moves = cycle.repeat(P::REPETITIONS - 2);
    let (best, _) = talk.ask::<P>("", &moves, &go)?;
    Ok(format!("plays {best}"))
}

fn answers_mate<P: Position>(talk: &mut Conversation) -> CheckResult {
    let start = match P::GAME {
        Game::Shogi => "4k4/9/4P4/9/9/9/9/9/4K4 b G 1",
        Game::Chess => "6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1",
    };
    let go = talk.timed();
    let (best, search) = talk.ask::<P>(start, &[], &go)?;
    let (after, _) = position_of::<P>(start, &[&best], "");
    let what = if after.count_legal_all() == 0 {
        "mates by"
    } else {
        "does not mate but plays"
    };
    Ok(format!("{what} {best} after {} ms", search.time.as_millis()))
}

/// A position that the second side has lost, with either side to move.
fn scores_for_mover<P: Position>(talk: &mut Conversation) -> CheckResult {
    let (names, starts) = match P::GAME {
        Game::Shogi => (
            ["Sente", "Gote"],
            ["b", "w"].map(|side| format!("4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL {side} - 1")),
        ),
        Game::Chess => (
            ["White", "Black"],
            ["w", "b"].map(|side| format!("6k1/5ppp/8/8/8/8/5PPP/QR4K1 {side} - - 0 1")),
        ),
    };
    let go = talk.timed();
    let mut scores = [None; 2];
    for (score, start) in scores.iter_mut().zip(&starts) {
        *score = talk.ask::<P>(start, &[], &go)?.1.info.score;
    }
    let [Some(first), Some(second)] = scores else {
        return Ok("gives no score".to_owned());
    };
    let second = if talk.white_pov {
        second.from_first_side(Side::Second)
    } else {
        second
    };
    let detail = format!(
        "{first} with {} to move, {second} with {} to move, who is lost",
        names[0], names[1]
    );
    match [first, second].map(|score| score.leader(100)) {
        [1, -1] => Ok(detail),
        [1, 1] if P::GAME == Game::Chess => Err(wrong(format!(
            "{detail}: these are White's, not the side to move's (white_pov=on turns them)"
        ))),
        [1, 1] => Err(wrong(format!(
            "{detail}: these are Sente's, not the side to move's"
        ))),
        [-1, -1] => Err(wrong(format!(
            "{detail}: these are {}'s, not the side to move's",
            names[1]
        ))),
        [-1, 1] => Err(wrong(format!(
            "{detail}: these are the opponent's, not the side to move's"
        ))),
        _ => Ok(format!("{detail}: too near 0 to tell")),
    }
}

fn castles<P: Position>(talk: &mut Conversation) -> CheckResult {
    // Castling mates, and nothing else does.
    let start = "8/3B4/8/4Q3/8/5k2/8/4K2R w K - 0 1";
    castles_from::<P>(talk, start, "e1g1", "6k1/5ppp/8/8/8/8/8/4K2R w K - 0 1")
}

fn castles_in_chess960<P: Position>(talk: &mut Conversation) -> CheckResult {
    if !offers_chess960(&talk.engine.introduction.options) {
        return Ok(format!("it has no option {CHESS960}: only ordinary chess"));
    }
    talk.engine.new_game(None, true, talk.stall)?;
    // Castling is the only legal move.
    let start = "5r1k/8/8/8/8/7p/7P/6KR w H - 0 1";
    castles_from::<P>(talk, start, "g1h1", start)
}

/// Asks at `start`, where `castling` is best, and once more after it was played at `other`.
fn castles_from<P: Position>(
    talk: &mut Conversation,
    start: &str,
    castling: &str,
    other: &str,
) -> CheckResult {
    let go = talk.timed();
    let (best, _) = talk.ask::<P>(start, &[], &go)?;
    let (reply, _) = talk.ask::<P>(other, &[castling], &go)?;
    let what = if best == castling {
        "castles by"
    } else {
        "does not castle but plays"
    };
    Ok(format!("{what} {best}, and answers {castling} by {reply}"))
}

fn is_deterministic<P: Position>(talk: &mut Conversation) -> CheckResult {
    let go = format!("go nodes {NODES}");
    let mut seen = Vec::new();
    for _ in 0..2 {
        let (best, search) = talk.ask::<P>("", &[], &go)?;
        seen.push((best, search.info.nodes));
        talk.engine.new_game(None, false, talk.stall)?;
    }
    if seen[0] != seen[1] {
        return Err(wrong(format!("first {:?}, then {:?}", seen[0], seen[1])));
    }
    let nodes = seen[0]
        .1
        .map_or_else(|| "an unknown number of".to_owned(), |nodes| nodes.to_string());
    Ok(format!("{} with {nodes} nodes of {NODES}", seen[0].0))
}

fn leaves(talk: &mut Conversation) -> CheckResult {
    let asked = Instant::now();
    talk.engine.connection.quit(asked + STOP)?;
    Ok(format!("within {} ms", asked.elapsed().as_millis()))
}

fn finding(check: &'static str, answer: CheckResult) -> Result<Finding, NoAnswer> {
    let (is_passed, detail) = match answer {
        Ok(detail) => (true, detail),
        // Its detail says what is wrong with a move, and what is wrong here need not be one.
        Err(NoAnswer::Fault(fault)) if fault.reason == Reason::IllegalMove => (false, fault.detail),
        Err(NoAnswer::Fault(fault)) => (false, fault.to_string()),
        Err(no_answer) => return Err(no_answer),
    };
    Ok(Finding {
        check,
        is_passed,
        detail,
    })
}
