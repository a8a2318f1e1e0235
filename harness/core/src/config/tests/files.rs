//! Players that stand in files and tables are written in full, and read back as the same.

use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use tanren_engine::game::Game;

use super::super::*;
use super::{NAMES, VALUES, WORDS, again, limit, program};

const NAMES_MAX: usize = 4;

fn text(value: &str) -> toml::Value {
    toml::Value::String(value.to_owned())
}

fn named(names: &'static [&'static str]) -> impl Strategy<Value = toml::Table> {
    let names = subsequence(names.to_vec(), 0..=names.len());
    (names, proptest::collection::vec(select(&VALUES[..]), NAMES_MAX)).prop_map(|(names, values)| {
        let pairs = names.into_iter().zip(values);
        pairs
            .map(|(name, value)| (name.to_owned(), text(value)))
            .collect()
    })
}

/// A program as a file, with all that could stand in its values.
fn process_file() -> impl Strategy<Value = toml::Table> {
    let single: Vec<(&str, toml::Value)> = vec![
        ("protocol", text("uci")),
        ("directory", text("/opt/a b")),
        ("restart", text("game")),
        ("time_margin_ms", toml::Value::Integer(7)),
        ("ponder", toml::Value::Boolean(true)),
        ("on_fault", text("crash=replay:7,stall=stop")),
        (
            "commands",
            toml::Value::Array(vec![text("debug on,off"), text("x")]),
        ),
    ];
    let parts = (
        select(&["engine", "./bin/engine", "/opt/my engine/x", "C:\\x.exe", "a,b"][..]),
        subsequence(WORDS.to_vec(), 0..=WORDS.len()),
        named(&["Threads", "Skill Level", "A.B", "a,b"]),
        named(&["PATHS", "X_Y"]),
        subsequence(single, 0..=7),
        proptest::option::of(select(&NAMES[..])),
    );
    parts.prop_map(|(command, arguments, options, environment, single, name)| {
        let mut table = toml::Table::new();
        if let Some(name) = name {
            table.insert("name".to_owned(), text(name));
        }
        table.insert("command".to_owned(), text(command));
        let arguments = arguments.into_iter().map(text).collect();
        table.insert("arguments".to_owned(), toml::Value::Array(arguments));
        table.extend(single.into_iter().map(|(key, value)| (key.to_owned(), value)));
        table.insert("environment".to_owned(), toml::Value::Table(environment));
        table.insert("options".to_owned(), toml::Value::Table(options));
        table
    })
}

fn builtin_file() -> impl Strategy<Value = toml::Table> {
    let name = proptest::option::of(select(&NAMES[..]));
    (name, any::<bool>(), 1..10_i64).prop_map(|(name, is_on, reduction)| {
        let mut table = toml::Table::new();
        if let Some(name) = name {
            table.insert("name".to_owned(), text(name));
        }
        table.insert("preset".to_owned(), text("plain"));
        let mut settings = toml::Table::new();
        settings.insert("lmr".to_owned(), text(if is_on { "on" } else { "off" }));
        settings.insert(
            "null_move.reduction".to_owned(),
            toml::Value::Integer(reduction.min(4)),
        );
        table.insert("settings".to_owned(), toml::Value::Table(settings));
        table
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn a_player_of_a_file_or_table_is_written_in_full_and_reads_back(
        file in prop_oneof![process_file(), builtin_file()],
        label in proptest::option::of(select(&NAMES[..])),
        limit in limit(),
        is_table in any::<bool>(),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("player, 1.toml");
        std::fs::write(&path, toml::to_string(&file).unwrap()).unwrap();
        let mut table = toml::Table::new();
        if is_table {
            table.insert("a".to_owned(), text("mine"));
            let tables = toml::Table::from_iter([("mine".to_owned(), toml::Value::Table(file))]);
            table.insert("player".to_owned(), toml::Value::Table(tables));
        } else {
            table.insert("a".to_owned(), text(&format!("@{}", path.display())));
        }
        table.extend(label.map(|label| ("label_a".to_owned(), text(label))));
        let mut keys: MatchKeys = table.try_into().unwrap();
        keys.limit = limit.into();
        // Some values cannot stand in a text; they are refused.
        if let Ok(spec) = MatchSpec::from_keys(&keys) {
            let (read, written) = again(&spec);
            prop_assert_eq!(read, spec, "{}", written);
        }
    }

    #[test]
    fn a_program_reads_back_wherever_spaces_and_commas_stand(
        program in program(),
        tail in select(&["", " ", ",init=x ", ",option.Last=1,2 ", ",name=usi:other,option.Threads=9"][..]),
        label in proptest::option::of(select(&NAMES[..])),
    ) {
        let player = format!("{program}{tail}");
        let parsed = PlayerSpec::parse(Game::Shogi, "a", &player).unwrap();
        let own = SeatKeys { label: label.map(str::to_owned), ..SeatKeys::default() };
        let keys = MatchKeys { a: Some(player), of_a: own.into(), ..MatchKeys::default() };
        let spec = MatchSpec::from_keys(&keys).unwrap();
        let (read, written) = again(&spec);
        prop_assert_eq!(&read, &spec, "{}", written);
        prop_assert_eq!(&read.seats[0].player.kind, &parsed.kind);
        // Twice is as once: nothing grows or doubles.
        prop_assert_eq!(again(&read).1, written);
    }
}
