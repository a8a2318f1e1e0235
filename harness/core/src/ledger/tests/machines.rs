//! Who played pairs: it is proved as they are, and stays when a ledger is repaired.

use std::sync::Arc;

use super::proofs::{change, named};
use super::*;
use crate::record::{Host, Origin, Pace};

fn host(name: &str) -> Arc<Host> {
    Arc::new(Host {
        name: name.to_owned(),
        key: format!("U{name}"),
        cpu: "a processor".to_owned(),
        version: "1.0".to_owned(),
    })
}

/// Six pairs: the first was played here, the others by two machines in turn; a third is not believed, its pair is gone.
fn of_fleet(folder: &Path) -> Vec<PairRecord> {
    let pairs: Vec<PairRecord> = (0..7).map(|number| pair(number, [2, 1], 9)).collect();
    let hosts = [host("even"), host("odd"), host("liar")];
    let by = |pair: u64| Origin {
        host: Arc::clone(&hosts[if pair == 6 { 2 } else { pair as usize % 2 }]),
        table: format!("table {pair}"),
        pace: pair.is_multiple_of(3).then_some(Pace {
            nps: 1_000 + pair,
            reference_nps: 2_000,
        }),
        signature: vec![pair as u8; 64],
    };
    let mut ledger = Ledger::open_or_create(folder, &manifest(&[])).unwrap();
    for part in [&pairs[..3], &pairs[3..]] {
        let units = part.iter().map(|pair| {
            let origin = (pair.pair > 0).then(|| by(pair.pair));
            (Finished::Pair(pair.clone()), origin)
        });
        ledger.insert(&units.collect::<Vec<_>>()).unwrap();
    }
    let taken = ledger.distrust(&hosts[2], "it lied", false).unwrap();
    assert_eq!(taken, 1);
    ledger.mark_counted(6).unwrap();
    pairs[..6].to_vec()
}

/// Name and number of pairs of every machine, and whether it is believed.
fn machines(ledger: &Ledger) -> Vec<(String, u64, bool)> {
    let hosts = ledger.hosts().unwrap().into_iter();
    hosts
        .map(|host| (host.host.name, host.units, host.distrusted.is_none()))
        .collect()
}

fn signatures(ledger: &Ledger) -> Vec<(u64, String, Vec<u8>)> {
    let mut signed = Vec::new();
    ledger
        .for_each_origin(|pair, by| signed.push((pair, by.host.key.clone(), by.signature)))
        .unwrap();
    signed
}

#[test]
fn every_change_of_who_played_a_pair_is_seen_and_names_the_pair() {
    for statement in [
        "UPDATE origin SET host = 2 WHERE number = 3",
        "UPDATE origin SET host = 99 WHERE number = 3",
        "UPDATE origin SET table_digest = 'another' WHERE number = 3",
        "UPDATE origin SET signature = x'00' WHERE number = 3",
        "UPDATE origin SET signature = 'text' WHERE number = 3",
        "UPDATE origin SET nps = nps + 1 WHERE number = 3",
        "UPDATE origin SET reference_nps = NULL WHERE number = 3",
        "DELETE FROM origin WHERE number = 3",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let mut pairs = of_fleet(folder.path());
        assert_eq!(named(folder.path()), [0_i64; 0]);
        change(folder.path(), statement);
        assert_eq!(named(folder.path()), [3], "{statement}");
        // The others keep their machines, and the liar stays one.
        let ledger = Ledger::open_or_create(folder.path(), &manifest(&[])).unwrap();
        pairs.remove(3);
        assert_eq!(stored(&ledger), pairs, "{statement}");
        let known = machines(&ledger);
        let odd = known.iter().find(|(name, ..)| name == "odd").unwrap();
        let even = known.iter().find(|(name, ..)| name == "even").unwrap();
        assert_eq!((odd.1, even.1), (2, 2), "{statement}");
        assert_eq!(ledger.distrusted().unwrap(), ["liar"]);
        let kept: Vec<u64> = signatures(&ledger).iter().map(|(pair, ..)| *pair).collect();
        assert_eq!(kept, [1, 2, 4, 5]);
        for (pair, key, signature) in signatures(&ledger) {
            let key_of = ["Ueven", "Uodd"][pair as usize % 2];
            assert_eq!((key.as_str(), signature), (key_of, vec![pair as u8; 64]));
        }
    }
}

#[test]
fn every_change_of_a_machine_is_seen_and_nothing_of_it_is_believed() {
    for (statement, kept) in [
        ("UPDATE host SET name = 'other' WHERE name = 'odd'", vec![0, 2, 4]),
        (
            "UPDATE host SET cpu = 'other' WHERE name = 'even'",
            vec![0, 1, 3, 5],
        ),
        ("UPDATE host SET distrusted = NULL", vec![0, 1, 2, 3, 4, 5]),
        ("DELETE FROM host WHERE name = 'liar'", vec![0, 1, 2, 3, 4, 5]),
        (
            "UPDATE host SET distrusted = 'x' WHERE name = 'odd'",
            vec![0, 1, 2, 3, 4, 5],
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        of_fleet(folder.path());
        change(folder.path(), statement);
        let error = Ledger::open_existing(folder.path()).err().unwrap();
        assert!(
            matches!(error, LedgerError::Damaged { .. }),
            "{statement}: {error}"
        );
        let ledger = Ledger::open_or_create(folder.path(), &manifest(&[])).unwrap();
        let pairs: Vec<u64> = stored(&ledger).iter().map(|record| record.pair).collect();
        assert_eq!(pairs, kept, "{statement}");
        assert!(ledger.repaired().is_some());
        let of_machines: u64 = machines(&ledger).iter().map(|(_, pairs, _)| pairs).sum();
        assert_eq!(of_machines, kept.len() as u64 - 1, "{statement}");
    }
}

#[test]
fn pairs_and_their_machines_are_stored_together_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    of_fleet(folder.path());
    let mut ledger = Ledger::open_or_create(folder.path(), &manifest(&[])).unwrap();
    let origin = Origin {
        host: host("late"),
        table: "table".to_owned(),
        pace: None,
        signature: vec![1; 64],
    };
    let both = [9, 0].map(|number| (Finished::Pair(pair(number, [1, 1], 0)), Some(origin.clone())));
    assert!(ledger.insert(&both).is_err());
    assert!(!machines(&ledger).iter().any(|(name, ..)| name == "late"));
    drop(ledger);
    assert_eq!(named(folder.path()), [0_i64; 0]);
}
