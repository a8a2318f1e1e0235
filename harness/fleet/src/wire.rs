//! What machines of a fleet say to each other. Whatever bytes come, every part of a message is within its bounds; who sent it, and whether
//! it is true, is not known here.

use std::collections::BTreeMap;

use nkeys::KeyPair;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::ledger::PACKET_BYTES_MAX;
use crate::play::LiveGame;
use crate::record::{Origin, TimeScale};
use crate::runner::UnitTask;

/// A server takes no larger message by default.
pub(super) const MESSAGE_BYTES_MAX: usize = 1 << 20;
pub(super) const JOB_PAIRS_MAX: usize = 256;
const OPENING_BYTES_MAX: usize = 1 << 10;
const NAME_BYTES_MAX: usize = 64;
pub(super) const GAMES_MAX: usize = 4;
const GAME_BYTES_MAX: usize = 1 << 14;
pub(super) const UNREADY_MAX: usize = 8;
/// Of a reason why a machine does not play.
const REASON_CHARS_MAX: usize = 512;
/// The length of an Ed25519 signature.
const SIGNATURE_BYTES: usize = 64;

/// Pairs to be played at one table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    pub run: String,
    /// Players and conditions, as the keys of a match.
    pub table: String,
    pub pairs: Vec<JobPair>,
    /// Of timed games: the speed that the limits are meant for; 0 if they are meant for every machine.
    pub reference_nps: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JobPair {
    pub pair: u64,
    /// Which of the run's players are A and B.
    pub players: [u16; 2],
    pub seeds: [u32; 2],
    /// The opening's line in its file.
    pub line: u32,
    pub opening: String,
}

impl JobPair {
    pub fn of(task: &UnitTask) -> JobPair {
        JobPair {
            pair: task.plan.pair,
            players: task.plan.players,
            seeds: task.plan.seeds,
            line: task.opening_line,
            opening: task.opening.clone(),
        }
    }
}

/// What a coordinator says of its run, again and again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Announcement {
    pub run: String,
    pub class: String,
    pub is_over: bool,
    /// The digests of the engines that it takes, by name.
    pub engines: BTreeMap<String, String>,
    /// Pairs that are being played or waited for.
    pub in_flight: u64,
    pub distrusted: Vec<String>,
}

impl Announcement {
    /// Runs of a higher one are played first.
    pub fn priority(&self) -> u8 {
        priority_of(&self.class)
    }
}

/// What a worker says of itself, again and again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Heartbeat {
    pub name: String,
    /// Of the process, drawn when it began: 16 hexadecimal digits.
    pub session: String,
    /// How long the process has run.
    pub age_ms: u64,
    pub version: String,
    /// What the built-in engine does on it: other than the coordinator's, and it gets no jobs.
    pub engine: String,
    pub cpu: String,
    pub slots: u32,
    pub busy: u32,
    /// Pairs finished since it began.
    pub pairs: u64,
    /// Nodes in a second of its built-in engine on one slot, all slots at work; 0 if it plays no timed games.
    pub nps: u64,
    pub is_leaving: bool,
    /// Some of the games in progress.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub games: Vec<GameOfRun>,
    /// Runs that it has no part in, or not yet.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unready: Vec<Unready>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unready {
    pub run: String,
    pub why: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameOfRun {
    pub run: String,
    pub game: LiveGame,
}

/// A finished pair as it travels.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignedPair {
    /// The machine that says that it played it.
    pub worker: String,
    pub elapsed_ms: u64,
    /// What time was worth there, of timed games.
    pub pace: Option<TimeScale>,
    /// The signature of [`signed_bytes`].
    pub signature: Vec<u8>,
    pub packet: Vec<u8>,
}

/// What a worker signs: this pair is of this run, played at the table of this digest and at this pace.
pub fn signed_bytes(run: &str, table_digest: &str, pace: Option<TimeScale>, packet: &[u8]) -> Vec<u8> {
    let pace = pace.map_or_else(String::new, |pace| {
        format!(" {} {}", pace.nps, pace.reference_nps)
    });
    let head = format!("tanren pair\n{run}\n{table_digest}{pace}\n");
    [head.as_bytes(), packet].concat()
}

/// Did the machine of this key sign `packet` as a pair or a search of `run`?
pub fn is_signed(run: &str, packet: &[u8], by: &Origin) -> bool {
    KeyPair::from_public_key(&by.host.key).is_ok_and(|key| {
        let signed = signed_bytes(run, &by.table, by.pace, packet);
        key.verify(&signed, &by.signature).is_ok()
    })
}

impl SignedPair {
    pub fn to_bytes(&self) -> Vec<u8> {
        postcard::to_stdvec(self).unwrap_or_else(|error| unreachable!("a result is plain data: {error}"))
    }

    pub fn of_bytes(bytes: &[u8]) -> Option<SignedPair> {
        if bytes.len() > PACKET_BYTES_MAX + 256 {
            return None;
        }
        let (result, rest): (SignedPair, &[u8]) = postcard::take_from_bytes(bytes).ok()?;
        // What a ledger can hold.
        let is_speed = |nps: u64| nps > 0 && i64::try_from(nps).is_ok();
        let is_pace = |pace: TimeScale| is_speed(pace.nps) && is_speed(pace.reference_nps);
        (rest.is_empty() && is_name(&result.worker) && result.pace.is_none_or(is_pace)).then_some(result)
    }
}

/// A bounded message in JSON.
pub(super) trait Message: Serialize + for<'de> Deserialize<'de> {
    fn is_within_bounds(&self) -> bool;

    fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_else(|error| unreachable!("a message is plain data: {error}"))
    }

    fn of_bytes(bytes: &[u8]) -> Option<Self> {
        if bytes.len() > MESSAGE_BYTES_MAX {
            return None;
        }
        let message: Self = serde_json::from_slice(bytes).ok()?;
        message.is_within_bounds().then_some(message)
    }
}

impl Message for Job {
    /// Whose signature stands before it is believed in all else.
    fn is_within_bounds(&self) -> bool {
        is_run(&self.run) && !self.pairs.is_empty()
    }
}

impl Message for Announcement {
    fn is_within_bounds(&self) -> bool {
        is_run(&self.run) && is_name(&self.class)
    }
}

impl Heartbeat {
    /// Where the machine of this name says it; no other may write there.
    pub(super) fn subject(name: &str) -> String {
        format!("tanren.here.{name}")
    }

    /// What came at `subject`, unless it is said of another machine.
    pub(super) fn of_message(subject: &str, payload: &[u8]) -> Option<Heartbeat> {
        let heartbeat = Heartbeat::of_bytes(payload)?;
        (subject == Heartbeat::subject(&heartbeat.name)).then_some(heartbeat)
    }
}

impl Message for Heartbeat {
    fn is_within_bounds(&self) -> bool {
        let is_short = |game: &GameOfRun| {
            is_run(&game.run)
                && game.game.game.len() <= NAME_BYTES_MAX
                && game.game.opening.len() <= OPENING_BYTES_MAX
                && game.game.moves.len() <= GAME_BYTES_MAX
        };
        let is_reason = |unready: &Unready| is_run(&unready.run) && unready.why.len() <= 4 * REASON_CHARS_MAX;
        is_name(&self.name)
            && is_run(&self.session)
            && self.version.len() <= 64
            && self.engine.len() <= 64
            && self.cpu.len() <= 256
            && self.slots <= 4096
            && self.busy <= self.slots
            && self.games.len() <= GAMES_MAX
            && self.games.iter().all(is_short)
            && self.unready.len() <= UNREADY_MAX
            && self.unready.iter().all(is_reason)
    }
}

impl Unready {
    pub(super) fn new(run: &str, why: &str) -> Unready {
        Unready {
            run: run.to_owned(),
            why: why.chars().take(REASON_CHARS_MAX).collect(),
        }
    }
}

/// The name of a machine or of a class: it can be a part of a subject and of a file's name.
pub(super) fn is_name(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    (1..=NAME_BYTES_MAX).contains(&text.len()) && text.bytes().all(is_plain)
}

/// The name of a run or of a session: 16 hexadecimal digits.
pub(super) fn is_run(text: &str) -> bool {
    text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// `payload` behind its signature.
pub fn signed(key: &KeyPair, payload: &[u8]) -> Result<Vec<u8>, nkeys::error::Error> {
    Ok([&key.sign(payload)?, payload].concat())
}

/// What [`signed`] was given, if the holder of `key` did it.
pub(super) fn unsigned<'a>(key: &KeyPair, bytes: &'a [u8]) -> Option<&'a [u8]> {
    let (signature, payload) = bytes.split_at_checked(SIGNATURE_BYTES)?;
    key.verify(payload, signature).is_ok().then_some(payload)
}

/// 16 hexadecimal digits of SHA-256.
pub fn digest_of(text: &str) -> String {
    let digest = Sha256::digest(text);
    digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// The last part of the name of a class of timed games.
const TIMED: &str = "-timed";
pub(super) const PRIORITIES: usize = 10;

/// The class of a run's jobs. `engine` stands for what the built-in engine does and for [`FORMAT`](crate::ledger::FORMAT): machines of two formats share
/// no jobs. Those machines take them whose built-in engine does the same, who have the same other engines and, for
/// timed games, whose speed is known.
pub(super) fn class_of(
    priority: u8,
    engine: &str,
    engines: &BTreeMap<String, String>,
    is_timed: bool,
) -> String {
    let mut class = format!("{priority}-{engine}");
    if !engines.is_empty() {
        let listed = engines.iter().map(|(name, digest)| format!("{name} {digest}\n"));
        class = format!("{class}-{}", digest_of(&listed.collect::<String>()));
    }
    if is_timed {
        class += TIMED;
    }
    class
}

pub(super) fn is_timed_class(class: &str) -> bool {
    class.ends_with(TIMED)
}

pub(super) fn priority_of(class: &str) -> u8 {
    let priority = class.split('-').next().and_then(|number| number.parse().ok());
    priority.unwrap_or(0).min(PRIORITIES as u8 - 1)
}

pub(super) fn engine_of(class: &str) -> Option<&str> {
    class.split('-').nth(1)
}

/// Reads `bytes` as every message, for fuzzing: what is understood reads back.
#[cfg(feature = "fuzzing")]
pub fn fuzz_message(bytes: &[u8]) {
    fn reads_back<M: Message + PartialEq + std::fmt::Debug>(bytes: &[u8]) {
        if let Some(message) = M::of_bytes(bytes) {
            assert_eq!(M::of_bytes(&message.to_bytes()).as_ref(), Some(&message));
        }
    }
    reads_back::<Job>(bytes);
    reads_back::<Announcement>(bytes);
    reads_back::<Heartbeat>(bytes);
    if let Some(result) = SignedPair::of_bytes(bytes) {
        assert_eq!(SignedPair::of_bytes(&result.to_bytes()).as_ref(), Some(&result));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn job() -> Job {
        Job {
            run: "0123456789abcdef".to_owned(),
            table: "a = \"base\"".to_owned(),
            pairs: vec![JobPair {
                pair: 7,
                players: [0, 1],
                seeds: [1, 2],
                line: 3,
                opening: "startpos".to_owned(),
            }],
            reference_nps: Some(6),
        }
    }

    #[test]
    fn the_format_number_names_what_jobs_and_results_look_like() {
        let result = SignedPair {
            worker: "w".to_owned(),
            elapsed_ms: 8,
            pace: Some(TimeScale {
                nps: 5,
                reference_nps: 6,
            }),
            signature: b"S".to_vec(),
            packet: b"P".to_vec(),
        };
        let text = r#"{"run":"0123456789abcdef","table":"a = \"base\"","pairs":[{"pair":7,"players":[0,1],"seeds":[1,2],"line":3,"opening":"startpos"}],"reference_nps":6}"#;
        let said = String::from_utf8(job().to_bytes()).unwrap();
        assert_eq!((crate::ledger::FORMAT, &*said), (8, text));
        assert_eq!(result.to_bytes(), b"\x01w\x08\x01\x05\x06\x01S\x01P");
        assert_eq!(Job::of_bytes(text.as_bytes()), Some(job()));
    }

    #[test]
    fn what_is_out_of_bounds_is_no_message() {
        let broken: [fn(&mut Job); 3] = [
            |job| job.run = "0123456789abcdeg".to_owned(),
            |job| job.run.clear(),
            |job| job.pairs.clear(),
        ];
        for break_it in broken {
            let mut job = job();
            break_it(&mut job);
            assert_eq!(Job::of_bytes(&job.to_bytes()), None, "{job:?}");
        }
        for bad in ["", "a.b", "*", ">", "a b", "../a", "a\n", &"a".repeat(65)] {
            assert!(!is_name(bad), "{bad:?}");
        }
    }

    #[test]
    fn a_machine_says_nothing_of_another_one() {
        let heartbeat = Heartbeat {
            name: "one".to_owned(),
            session: "0123456789abcdef".to_owned(),
            age_ms: 1,
            version: String::new(),
            engine: String::new(),
            cpu: String::new(),
            slots: 1,
            busy: 0,
            pairs: 0,
            nps: 0,
            is_leaving: true,
            games: Vec::new(),
            unready: Vec::new(),
        };
        let bytes = heartbeat.to_bytes();
        assert_eq!(Heartbeat::of_message("tanren.here.one", &bytes), Some(heartbeat));
        assert_eq!(Heartbeat::of_message("tanren.here.other", &bytes), None);
    }

    #[test]
    fn only_what_the_holder_of_the_key_signed_is_read() {
        let [own, other] = [KeyPair::new_user(), KeyPair::new_user()];
        let mut bytes = signed(&own, b"play").unwrap();
        assert_eq!(unsigned(&own, &bytes), Some(&b"play"[..]));
        assert_eq!((unsigned(&other, &bytes), unsigned(&own, b"play")), (None, None));
        bytes.push(b'!');
        assert_eq!(unsigned(&own, &bytes), None);
    }

    #[test]
    fn a_class_names_its_priority_and_engine() {
        let engines = BTreeMap::from([("fairy".to_owned(), "0".to_owned())]);
        let class = class_of(7, "0123456789abcdef", &engines, true);
        assert_eq!(
            (priority_of(&class), engine_of(&class)),
            (7, Some("0123456789abcdef"))
        );
        assert!(is_name(&class) && is_timed_class(&class));
    }

    proptest! {
        #[test]
        fn no_bytes_are_too_strange(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let _ = (SignedPair::of_bytes(&bytes), Job::of_bytes(&bytes), Heartbeat::of_bytes(&bytes));
        }
    }
}
