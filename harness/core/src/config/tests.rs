//! Whatever can be specified is written so that it reads back as the same.

use std::path::Path;

use clap::Args;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use serde::de::DeserializeOwned;
use tanren_engine::config::{Config, PRESETS};
use tanren_engine::game::Game;

use super::*;

mod files;

/// Words of a command, with all that a shell or a list of keys could stumble over.
const WORDS: [&str; 9] = [
    "-x",
    "a b",
    "it's",
    "say \"x\"",
    "1,2",
    "k=v",
    "",
    "日本",
    "--deep=4,5",
];
const VALUES: [&str; 8] = ["1", "a,b", "x y", "C:\\dir", "k=v,w=x", "", "1,2,3", "true"];
const NAMES: [&str; 7] = [
    "new",
    "old, 1",
    "a=b",
    "名人",
    "x \"y\"",
    "v,option.A=1",
    " padded ",
];

fn player(game: Game) -> impl Strategy<Value = String> {
    let presets: Vec<&str> = PRESETS.iter().map(|(name, _)| *name).collect();
    let names: Vec<&str> = Config::settings(game).map(|setting| setting.name).collect();
    let settings = subsequence(names, 0..4).prop_flat_map(move |names| {
        let settings: Vec<_> = Config::settings(game)
            .filter(|setting| names.contains(&setting.name))
            .collect();
        let values: Vec<_> = settings.iter().map(|setting| value(setting)).collect();
        values.prop_map(move |values| {
            let named = settings
                .iter()
                .zip(values)
                .filter(|(setting, _)| setting.name != "declaration");
            named
                .map(|(setting, value)| format!(",{}={value}", setting.name))
                .collect::<String>()
        })
    });
    let builtin = (select(presets), settings).prop_map(|(preset, settings)| format!("{preset}{settings}"));
    prop_oneof![builtin, program()]
}

fn value(setting: &tanren_engine::config::Setting) -> BoxedStrategy<String> {
    use tanren_engine::config::SettingKind;
    match setting.kind {
        SettingKind::Switch { .. } => select(vec!["on".to_owned(), "off".to_owned()]).boxed(),
        // Weights of three pieces are not in every build.
        SettingKind::Choice { choices, .. } => select(choices)
            .prop_filter("in every build", |choice| *choice != "three_piece")
            .prop_map(str::to_owned)
            .boxed(),
        SettingKind::Int { min, max, .. } => (min..=max).prop_map(|number| number.to_string()).boxed(),
    }
}

fn quoted(word: &str) -> String {
    if word.contains('"') {
        format!("'{word}'")
    } else {
        format!("\"{word}\"")
    }
}

fn program() -> impl Strategy<Value = String> {
    let command = select(&["engine", "./bin/engine", "/opt/my engine/x"][..]);
    let arguments = subsequence(WORDS.to_vec(), 0..4);
    let pairs = |prefix: &'static str| {
        let names = subsequence(vec!["Threads", "Skill Level", "A.B"], 0..3);
        let pairs = (names, proptest::collection::vec(select(&VALUES[..]), 3));
        pairs.prop_map(move |(names, values)| {
            let pairs = names.iter().zip(values);
            pairs
                .map(|(name, value)| format!(",{prefix}.{name}={value}"))
                .collect::<String>()
        })
    };
    let keys = subsequence(
        vec![
            ",directory=/opt/a b",
            ",init=debug on,off",
            ",init=isready",
            ",restart=game",
            ",time_margin_ms=40",
            ",ponder=on",
            ",ping=off",
            ",on_fault=crash=replay:7,stall=stop",
            ",memory_mib=512",
        ],
        0..9,
    );
    let name = proptest::option::of(select(&NAMES[..5]));
    let parts = (
        select(&["usi", "uci"][..]),
        command,
        arguments,
        pairs("option"),
        pairs("env"),
        keys,
        name,
    );
    parts.prop_map(
        |(protocol, command, arguments, options, environment, keys, name)| {
            let words: String = arguments
                .iter()
                .map(|word| format!(" {}", quoted(word)))
                .collect();
            let name = name.map_or_else(String::new, |name| format!(",name={name}"));
            format!(
                "{protocol}:{}{words}{options}{environment}{}{name}",
                quoted(command),
                keys.concat()
            )
        },
    )
}

fn limit() -> impl Strategy<Value = MoveLimit> {
    let time_ms = || prop_oneof![Just(0), 1..100_000_u64, Just(604_800_000)];
    let period = prop_oneof![Just(0), 1..=1000_u32];
    let clock = (
        time_ms(),
        period,
        time_ms(),
        prop_oneof![Just(0), 1..=86_400_000_u64],
    );
    let clock = clock.prop_filter_map(
        "a clock without time",
        |(base_ms, moves, increment_ms, byoyomi_ms)| {
            let clock = ClockLimit {
                base_ms,
                period_moves: if base_ms > 0 { moves } else { 0 },
                increment_ms,
                byoyomi_ms,
            };
            (!clock.is_empty()).then_some(MoveLimit::Clock(clock))
        },
    );
    prop_oneof![
        (1..=1_000_000_000_000_u64).prop_map(MoveLimit::Nodes),
        (1..=100_u32).prop_map(MoveLimit::Depth),
        (1..=86_400_000_u64).prop_map(MoveLimit::MoveTimeMs),
        clock,
    ]
}

fn keys_of(limit: MoveLimit, label: Option<&str>) -> SeatKeys {
    SeatKeys {
        label: label.map(str::to_owned),
        limit: limit.into(),
    }
}

fn again(spec: &MatchSpec) -> (MatchSpec, String) {
    let written = spec.table(Path::new(".")).to_string();
    let keys = MatchKeys::parse(&written, "test").unwrap();
    (MatchSpec::from_keys(&keys).unwrap(), written)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    #[test]
    fn a_match_reads_back_as_it_was_written(
        a in player(Game::Shogi),
        b in player(Game::Shogi),
        limits in [limit(), limit()],
        labels in [proptest::option::of(select(&NAMES[..])), proptest::option::of(select(&NAMES[..]))],
    ) {
        let keys = MatchKeys {
            a: Some(a),
            b: Some(b),
            of_a: keys_of(limits[0], labels[0]).into(),
            of_b: keys_of(limits[1], labels[1]).into(),
            games: GameKeys { game: Some("shogi".to_owned()), ..GameKeys::default() },
            ..MatchKeys::default()
        };
        let spec = MatchSpec::from_keys(&keys).unwrap();
        prop_assert_eq!(spec.seats.each_ref().map(|seat| seat.limit), limits);
        let (again, written) = again(&spec);
        prop_assert_eq!(again.identity("", 1, ""), spec.identity("", 1, ""));
        prop_assert_eq!(again, spec, "{}", written);
    }
}

#[test]
fn a_program_without_a_name_reads_back_from_what_older_versions_wrote() {
    let text = "usi:engine,option.Threads=1,name=usi:engine,option.Threads=1";
    let player = PlayerSpec::parse(Game::Shogi, "a", text).unwrap();
    assert_eq!(player.label, "usi:engine,option.Threads=1");
    assert_eq!(player.text(), text);
}

#[test]
fn every_key_has_its_help_and_no_two_share_a_name() {
    use clap::{Args, Command};
    let mut names: Vec<String> = Vec::new();
    for option in MatchKeys::augment_args(Command::new("")).get_arguments() {
        let name = option.get_id().to_string();
        assert!(option.get_help().is_some() && !names.contains(&name), "{name}");
        names.push(name);
    }
    assert!(names.contains(&"tc_b".to_owned()), "{names:?}");
}

/// The keys of a text in which ` ⏎ ` ends lines.
fn read<K: Args + DeserializeOwned + Default>(text: &str) -> Result<K, ConfigError> {
    let mut wrong = Mistakes::default();
    let keys = Source::parse(&text.replace(" ⏎ ", "\n"), "test")?.read(&["command", "player"], &mut wrong);
    wrong.check()?;
    Ok(keys)
}

fn keys(text: &str) -> MatchKeys {
    read(text).unwrap()
}

/// What is written of the match or the tournament of these keys.
fn written(text: &str) -> Result<String, ConfigError> {
    let folder = Path::new(".");
    let table = if text.contains("player]]") || text.starts_with("player") {
        TournamentSpec::from_keys(&read(text)?)?.table(folder)
    } else {
        MatchSpec::from_keys(&read(text)?)?.table(folder)
    };
    Ok(table.to_string())
}

#[test]
fn what_cannot_be_played_is_refused_in_words() {
    for case in include_str!("tests/refused.tsv").lines() {
        let (text, expected) = case.split_once('\t').unwrap();
        let said = written(text).unwrap_err().to_string();
        assert!(said.contains(expected), "{text}: {said}");
    }
}

#[test]
#[cfg_attr(windows, ignore = "paths of Unix")]
fn what_is_played_is_written_in_full_and_reads_back() {
    for case in include_str!("tests/written.tsv").lines() {
        let (text, expected) = case.split_once('\t').unwrap();
        let file = written(text).unwrap();
        for expected in expected.split('\t') {
            assert!(file.lines().any(|line| line == expected), "{expected}\n{file}");
        }
        assert_eq!(written(&file).unwrap(), file);
    }
}

#[test]
fn more_pairs_than_openings_are_refused_unless_they_may_repeat() {
    let spec = MatchSpec::from_keys(&keys("pairs = 11")).unwrap();
    let refused = spec.conditions.pairs_max(10).unwrap_err().to_string();
    assert!(refused.contains("--repeat"), "{refused}");
    assert_eq!(spec.conditions.pairs_max(11).unwrap(), 11);
    // The openings before the first come again in another order, but for the same order of all.
    let mut late = spec.conditions.clone();
    late.first_opening = 3;
    let refused = late.pairs_max(12).unwrap_err().to_string();
    assert!(refused.contains("only 10 from --first-opening 3 on"), "{refused}");
    assert!(late.pairs_max(13).is_ok());
    late.order = OpeningOrder::Sequential;
    assert!(late.pairs_max(11).is_ok());
    let spec = MatchSpec::from_keys(&keys("pairs = 11\nrepeat = true")).unwrap();
    assert_eq!(spec.conditions.pairs_max(10).unwrap(), 11);
}

#[test]
fn identical_players_are_a_mirror_until_something_tells_them_apart() {
    let is_mirror = |text: &str| MatchSpec::from_keys(&keys(text)).unwrap().is_mirror();
    let same = "a = \"base\"\nb = \"base\"\n";
    assert!(is_mirror(same));
    for more in [
        "node_jitter = 20",
        "nodes_a = 20",
        "movetime = 20",
        "byoyomi = 20",
    ] {
        assert!(!is_mirror(&format!("{same}{more}")), "{more}");
    }
    assert!(!is_mirror("a = \"base\"\nb = \"plain\""));
    let mirror = |text: &str| {
        let spec = TournamentSpec::from_keys(&read(text).unwrap()).unwrap();
        spec.mirror().map(|labels| labels.map(str::to_owned))
    };
    let two = "[[player]]\n[[player]]\nname = \"again\"\n";
    assert_eq!(mirror(two), Some(["base", "again"].map(str::to_owned)));
    assert_eq!(mirror(&format!("node_jitter = 9\n{two}")), None);
    assert_eq!(mirror("[[player]]\n[[player]]\nplayer = \"plain\"\n"), None);
}

#[test]
fn everyone_meets_everyone_or_the_seeds_meet_the_rest() {
    let three = "[[player]]\n[[player]]\nplayer = \"plain\"\n[[player]]\nname = \"deep\"\ndepth = 3\n";
    for (head, pairings) in [
        ("", &[[0, 1], [0, 2], [1, 2]][..]),
        ("gauntlet = 2\n", &[[0, 2], [1, 2]]),
        ("format = \"gauntlet\"\n", &[[0, 1], [0, 2]]),
    ] {
        let keys = read(&format!("{head}{three}")).unwrap();
        assert_eq!(TournamentSpec::from_keys(&keys).unwrap().pairings, pairings);
    }
}
