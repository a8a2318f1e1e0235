use super::*;

use crate::config::{MatchKeys, MatchSpec};
use crate::platform::Bound;

fn machine() -> Machine {
    let bound = |used, soft, hard| Some(Bound { used, soft, hard });
    Machine {
        cores: 2,
        memory_free_mib: Some(10_000),
        descriptors: bound(4, 1_024, 4_096),
        processes: bound(100, 1_000, 1_000),
    }
}

const ENGINE: PlayerDemand = PlayerDemand {
    hash_mib: None,
    threads: 1,
    is_process: true,
    is_named: false,
    ponders: false,
};
const BUILTIN: PlayerDemand = PlayerDemand {
    is_process: false,
    ..ENGINE
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
fn more_games_by_the_clock_than_cores_are_refused_unless_they_are_wanted() {
    let timed = demand([BUILTIN; 2], true);
    assert_eq!(timed.check(2, &machine(), false), Ok(()));
    let capacity_error = timed.check(64, &machine(), false).unwrap_err();
    let text = capacity_error.to_string();
    assert!(
        text.contains("64 cores (1 for each game), but there are 2") && text.contains("--concurrency 2 fits"),
        "{text}"
    );
    assert_eq!(timed.check(64, &machine(), true), Ok(()));
    assert_eq!(demand([BUILTIN; 2], false).check(64, &machine(), false), Ok(()));
}

#[test]
fn threads_and_pondering_count_as_cores() {
    let threads = |threads| PlayerDemand { threads, ..ENGINE };
    let players = [threads(2), ENGINE];
    assert_eq!(demand(players, true).workers_default(&machine()), 1);
    assert_eq!(demand(players, false).workers_default(&machine()), 2);
    assert!(demand(players, true).check(2, &machine(), false).is_err());
    let pondering = PlayerDemand {
        ponders: true,
        ..ENGINE
    };
    assert_eq!(demand([pondering, ENGINE], true).threads_of_game(), 2);
    let one_game = demand([threads(4), BUILTIN], true);
    let text = one_game.check(1, &machine(), false).unwrap_err().to_string();
    assert!(text.contains("not even --concurrency 1 fits"), "{text}");
    assert_eq!(one_game.workers_default(&machine()), 1, "it is refused then");
}

#[test]
fn hash_tables_that_do_not_fit_into_memory_are_refused_with_what_fits() {
    let large = Demand {
        hash_mib: 60_000,
        ..demand([BUILTIN; 2], false)
    };
    let text = large.check(2, &machine(), true).unwrap_err().to_string();
    assert!(
        text.contains("need 240000 MiB")
            && text.contains("10000 MiB of memory")
            && text.contains("--hash 2250"),
        "{text}"
    );
    let fits = Demand {
        hash_mib: 2_250,
        ..large.clone()
    };
    assert_eq!(fits.check(2, &machine(), false), Ok(()));
    let own = PlayerDemand {
        hash_mib: Some(8_000),
        ..ENGINE
    };
    let capacity_error = demand([own, BUILTIN], false).check(2, &machine(), false);
    let text = capacity_error.unwrap_err().to_string();
    assert!(text.ends_with("are free; --concurrency 1 fits"), "{text}");
    let untold = Machine {
        memory_free_mib: None,
        ..machine()
    };
    assert_eq!(large.check(2, &untold, false), Ok(()));
}

#[test]
fn pipes_beyond_the_hard_limit_are_refused_and_players_of_ours_need_none() {
    let few = Machine {
        descriptors: Some(Bound {
            used: 4,
            soft: 40,
            hard: 40,
        }),
        ..machine()
    };
    let engines = demand([ENGINE; 2], false);
    let capacity_error = engines.check(16, &few, false).unwrap_err();
    let expected = CapacityError::Descriptors {
        workers: 16,
        engines: 2,
        needed: 4 + 12 + 12 + 16 * 12,
        limit: 40,
        fits: 1,
    };
    assert_eq!(capacity_error, expected);
    assert_eq!(engines.check(1, &few, false), Ok(()), "what is said to fit fits");
    assert_eq!(demand([BUILTIN; 2], false).check(16, &few, false), Ok(()));
}

#[test]
fn processes_beyond_the_limit_are_refused() {
    let engines = demand([ENGINE; 2], false);
    assert_eq!(engines.check(112, &machine(), false), Ok(()));
    let capacity_error = engines.check(300, &machine(), false).unwrap_err();
    let text = capacity_error.to_string();
    assert!(
        text.contains("2500 processes") && text.contains("--concurrency 112 fits"),
        "{text}"
    );
}

#[test]
fn a_demand_is_made_of_what_the_players_say() {
    let text = "command = 'match'\nmovetime = 10\nb = 'base'\n\
                a = 'usi:engine,option.threads=3,option.USI_Hash=64,ponder=on'";
    let spec = MatchSpec::from_keys(&MatchKeys::parse(text, "test").unwrap()).unwrap();
    let demand = Demand::of(&spec.conditions, &spec.seats, &ExternalEngines::default());
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
    let demand = |line: &str| {
        let keys = MatchKeys::parse(&format!("game = \"chess\"\n{line}"), "test").unwrap();
        let spec = MatchSpec::from_keys(&keys).unwrap();
        Demand::of(&spec.conditions, &spec.seats, &ExternalEngines::default())
    };
    assert_eq!(demand("").check_elsewhere(), Ok(()));
    let refused = demand("syzygy = \"tables\"").check_elsewhere().unwrap_err();
    assert!(refused.contains("--syzygy"), "{refused}");
}
