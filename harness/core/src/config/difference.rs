//! What differs between two specifications, as a user types it.

use toml::{Table, Value};

use super::Identity;

/// Keys that decide no result.
const FREE: [&str; 6] = ["command", "name", "startup_ms", "repeat", "anchor", "grown"];
/// Keys that name files, and what identities call their content.
const FILES: [(&str, &str); 3] = [
    ("openings", "openings"),
    ("positions", "positions"),
    ("syzygy", "syzygy"),
];
/// Keys that say who plays.
const PLAYERS: [&str; 6] = ["a", "b", "base", "player", "config", "game"];

/// A value of a specification: its key, whose it is if it is a player's own, and its text.
type Entry = (String, Option<String>, String);

/// Lines such as `--nodes 400 there, --nodes 500 now`, of a run that is stored and one that is wanted; `sides` are called so.
pub fn differences(
    (stored, stored_identity): (&str, &Identity),
    (wanted, wanted_identity): (&str, &Identity),
    sides: [&str; 2],
) -> Vec<String> {
    let [there, now] = sides;
    let names = stored_identity.differences(wanted_identity);
    let is_changed = |title: &str| names.iter().any(|name| name.starts_with(title));
    let parsed = |text: &str| {
        text.parse::<Table>()
            .map(|table| entries(&table))
            .unwrap_or_default()
    };
    let mut changes = changed(&parsed(stored), &parsed(wanted));
    changes.retain(|change| {
        let file = FILES.iter().find(|(key, _)| *key == change.key);
        !FREE.contains(&change.key.as_str()) && file.is_none_or(|(_, title)| is_changed(title))
    });
    let has = |keys: &[&str]| changes.iter().any(|change| keys.contains(&change.key.as_str()));
    let mut files = Vec::new();
    for name in &names {
        let digest_of = name.split_once(" (SHA-256").map(|(what, _)| what);
        let Some(what) = digest_of else { continue };
        let of_players = what.starts_with("program ") || what.starts_with("files that ");
        let known: &[&str] = if of_players {
            &PLAYERS
        } else {
            &["openings", "plies", "seed", "positions", "syzygy"]
        };
        if !has(known) {
            let what = what
                .strip_prefix("program ")
                .map_or_else(|| what.to_owned(), |player| format!("the program of {player}"));
            files.push(format!("{what}: another content {now} than {there}"));
        }
    }
    let mut lines: Vec<String> = changes.iter().map(|change| change.text(sides)).collect();
    lines.extend(files);
    if lines.is_empty() {
        let value = |identity: &Identity, name: &str| identity.get(name).unwrap_or("nothing").to_owned();
        let all = names.iter().map(|name| {
            let (stored, wanted) = (value(stored_identity, name), value(wanted_identity, name));
            match name.as_str() {
                "engine" => format!("the built-in engine: {stored} {there}, {wanted} {now}"),
                name => format!("{name}: {stored} {there}, {wanted} {now}"),
            }
        });
        lines.extend(all);
    }
    lines
}

#[derive(Debug, Clone, PartialEq)]
struct Change {
    key: String,
    owner: Option<String>,
    stored: Option<String>,
    wanted: Option<String>,
}

impl Change {
    /// More pairs are no reason to refuse a run.
    fn is_growth(&self) -> bool {
        let pairs = |value: &Option<String>| value.as_ref().and_then(|text| text.parse::<u64>().ok());
        self.key == "pairs" && pairs(&self.stored) < pairs(&self.wanted)
    }

    /// Clocks have settings where there is one, also where nobody gave them; such changes follow from that of the time control.
    fn is_of_clock(&self) -> bool {
        let is_one_side = self.stored.is_none() || self.wanted.is_none();
        is_one_side && ["time_margin", "overhead", "whole_seconds"].contains(&self.key.as_str())
    }

    /// Does it follow from another of `changes`: the name and limit of another player?
    fn follows(&self, changes: &[Change]) -> bool {
        let Some(owner) = &self.owner else { return false };
        let is_of_owner = |other: &Change| match other.owner.as_ref() {
            None => self.key == "label" && other.key == *owner,
            Some(whose) => {
                let is_one_side = other.stored.is_none() || other.wanted.is_none();
                other.key == "player" && self.key != "player" && whose == owner && is_one_side
            }
        };
        changes.iter().any(is_of_owner)
    }

    fn text(&self, [there, now]: [&str; 2]) -> String {
        let name = match &self.owner {
            Some(player) if self.key == "player" => return self.of_player(player, [there, now]),
            Some(owner) if owner.parse::<u32>().is_ok() => format!("--player {owner}: {}", self.key),
            Some(owner) => format!("--{}-{owner}", self.key.replace('_', "-")),
            None => format!("--{}", self.key.replace('_', "-")),
        };
        let side = |value: &Option<String>| match value.as_deref() {
            None | Some("false") => format!("no {name}"),
            Some("true") => name.clone(),
            Some(value) => format!("{name} {value}"),
        };
        format!("{} {there}, {} {now}", side(&self.stored), side(&self.wanted))
    }

    fn of_player(&self, number: &str, [there, now]: [&str; 2]) -> String {
        match (&self.stored, &self.wanted) {
            (Some(stored), None) => {
                format!("player {number}, {stored}, {there} and not {now}: players can be added, not removed")
            }
            (stored, wanted) => {
                let side = |value: &Option<String>| value.clone().unwrap_or_else(|| "none".to_owned());
                format!(
                    "player {number}: {} {there}, {} {now}",
                    side(stored),
                    side(wanted)
                )
            }
        }
    }
}

fn text_of(value: &Value) -> String {
    match value {
        // A space has a line for each parameter.
        Value::String(text) if text.contains(char::is_whitespace) => {
            format!("'{}'", text.trim_end().replace('\n', "; "))
        }
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// The keys of a player's own limit and name.
const OF_PLAYER: [&str; 6] = ["label", "nodes", "depth", "movetime", "tc", "byoyomi"];

fn entries(table: &Table) -> Vec<Entry> {
    let mut entries = Vec::new();
    for (key, value) in table {
        let own = key
            .rsplit_once('_')
            .filter(|(key, side)| OF_PLAYER.contains(key) && ["a", "b"].contains(side));
        match (own, value) {
            (Some((key, side)), value) => {
                entries.push((key.to_owned(), Some(side.to_owned()), text_of(value)))
            }
            (None, Value::Array(players)) if key == "player" => {
                for (number, player) in (1..).zip(players) {
                    entries.extend(of_player(number, player));
                }
            }
            (None, value) => entries.push((key.clone(), None, text_of(value))),
        }
    }
    entries
}

fn of_player(number: usize, player: &Value) -> Vec<Entry> {
    let owner = || Some(number.to_string());
    let Value::Table(player) = player else {
        return vec![("player".to_owned(), owner(), text_of(player))];
    };
    let text = |key: &str| player.get(key).and_then(Value::as_str).unwrap_or_default();
    let name = match text("name") {
        name if name == text("player") => String::new(),
        name => format!(",name={name}"),
    };
    let of_limit = player.iter().filter(|(key, _)| OF_PLAYER.contains(&key.as_str()));
    let mut entries: Vec<Entry> = of_limit
        .map(|(key, value)| (key.clone(), owner(), text_of(value)))
        .collect();
    entries.push(("player".to_owned(), owner(), text("player").to_owned() + &name));
    entries
}

/// What differs; a key that changed alike for all players is one of the run.
fn changed(stored: &[Entry], wanted: &[Entry]) -> Vec<Change> {
    let of = |entries: &[Entry], key: &str, owner: &Option<String>| {
        let found = entries
            .iter()
            .find(|(other, whose, _)| other == key && whose == owner);
        found.map(|(.., value)| value.clone())
    };
    let mut changes: Vec<Change> = Vec::new();
    for (key, owner, _) in stored.iter().chain(wanted) {
        let [stored, wanted] = [stored, wanted].map(|entries| of(entries, key, owner));
        let (key, owner) = (key.clone(), owner.clone());
        let change = Change {
            key,
            owner,
            stored,
            wanted,
        };
        if change.stored != change.wanted && !change.is_growth() && !changes.contains(&change) {
            changes.push(change);
        }
    }
    if !changes.iter().all(Change::is_of_clock) {
        changes.retain(|change| !change.is_of_clock());
    }
    let is_alike = |one: &Change, other: &Change| {
        let [one, other] = [one, other].map(|change| {
            (
                &change.key,
                change.owner.is_some(),
                &change.stored,
                &change.wanted,
            )
        });
        one == other
    };
    let owners = |key: &str| {
        stored
            .iter()
            .filter(|(other, owner, _)| other == key && owner.is_some())
            .count()
    };
    let mut shown: Vec<Change> = Vec::new();
    for change in &changes {
        let alike = changes.iter().filter(|other| is_alike(change, other)).count();
        let is_common = change.key != "player" && change.owner.is_some() && alike == owners(&change.key);
        let change = Change {
            owner: change.owner.clone().filter(|_| !is_common),
            ..change.clone()
        };
        if !change.follows(&changes) && !shown.contains(&change) {
            shown.push(change);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    const MATCH: &str = "a = \"base\"\nb = \"uci:Q none\"\nnodes_a = 400\nnodes_b = 400\npairs = 5\nhash = 4\nstrict = false\n";
    const CUP: &str = "[[player]]\nname = \"x\"\nplayer = \"base\"\nnodes = 5\n[[player]]\nname = \"plain\"\nplayer = \"plain\"\nnodes = 5\n";

    #[test]
    fn what_the_user_changed_is_shown_as_it_is_typed() {
        let replaced = |text: &str, of: &[(&str, &str)]| {
            of.iter()
                .fold(text.to_owned(), |text, (old, new)| text.replace(old, new))
        };
        for (text, changes, expected) in [
            (MATCH, &[("400", "500")][..], "--nodes 400 there, --nodes 500 now"),
            (
                MATCH,
                &[("nodes_a = 400", "nodes_a = 500")],
                "--nodes-a 400 there, --nodes-a 500 now",
            ),
            (
                MATCH,
                &[("pairs = 5", "pairs = 4")],
                "--pairs 5 there, --pairs 4 now",
            ),
            (MATCH, &[("pairs = 5", "pairs = 6")], ""),
            (
                MATCH,
                &[("strict = false", "strict = true")],
                "no --strict there, --strict now",
            ),
            (MATCH, &[("hash = 4\n", "")], "--hash 4 there, no --hash now"),
            (
                MATCH,
                &[("uci:Q none", "uci:Q x.log")],
                "--b 'uci:Q none' there, --b 'uci:Q x.log' now",
            ),
            (CUP, &[("5", "6")], "--nodes 5 there, --nodes 6 now"),
            (
                CUP,
                &[("\"base\"\nnodes = 5", "\"base\"\nnodes = 6")],
                "--player 1: nodes 5 there, --player 1: nodes 6 now",
            ),
            (
                CUP,
                &[("name = \"x\"\n", "name = \"y\"\n")],
                "player 1: base,name=x there, base,name=y now",
            ),
            (
                CUP,
                &[(
                    "[[player]]\nname = \"plain\"\nplayer = \"plain\"\nnodes = 5\n",
                    "",
                )],
                "player 2, plain, there and not now: players can be added, not removed",
            ),
        ] {
            let identity = Identity::default();
            let wanted = replaced(text, changes);
            let found = differences((text, &identity), (&wanted, &identity), ["there", "now"]);
            assert_eq!(found.join("\n"), expected, "{changes:?}");
        }
    }

    #[test]
    fn files_are_named_where_no_option_changed_and_other_values_as_they_are() {
        let identity = |entries: &[(&str, &str)]| {
            let mut identity = Identity::default();
            entries
                .iter()
                .for_each(|(name, value)| identity.push(name, value));
            identity
        };
        let stored = identity(&[
            ("openings (SHA-256)", "ab"),
            ("program a (SHA-256)", "1"),
            ("engine", "0.1"),
            ("x", "1"),
        ]);
        for (wanted, expected) in [
            (
                &[
                    ("openings (SHA-256)", "cd"),
                    ("program a (SHA-256)", "1"),
                    ("engine", "0.1"),
                    ("x", "1"),
                ],
                "openings: another content now than there",
            ),
            (
                &[
                    ("openings (SHA-256)", "ab"),
                    ("program a (SHA-256)", "2"),
                    ("engine", "0.2"),
                    ("x", "1"),
                ],
                "the program of a: another content now than there",
            ),
            (
                &[
                    ("openings (SHA-256)", "ab"),
                    ("program a (SHA-256)", "1"),
                    ("engine", "0.2"),
                    ("x", "1"),
                ],
                "the built-in engine: 0.1 there, 0.2 now",
            ),
            (
                &[
                    ("openings (SHA-256)", "ab"),
                    ("program a (SHA-256)", "1"),
                    ("engine", "0.1"),
                    ("x", "2"),
                ],
                "x: 1 there, 2 now",
            ),
        ] {
            let found = differences((MATCH, &stored), (MATCH, &identity(wanted)), ["there", "now"]);
            assert_eq!(found, [expected]);
        }
    }
}
