//! What machines of a fleet say to each other.
//!
//! In: bytes of anybody. Out: messages whose every part is within its bounds; their bytes. Must not: say who sent them, or whether
//! they are true.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::class::parts_of_class;
use super::digest::digest_of;
use crate::ledger::PACKET_BYTES_MAX;
use crate::play::LiveGame;
use crate::record::Pace;
use crate::runner::Task;

/// A server takes no larger message by default.
pub(super) const MESSAGE_BYTES_MAX: usize = 1 << 20;
/// Pairs of one job.
pub(super) const JOB_PAIRS_MAX: usize = 256;
/// The keys of a match that decide how a pair is played.
const TABLE_BYTES_MAX: usize = 1 << 16;
const OPENING_BYTES_MAX: usize = 1 << 10;
const NAME_BYTES_MAX: usize = 64;
/// Games in progress that a machine tells of at a time.
pub(super) const GAMES_MAX: usize = 4;
const GAME_BYTES_MAX: usize = 1 << 14;
/// Of an Ed25519 signature.
pub(super) const SIGNATURE_BYTES: usize = 64;

/// The header of a job with the coordinator's signature over it, in hexadecimal digits.
pub(super) const SIGNATURE_HEADER: &str = "Tanren-Signature";

/// Pairs to be played at one table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// The run that they belong to.
    pub run: String,
    /// Players and conditions, as the keys of a match.
    pub table: String,
    /// The pairs.
    pub pairs: Vec<JobPair>,
    /// Are they played already, by this machine, and is that to be checked by another one?
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audit_of: Option<String>,
    /// Of games by time: nodes in a second of the machine that the limits are meant for; 0 if they are meant for every machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference_nps: Option<u64>,
}

/// One pair of a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JobPair {
    /// Place in the schedule.
    pub pair: u64,
    /// Which of the run's players sit at A's and at B's place.
    pub players: [u16; 2],
    /// One seed a game.
    pub seeds: [u32; 2],
    /// The opening's line in its file.
    pub line: u32,
    /// The opening.
    pub opening: String,
}

impl JobPair {
    /// What is to be told of `task`, apart from its table.
    pub fn of(task: &Task) -> JobPair {
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
    /// The run.
    pub run: String,
    /// Whom its jobs are for.
    pub class: String,
    /// Are there none any more?
    pub is_over: bool,
    /// The digests of the engines that it takes, by name.
    #[serde(default)]
    pub engines: BTreeMap<String, String>,
    /// Pairs that are being played or waited for.
    pub in_flight: u64,
    /// Machines that are not believed any more.
    #[serde(default)]
    pub distrusted: Vec<String>,
}

impl Announcement {
    /// Runs of a higher one are played first.
    pub fn priority(&self) -> u8 {
        parts_of_class(&self.class).map_or(0, |(priority, _)| priority)
    }
}

/// What a worker says of itself, again and again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Here {
    /// As its file names it.
    pub name: String,
    /// Of the program.
    pub version: String,
    /// What the built-in engine does on it: other than the coordinator's, and it gets no jobs.
    pub engine: String,
    /// Its processor.
    pub cpu: String,
    /// Pairs that it plays at the same time.
    pub slots: u32,
    /// Pairs that it plays now.
    pub busy: u32,
    /// Pairs finished since it began.
    pub pairs: u64,
    /// Nodes in a second of its built-in engine on one slot, all slots at work; 0 if it plays no games by time.
    pub nps: u64,
    /// Is it about to go?
    pub is_leaving: bool,
    /// Some of the games that it plays, for who would like to see them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub games: Vec<ShownGame>,
}

/// A game in progress.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShownGame {
    /// The run that it is of.
    pub run: String,
    /// As it stood a moment ago.
    pub game: LiveGame,
}

impl ShownGame {
    fn is_sound(&self) -> bool {
        is_run(&self.run)
            && self.game.game.len() <= NAME_BYTES_MAX
            && self.game.opening.len() <= OPENING_BYTES_MAX
            && self.game.moves.len() <= GAME_BYTES_MAX
    }
}

/// A finished pair as it travels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairResult {
    /// The machine that says that it played it.
    pub worker: String,
    /// How long it took there.
    pub elapsed_ms: u64,
    /// What time was worth there, of games by time.
    pub pace: Option<Pace>,
    /// Of [`signed_bytes`].
    pub signature: [u8; SIGNATURE_BYTES],
    /// The pair, as [`encode`](crate::ledger::encode) gives it.
    pub packet: Vec<u8>,
}

/// What a worker puts its signature to: this pair is of this run, played at this table and this pace.
pub fn signed_bytes(run: &str, table: &str, pace: Option<Pace>, packet: &[u8]) -> Vec<u8> {
    signed_bytes_at(run, &digest_of(table), pace, packet)
}

/// As [`signed_bytes`], of the digest of the table.
pub(super) fn signed_bytes_at(run: &str, table_digest: &str, pace: Option<Pace>, packet: &[u8]) -> Vec<u8> {
    let pace = pace.map(|pace| format!(" {} {}", pace.nps, pace.reference_nps));
    let head = format!("tanren pair\n{run}\n{table_digest}{}\n", pace.unwrap_or_default());
    [head.as_bytes(), packet].concat()
}

impl PairResult {
    /// As bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let pace = self
            .pace
            .map(|pace| format!(" {} {}", pace.nps, pace.reference_nps));
        let head = format!(
            "{} {}{}\n",
            self.worker,
            self.elapsed_ms,
            pace.unwrap_or_default()
        );
        [head.as_bytes(), &self.signature, &self.packet].concat()
    }

    /// From bytes; `None` if they are none.
    pub fn of_bytes(bytes: &[u8]) -> Option<PairResult> {
        if bytes.len() > PACKET_BYTES_MAX + 256 {
            return None;
        }
        let end = bytes.iter().take(128).position(|&byte| byte == b'\n')?;
        let head = std::str::from_utf8(&bytes[..end]).ok()?;
        let (worker, numbers) = head.split_once(' ')?;
        let (signature, packet) = bytes[end + 1..].split_first_chunk::<SIGNATURE_BYTES>()?;
        let numbers: Vec<u64> = numbers.split(' ').map(whole_number).collect::<Option<_>>()?;
        let (elapsed_ms, pace) = match numbers[..] {
            [elapsed_ms] => (elapsed_ms, None),
            [elapsed_ms, nps, reference_nps] if nps > 0 && reference_nps > 0 => {
                (elapsed_ms, Some(Pace { nps, reference_nps }))
            }
            _ => return None,
        };
        is_name(worker).then_some(PairResult {
            worker: worker.to_owned(),
            elapsed_ms,
            pace,
            signature: *signature,
            packet: packet.to_vec(),
        })
    }
}

/// A number as this program writes it, within what a ledger can hold.
fn whole_number(text: &str) -> Option<u64> {
    let number: u64 = text.parse().ok()?;
    (number.to_string() == text && i64::try_from(number).is_ok()).then_some(number)
}

/// A message in JSON that is bounded and says nothing that cannot be.
pub(super) trait Message: Serialize + for<'de> Deserialize<'de> {
    /// Is every part of it within its bounds?
    fn is_sound(&self) -> bool;

    /// As bytes.
    fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_else(|error| unreachable!("a message is plain data: {error}"))
    }

    /// From bytes; `None` if they are none.
    fn of_bytes(bytes: &[u8]) -> Option<Self> {
        if bytes.len() > MESSAGE_BYTES_MAX {
            return None;
        }
        let message: Self = serde_json::from_slice(bytes).ok()?;
        message.is_sound().then_some(message)
    }
}

impl Message for Job {
    fn is_sound(&self) -> bool {
        is_run(&self.run)
            && self.table.len() <= TABLE_BYTES_MAX
            && (1..=JOB_PAIRS_MAX).contains(&self.pairs.len())
            && self
                .pairs
                .iter()
                .all(|pair| pair.opening.len() <= OPENING_BYTES_MAX)
            && self.audit_of.as_deref().is_none_or(is_name)
            && self.reference_nps.is_none_or(|nps| i64::try_from(nps).is_ok())
    }
}

impl Message for Announcement {
    fn is_sound(&self) -> bool {
        is_run(&self.run)
            && is_class(&self.class)
            && self.engines.len() <= 1024
            && self
                .engines
                .iter()
                .all(|(name, digest)| name.len() <= 256 && digest.len() <= 256)
            && self.distrusted.len() <= 4096
            && self.distrusted.iter().all(|name| is_name(name))
    }
}

impl Message for Here {
    fn is_sound(&self) -> bool {
        is_name(&self.name)
            && self.version.len() <= 64
            && self.engine.len() <= 64
            && self.cpu.len() <= 256
            && self.slots <= 4096
            && self.busy <= self.slots
            && self.games.len() <= GAMES_MAX
            && self.games.iter().all(ShownGame::is_sound)
    }
}

/// The name of a machine: letters, digits, `-` and `_`, so that it can be a part of a subject and of a file's name.
pub fn is_name(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    (1..=NAME_BYTES_MAX).contains(&text.len()) && text.bytes().all(is_plain)
}

/// The name of a run: 16 hexadecimal digits.
pub(super) fn is_run(text: &str) -> bool {
    text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn is_class(text: &str) -> bool {
    is_name(text)
}

/// Reads `bytes` as every message, for `fuzz/`: what is understood reads back.
#[cfg(feature = "fuzzing")]
pub fn fuzz_message(bytes: &[u8]) {
    fn reads_back<M: Message + PartialEq + std::fmt::Debug>(bytes: &[u8]) {
        if let Some(message) = M::of_bytes(bytes) {
            assert_eq!(M::of_bytes(&message.to_bytes()).as_ref(), Some(&message));
        }
    }
    reads_back::<Job>(bytes);
    reads_back::<Announcement>(bytes);
    reads_back::<Here>(bytes);
    if let Some(result) = PairResult::of_bytes(bytes) {
        assert_eq!(PairResult::of_bytes(&result.to_bytes()).as_ref(), Some(&result));
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
            audit_of: None,
            reference_nps: None,
        }
    }

    #[test]
    fn a_job_comes_back_as_it_was() {
        assert_eq!(Job::of_bytes(&job().to_bytes()), Some(job()));
    }

    #[test]
    fn machines_talk_as_the_number_of_their_language_says() {
        let result = PairResult {
            worker: "worker-1".to_owned(),
            elapsed_ms: 8,
            pace: Some(Pace {
                nps: 5,
                reference_nps: 6,
            }),
            signature: [b'S'; SIGNATURE_BYTES],
            packet: b"P".to_vec(),
        };
        let asked = Job {
            reference_nps: Some(6),
            ..job()
        };
        let said = [asked.to_bytes(), result.to_bytes()].map(|bytes| String::from_utf8(bytes).unwrap());
        let job = r#"{"run":"0123456789abcdef","table":"a = \"base\"","pairs":[{"pair":7,"players":[0,1],"seeds":[1,2],"line":3,"opening":"startpos"}],"reference_nps":6}"#;
        let result = format!("worker-1 8 5 6\n{}P", "S".repeat(SIGNATURE_BYTES));
        assert_eq!((crate::ledger::FORMAT, said), (5, [job.to_owned(), result]));
    }

    #[test]
    fn what_is_out_of_bounds_is_no_message() {
        let broken: [fn(&mut Job); 5] = [
            |job| job.run = "0123456789abcdeg".to_owned(),
            |job| job.run.clear(),
            |job| job.pairs.clear(),
            |job| job.table = "a".repeat(TABLE_BYTES_MAX + 1),
            |job| job.audit_of = Some("a.b".to_owned()),
        ];
        for break_it in broken {
            let mut job = job();
            break_it(&mut job);
            assert_eq!(Job::of_bytes(&job.to_bytes()), None, "{job:?}");
        }
        assert_eq!(Job::of_bytes(b"{\"run\":1}"), None);
    }

    #[test]
    fn a_name_is_no_wildcard_and_no_path() {
        for bad in ["", "a.b", "*", ">", "a b", "../a", "a\n", &"a".repeat(65)] {
            assert!(!is_name(bad), "{bad:?}");
        }
        assert!(is_name("worker-1"));
    }

    proptest! {
        #[test]
        fn a_result_comes_back_as_it_was(elapsed_ms in 0..=i64::MAX as u64, is_timed in any::<bool>(), packet in prop::collection::vec(any::<u8>(), 0..200)) {
            let pace = is_timed.then_some(Pace { nps: 7, reference_nps: 9 });
            let result = PairResult { worker: "worker-1".to_owned(), elapsed_ms, pace, signature: [7; SIGNATURE_BYTES], packet };
            prop_assert_eq!(PairResult::of_bytes(&result.to_bytes()), Some(result));
        }

        #[test]
        fn no_bytes_are_too_strange(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let _ = (PairResult::of_bytes(&bytes), Job::of_bytes(&bytes), Here::of_bytes(&bytes));
        }
    }
}
