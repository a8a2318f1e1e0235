//! One function a parser, for `fuzz/`.
//!
//! In: anything. Out: nothing; a text is understood or refused, and what was understood reads back.

use tanren_engine::chess;
use tanren_engine::game::{Game, Position};
use tanren_engine::shogi;

use crate::config::{DrawRule, EngineProtocol, FaultPolicy, PlayerSpec, ResignRule, parse_sprt, sprt_text};
#[cfg(feature = "cluster")]
use crate::kinds::nodes;
use crate::kinds::queue::Queue;
use crate::kinds::tune::optimizer::Space;
#[cfg(feature = "cluster")]
use crate::ledger;
use crate::record::{GameRecord, Packed, PlayerId, Reason};
use crate::session::kind::Experiment;
use crate::{openings, player, report};

/// What messages call the text.
const ORIGIN: &str = "fuzz";

fn game(selector: u8) -> Game {
    if selector & 1 == 0 {
        Game::Shogi
    } else {
        Game::Chess
    }
}

/// A suite of openings.
pub fn suite(selector: u8, text: &str) {
    match game(selector) {
        Game::Shogi => suite_of::<shogi::Board>(text),
        Game::Chess => suite_of::<chess::Board>(text),
    }
}

fn suite_of<P: Position>(text: &str) {
    if let Ok(suite) = openings::parse::<P>(text, ORIGIN) {
        let lines: Vec<String> = suite
            .openings
            .iter()
            .map(|opening| opening.position().to_string())
            .collect();
        let again = openings::parse::<P>(&lines.join("\n"), ORIGIN).map(|suite| suite.openings.len());
        assert_eq!(again.ok(), Some(suite.openings.len()));
    }
    drop(openings::Book::of_lines(text, ORIGIN).wrong::<P>());
}

pub fn pgn(bytes: &[u8]) {
    book::<chess::Board>(bytes, "x.pgn");
}

/// A book of Polyglot.
pub fn polyglot(bytes: &[u8]) {
    book::<chess::Board>(bytes, "x.bin");
}

/// Games of shogi in KIF.
pub fn kif(bytes: &[u8]) {
    book::<shogi::Board>(bytes, "x.kif");
}

/// Games of shogi in CSA.
pub fn csa(bytes: &[u8]) {
    book::<shogi::Board>(bytes, "x.csa");
}

/// A book of YaneuraOu.
pub fn yaneuraou(bytes: &[u8]) {
    book::<shogi::Board>(bytes, "x.db");
}

/// The first byte says how many plies of it are played.
fn book<P: Position>(bytes: &[u8], name: &str) {
    if let Some((&plies, bytes)) = bytes.split_first() {
        openings::fuzz_book::<P>(bytes, name, (plies < 200).then_some(u32::from(plies) % 12));
    }
}

/// The file of a machine of a fleet.
#[cfg(feature = "cluster")]
pub fn machine(text: &str) {
    use crate::fleet::{CoordinatorFile, WorkerFile, parse_file};
    if let Ok(worker) = parse_file::<WorkerFile>(text, ORIGIN) {
        let pair = worker.seed.key_pair().map(|pair| pair.public_key());
        assert!(pair.is_ok_and(|key| key.starts_with('U')));
    }
    if let Ok(coordinator) = parse_file::<CoordinatorFile>(text, ORIGIN) {
        assert!(coordinator.workers.keys().all(|name| name.len() <= 32));
    }
}

/// What comes over the network.
#[cfg(feature = "cluster")]
pub fn message(bytes: &[u8]) {
    crate::fleet::fuzz_message(bytes);
    if let Some(finished) = ledger::decode(bytes) {
        assert_eq!(ledger::encode(&finished), bytes);
        if let crate::record::Finished::Search(search) = finished {
            nodes::fuzz_check(&search, &shogi::Board::start());
            nodes::fuzz_check(&search, &chess::Board::start());
        }
    }
}

/// A player. Files are not looked for.
pub fn player(selector: u8, text: &str) {
    if text.contains('@') {
        return;
    }
    let game = game(selector);
    if let Ok(player) = PlayerSpec::parse(game, "a", text) {
        let again = PlayerSpec::parse(game, "a", &player.text());
        assert_eq!(
            again.map(|again| again.kind).ok().as_ref(),
            Some(&player.kind),
            "{}",
            player.text()
        );
    }
}

pub fn sprt(text: &str) {
    if let Ok(sprt) = parse_sprt(text) {
        assert_eq!(parse_sprt(&sprt_text(&sprt)).as_ref(), Ok(&sprt));
    }
}

/// A space of a tuning.
pub fn space(text: &str) {
    if let Ok(space) = Space::parse(text, ORIGIN, None) {
        let again = Space::parse(&space.lines(), ORIGIN, None);
        assert_eq!(again.ok().as_ref(), Some(&space));
    }
}

/// Rules of adjudication and faults.
pub fn rules(text: &str) {
    if let Ok(rule) = text.parse::<ResignRule>() {
        assert_eq!(rule.to_string().parse().as_ref(), Ok(&rule));
    }
    if let Ok(rule) = text.parse::<DrawRule>() {
        assert_eq!(rule.to_string().parse().as_ref(), Ok(&rule));
    }
    if let Ok(policy) = text.parse::<FaultPolicy>() {
        assert_eq!(policy.to_string().parse().as_ref(), Ok(&policy));
    }
}

pub fn queue(text: &str) {
    let _ = Queue::is_queue(text);
    if let Ok(queue) = Queue::parse(text, ORIGIN) {
        assert!(!queue.jobs().is_empty());
    }
}

/// The file of a run. Files that it names are not looked for.
pub fn specification(text: &str) {
    if !text.contains('@') {
        drop(Experiment::from_toml(text));
    }
}

/// What an engine says. The low bits say which game, the others how the stream is cut.
pub fn engine_lines(selector: u8, bytes: &[u8]) {
    let chunk = usize::from(selector >> 1) * 7 + 1;
    match game(selector) {
        Game::Shogi => player::fuzz_lines::<shogi::Board>(EngineProtocol::Usi, bytes, chunk),
        Game::Chess => player::fuzz_lines::<chess::Board>(EngineProtocol::Uci, bytes, chunk),
    }
}

/// An option as an engine announces it in the first line, and the value that it is to have in the second.
pub fn engine_option(text: &str) {
    let (option, value) = text.split_once('\n').unwrap_or((text, ""));
    player::fuzz_option(option, value);
}

/// The blobs of a game, which a damaged ledger may hold, and its records: three lengths, then the bytes.
pub fn stored_game(selector: u8, bytes: &[u8]) {
    let Some((&[moves, turns], rest)) = bytes.split_first_chunk() else {
        return;
    };
    let (moves, rest) = rest.split_at(rest.len().min(2 * usize::from(moves)));
    let (turns, variations) = rest.split_at(rest.len().min(usize::from(turns)));
    let parts = (read_back(moves), read_back(turns), read_back(variations));
    let (Some(moves), Some(turns), Some(variations)) = parts else {
        return;
    };
    let record = GameRecord {
        moves,
        turns,
        variations,
        ..empty_game()
    };
    let (game, opening) = match game(selector) {
        Game::Shogi => (Game::Shogi, shogi::Board::start().to_string()),
        Game::Chess => (Game::Chess, chess::Board::start().to_string()),
    };
    report::fuzz_records(game, &opening, &record, "a");
}

fn read_back<T: Packed + PartialEq + std::fmt::Debug>(bytes: &[u8]) -> Option<T> {
    let found = T::of_bytes(bytes)?;
    assert_eq!(T::of_bytes(&found.to_bytes()).as_ref(), Some(&found));
    Some(found)
}

/// A record of a game whose players are called `name`.
pub fn names(name: &str) {
    for game in [Game::Shogi, Game::Chess] {
        report::fuzz_records(game, "startpos", &empty_game(), name);
    }
}

fn empty_game() -> GameRecord {
    GameRecord {
        reason: Reason::MaxPlies,
        ..GameRecord::unplayed(PlayerId::A, 0)
    }
}
