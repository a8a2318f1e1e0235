//! A whole ledger, read and checked.
//!
//! In: an open ledger. Out: its [`Condition`], and all that can be read of it. Must not: write.
//!
//! Usually one pass reads every row once. Where the file itself is damaged, parts of it are read, and smaller parts of
//! those that cannot be read, down to one pair.

use std::collections::BTreeSet;

use super::damage::{Condition, Damage, Item, ItemDamage};
use super::read::PAIR_MAX;
use super::scan::{Part, ScanError, StoredPair, scan};
use super::{Ledger, LedgerError, schema};
use crate::record::{PairRecord, Search};

/// Pairs that are read at once where not all can be.
const PART_PAIRS: usize = 256;

impl Ledger {
    /// Reads and checks everything.
    ///
    /// # Errors
    /// Not even what it says about its run can be read.
    pub fn examine(&self) -> Result<Condition, LedgerError> {
        let mut condition = Condition::default();
        let mut take = |is_whole: Result<(), ItemDamage>| match is_whole {
            Ok(()) => condition.whole += 1,
            Err(damage) => condition.damaged.push(damage),
        };
        let read = if self.has_table(schema::SEARCHES)? {
            let searches = self.gather(None);
            searches.map(|searches| searches.into_iter().for_each(|search| take(search.map(drop))))
        } else {
            self.scan_all(|stored| take(checked(stored)))
        };
        let Err(error) = read.and_then(|()| self.check_structure()) else {
            return Ok(condition);
        };
        if !error.is_damage() {
            return Err(error);
        }
        condition.file = Some(error.damage().to_owned());
        (condition.whole, condition.damaged) = (0, Vec::new());
        self.each_readable(&mut |stored| match checked(stored) {
            Ok(()) => condition.whole += 1,
            Err(damage) => condition.damaged.push(damage),
        })?;
        Ok(condition)
    }

    /// Hands every whole pair to `visit`, in schedule order, whatever else cannot be read.
    ///
    /// # Errors
    /// Nothing can be read.
    pub fn for_each_whole(&self, visit: &mut dyn FnMut(PairRecord)) -> Result<(), LedgerError> {
        if self.has_table(schema::SEARCHES)? {
            return Ok(());
        }
        self.each_readable(&mut |stored| {
            if let Ok(record) = stored.and_then(|stored| super::read::record(&stored)) {
                visit(record);
            }
        })
    }

    fn scan_all(&self, mut visit: impl FnMut(Result<StoredPair<'_>, ItemDamage>)) -> Result<(), LedgerError> {
        let extent = self.extent(Part::Everything, [0, PAIR_MAX])?;
        let scanned = scan(&self.connection, extent, |stored| {
            visit(stored);
            Ok(())
        });
        scanned.map_err(|error: ScanError| self.scan_error(error))
    }

    /// Hands every pair of which anything can be found to `visit`, whatever else cannot be read.
    pub(super) fn each_readable(
        &self,
        visit: &mut dyn FnMut(Result<StoredPair<'_>, ItemDamage>),
    ) -> Result<(), LedgerError> {
        let pairs: Vec<i64> = self.readable_pairs().into_iter().collect();
        pairs
            .chunks(PART_PAIRS)
            .try_for_each(|part| self.read_part(part, visit))
    }

    /// A part of the file that cannot be read is halved.
    fn read_part(
        &self,
        pairs: &[i64],
        visit: &mut dyn FnMut(Result<StoredPair<'_>, ItemDamage>),
    ) -> Result<(), LedgerError> {
        let (Some(&first), Some(&last)) = (pairs.first(), pairs.last()) else {
            return Ok(());
        };
        let extent = self.extent(Part::Everything, [first, last])?;
        let can_be_read = scan(&self.connection, extent, |_| Ok::<(), ScanError>(()));
        match can_be_read {
            Ok(()) => {
                let scanned = scan(&self.connection, extent, |stored| {
                    visit(stored);
                    Ok(())
                });
                scanned.map_err(|error: ScanError| self.scan_error(error))
            }
            Err(error) if pairs.len() == 1 => {
                let message = self.scan_error(error).damage().to_owned();
                visit(Err(ItemDamage {
                    item: Item::Pair(first),
                    what: Damage::Unreadable(message),
                }));
                Ok(())
            }
            Err(_) => {
                let (before, after) = pairs.split_at(pairs.len() / 2);
                self.read_part(before, visit)?;
                self.read_part(after, visit)
            }
        }
    }

    /// The numbers of pairs that any table knows, from both of its ends as far as it can be read.
    fn readable_pairs(&self) -> BTreeSet<i64> {
        let mut pairs = BTreeSet::new();
        let of_games = [schema::GAME, schema::MOVES];
        for table in [schema::PAIR, schema::GAME, schema::MOVES, schema::CHECKSUM] {
            let is_of_games = of_games.contains(&table);
            let key = if is_of_games { "game" } else { "pair" };
            for order in ["ASC", "DESC"] {
                let select = format!("SELECT {key} FROM {table} ORDER BY {key} {order}");
                // Whatever comes before the part that cannot be read.
                let _ = self.each_row(&select, [], |row| {
                    if let Ok(key) = row.get::<_, i64>(0) {
                        let pair = if is_of_games { key.div_euclid(2) } else { key };
                        pairs.extend((0..=PAIR_MAX).contains(&pair).then_some(pair));
                    }
                    Ok::<(), LedgerError>(())
                });
            }
        }
        pairs
    }

    /// The searches that are whole, of `configs` and `positions`, whatever else cannot be read.
    pub(super) fn readable_searches(&self, [configs, positions]: [usize; 2]) -> Vec<Search> {
        let jobs = (0..configs).flat_map(|config| (0..positions).map(move |position| (config, position)));
        let found = jobs.filter_map(|job| self.gather(Some(job)).ok());
        found.flatten().flatten().collect()
    }

    /// Looks at the order and the pointers of every table.
    fn check_structure(&self) -> Result<(), LedgerError> {
        self.quick_check("")
    }
}

/// Can everything of it be understood, and does it fit together?
fn checked(stored: Result<StoredPair<'_>, ItemDamage>) -> Result<(), ItemDamage> {
    let stored = stored?;
    let record = super::read::record(&stored)?;
    let noted = (stored.outcome.fingerprint, stored.outcome.is_mirrored);
    if noted == (record.fingerprint(), record.is_mirrored()) {
        return Ok(());
    }
    Err(ItemDamage {
        item: Item::Pair(record.pair as i64),
        what: Damage::OtherFingerprint,
    })
}
