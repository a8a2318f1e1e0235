//! The file of a run of every kind gives the same run again, and a wrong one is refused with all that is wrong.

use std::path::Path;

use proptest::prelude::*;
use proptest::sample::select;

use super::*;

use crate::config::{MatchKeys, MatchSpec, MoveLimit, OpeningSource, SeatKeys, Source};
use crate::kinds::ablate::spec::{AblationSpec, NodesComparison, rows, variant};
use crate::kinds::ablate::study::{Length, pairs_of};
use crate::kinds::odds::OddsSpec;
use crate::kinds::tune::optimizer::{MethodName, Parameter, Plan, Space, ValueKind};
use crate::kinds::tune::{Confirm, TuningSpec};
use crate::ledger::{Ledger, Manifest};
use crate::session::observer::NoObserver;
use crate::stats::Sprt;

const PLAYERS: [&str; 8] = [
    "base",
    "plain,lmr=on",
    "usi:engine,option.Threads=1,option.List=1,2,3",
    "usi:engine -x \"a b\",option.Skill Level=3,init=x,y,restart=game,name=old, 1",
    "usi:./bin/engine",
    "usi:\"/opt/my engine\" 'say \"x\"',env.PATHS=a,b,ponder=on",
    "usi:engine,name=usi:engine,option.Threads=9",
    "usi:engine,option.A=,on_fault=crash=replay:7,stall=stop",
];

fn games(players: [&str; 2], limit: MoveLimit, label: Option<&str>) -> MatchSpec {
    let [a, b] = players.map(|player| Some(player.to_owned()));
    let own = SeatKeys {
        label: label.map(str::to_owned),
        ..SeatKeys::default()
    };
    let mut keys = MatchKeys {
        a,
        b,
        limit: limit.into(),
        of_a: own.clone().into(),
        ..MatchKeys::default()
    };
    if players[0] == players[1] {
        keys.of_b = own.into();
    }
    MatchSpec::from_keys(&keys).unwrap()
}

fn limit() -> impl Strategy<Value = MoveLimit> {
    prop_oneof![
        (1..1_000_000_u64).prop_map(MoveLimit::Nodes),
        (1..1_000_000_u64).prop_map(MoveLimit::MoveTimeMs),
    ]
}

fn label() -> impl Strategy<Value = Option<&'static str>> {
    proptest::option::of(select(&["new", "a, b", "usi:x,option.A=1", "名人 \"9\""][..]))
}

fn read(text: &str) -> Result<Experiment, ExperimentError> {
    Experiment::of_source(&Source::parse(text, "run.toml")?, Path::new(""))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(150) })]

    #[test]
    fn a_study_of_odds_reads_back_as_it_was_written(
        a in select(&PLAYERS[..]),
        b in select(&PLAYERS[..]),
        limit in limit(),
        label in label(),
        pairs in 1..1_000_000_u64,
        batch in 1..1_000_u64,
        ratio_max in 1.000_001..1e6_f64,
        own in proptest::option::of(Just(MoveLimit::Depth(8))),
    ) {
        let mut games = games([a, b], limit, label);
        games.seats[1].limit = own.unwrap_or(games.seats[1].limit);
        let spec = OddsSpec::new(games, pairs, batch, ratio_max).unwrap();
        prop_assert_eq!(spec.limit_b(), own);
        let text = spec.text(Path::new("."));
        let read = read(&text).unwrap();
        prop_assert_eq!(read.spec::<OddsSpec>(), Some(&spec), "{}", text);
    }

    #[test]
    fn a_tuning_reads_back_as_it_was_written(
        player in select(&PLAYERS[2..]),
        limit in limit(),
        label in label(),
        values in proptest::collection::vec(-1e9..1e9_f64, 1..4),
        steps in (1e-9..1e3_f64, 1e-9..1.0_f64),
        method in select(&MethodName::ALL[..]),
        numbers in (1..1_000_u64, 1..9_u64, 1..9_u64),
        confirm in prop_oneof![Just(Confirm::Off), Just(Confirm::Auto), Just(Confirm::By(Sprt::default()))],
    ) {
        let parameters = values.iter().enumerate().map(|(number, &start)| Parameter {
            name: format!("Skill {number}"),
            kind: if number % 2 == 0 { ValueKind::Real } else { ValueKind::Integer },
            start: if number % 2 == 0 { start } else { start.round() },
            min: -1e9,
            max: 1e9,
            c_end: 1.0 + steps.0,
            r_end: steps.1,
        });
        let space = Space {
            parameters: parameters.collect(),
        };
        let mut games = games([player, player], limit, label);
        games.conditions.repeat = true;
        let plan = Plan {
            method,
            iterations: numbers.0,
            pairs_per_iteration: numbers.1,
            lag: numbers.2,
            seed: games.conditions.seed,
        };
        let confirm_pairs = (confirm != Confirm::Off).then_some(numbers.0);
        let spec = TuningSpec::new(games, space, plan, confirm, confirm_pairs).unwrap();
        let text = spec.text(Path::new("."));
        let read = read(&text).unwrap();
        prop_assert_eq!(read.spec::<TuningSpec>(), Some(&spec), "{}", text);
    }

    #[test]
    fn an_ablation_reads_back_as_it_was_written(
        player in select(&PLAYERS[..2]),
        limit in limit(),
        label in label(),
        pairs in 1..1_000_u64,
        more in proptest::option::of(0..1_000_u64),
        depth in 0..20_u32,
        nodes_max in 1..1_000_000_u64,
        pool in proptest::sample::subsequence(
            ["777", "nodes=1k", "depth=3", "movetime=9", "tc=40/60+0.5", "byoyomi=200"].map(|text| MoveLimit::parse(text).unwrap()).to_vec(),
            0..6,
        ),
    ) {
        let games = games([player, player], limit, label);
        let config = games.seats[0].player.config().unwrap();
        let also = ["lmr.base=500".to_owned()];
        let (rows, _) = rows(games.conditions.game, config, &[], &also).unwrap();
        let length = Length { pairs, straddle_pairs: more.map(|more| pairs + more), budget: None, earlier: Vec::new() };
        let mut rows = rows;
        if more.is_none() {
            let given = [variant(games.conditions.game, config, "lmr.base=400").unwrap()];
            rows.extend(pairs_of(games.conditions.game, &rows, &given));
        }
        let pool: Vec<MoveLimit> = pool.into_iter().filter(|&other| other != games.seats[0].limit).collect();
        let comparison = NodesComparison { depth, nodes_max, positions: OpeningSource::BuiltIn };
        let spec = AblationSpec::new(games, pool, rows, length, comparison).unwrap();
        let text = spec.text(Path::new("."));
        let read = read(&text).unwrap();
        prop_assert_eq!(read.spec::<AblationSpec>(), Some(&spec), "{}", text);
    }
}

#[test]
fn in_a_file_of_odds_a_limit_of_b_alone_is_that_of_both_and_a_further_one_is_its_own() {
    let limits = |keys: &str| {
        let text = format!(
            "command = \"odds\"\npairs = 2\nbatch = 1\nratio_max = 8.0\na = \"base\"\nb = \"plain\"\n{keys}"
        );
        let experiment = read(&text).unwrap();
        let spec = experiment.spec::<OddsSpec>().unwrap();
        spec.games.seats.each_ref().map(|seat| seat.limit)
    };
    let (nodes, time) = (MoveLimit::Nodes(90), MoveLimit::MoveTimeMs(20));
    assert_eq!(limits("movetime_b = 20"), [time, time]);
    assert_eq!(limits("nodes = 90\nmovetime_b = 20"), [nodes, time]);
}

#[test]
fn a_run_of_an_unknown_kind_is_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let manifest = Manifest {
        kind: "simul".to_owned(),
        ..Manifest::default()
    };
    drop(Ledger::open_or_create(folder.path(), &manifest).unwrap());
    let counted = Run::open(folder.path()).unwrap().outcome(&mut NoObserver);
    let message = counted.unwrap_err().to_string();
    assert!(message.contains("unknown kind 'simul'"), "{message}");
}
