use super::*;

use crate::config::{MatchKeys, MatchSpec};
use crate::platform::ResourceLimit;

fn machine() -> Machine {
    let bound = |used, soft, hard| Some(ResourceLimit { used, soft, hard });
    Machine {
        cores: 2,
        memory_free_mib: Some(10_000),
        descriptors: bound(4, 1_024, 4_096),
        processes: bound(100, 1_000, 1_000),
    }
}

const BUILTIN: PlayerDemand = PlayerDemand::BUILTIN;
const ENGINE: PlayerDemand = PlayerDemand {
    is_process: true,
    ..BUILTIN
};

fn demand(players: [PlayerDemand; 2], is_timed: bool) -> Demand {
    Demand {
        players: players.to_vec(),
        hash_mib: 4,
        is_timed,
        has_tables: false,
    }
}

#[test]
fn what_does_not_fit_is_refused_with_what_does() {
    let threads = |threads| PlayerDemand { threads, ..ENGINE };
    let large = |own| Demand {
        hash_mib: 60_000,
        ..demand([own, BUILTIN], false)
    };
    let own = PlayerDemand {
        hash_mib: Some(8_000),
        ..ENGINE
    };
    let few = Machine {
        descriptors: Some(ResourceLimit {
            used: 4,
            soft: 40,
            hard: 40,
        }),
        ..machine()
    };
    let cases = [
        (
            demand([BUILTIN; 2], true),
            machine(),
            64,
            "64 cores (1 per game), but there are only 2",
            2,
        ),
        (
            demand([threads(4), BUILTIN], true),
            machine(),
            1,
            "but there are only 2, so engines would lose on time through no fault of their own; lower their Threads",
            0,
        ),
        (
            large(BUILTIN),
            machine(),
            2,
            "would need 240000 MiB for hash tables, but 10000 MiB of memory are free; --hash 2250",
            0,
        ),
        (
            demand([own, BUILTIN], false),
            machine(),
            2,
            "are free; --concurrency 1 fits",
            1,
        ),
        (
            demand([ENGINE; 2], false),
            few,
            16,
            "2 programs each would need 220 open files, but `ulimit -Hn` is 40",
            1,
        ),
        (demand([ENGINE; 2], false), machine(), 300, "2500 processes", 112),
    ];
    for (demand, machine, workers, expected, fits) in cases {
        let text = demand.check(workers, &machine, false).unwrap_err();
        assert!(text.contains(expected), "{text}");
        if fits > 0 {
            assert!(text.contains(&format!("--concurrency {fits} fits")), "{text}");
            assert_eq!(demand.check(fits, &machine, false), Ok(()), "{text}");
        }
    }
    let fits = Demand {
        hash_mib: 2_250,
        ..large(BUILTIN)
    };
    assert_eq!(fits.check(2, &machine(), false), Ok(()));
}

#[test]
fn what_is_wanted_not_told_or_not_needed_is_not_refused() {
    assert_eq!(demand([BUILTIN; 2], true).check(64, &machine(), true), Ok(()));
    assert_eq!(demand([BUILTIN; 2], false).check(64, &machine(), false), Ok(()));
    let untold = Machine {
        memory_free_mib: None,
        descriptors: None,
        ..machine()
    };
    let large = Demand {
        hash_mib: 60_000,
        ..demand([ENGINE, BUILTIN], false)
    };
    assert_eq!(large.check(2, &untold, false), Ok(()));
}

#[test]
fn threads_and_pondering_count_as_cores() {
    let threads = |threads| PlayerDemand { threads, ..ENGINE };
    let players = [threads(2), ENGINE];
    assert_eq!(demand(players, true).workers_default(&machine()), 1);
    assert_eq!(demand(players, false).workers_default(&machine()), 2);
    assert_eq!(
        demand([threads(4), BUILTIN], true).workers_default(&machine()),
        1,
        "it is refused then"
    );
    let pondering = PlayerDemand {
        ponders: true,
        ..ENGINE
    };
    assert_eq!(demand([pondering, ENGINE], true).threads_of_game(), 2);
}

fn demand_of(text: &str) -> Demand {
    let spec = MatchSpec::from_keys(&MatchKeys::parse(text, "test").unwrap()).unwrap();
    Demand::of(&Needs::of_match(&spec), &ExternalEngines::default())
}

#[test]
fn a_demand_is_made_of_what_the_players_say() {
    let text = "command = 'match'\nmovetime = 10\nb = 'base'\n\
                a = 'usi:engine,option.threads=3,option.USI_Hash=64,ponder=on'";
    let demand = demand_of(text);
    let expected = PlayerDemand {
        hash_mib: Some(64),
        threads: 3,
        is_process: true,
        is_named: false,
        ponders: true,
    };
    assert_eq!(demand.players, [expected, BUILTIN]);
    assert!(demand.is_timed);
}

#[cfg(feature = "cluster")]
#[test]
fn games_that_tables_of_one_machine_end_are_for_that_machine() {
    assert_eq!(demand_of("game = 'chess'").check_elsewhere(), Ok(()));
    let refused = demand_of("game = 'chess'\nsyzygy = 'tables'")
        .check_elsewhere()
        .unwrap_err();
    assert!(refused.contains("--syzygy"), "{refused}");
}
