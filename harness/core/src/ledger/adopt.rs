//! Checksums for a ledger from before checksums.
//!
//! In: a ledger that is about to be played on. Out: the same with a checksum for all that it holds: from then on, changes
//! are seen. Must not: touch one that is only read.

use rusqlite::params;

use super::damage::{Item, ItemDamage};
use super::read::{PAIR_MAX, record};
use super::scan::{Part, ScanError, scan};
use super::{Ledger, LedgerError, schema, seal, search_rows};

impl Ledger {
    /// Adds the tables of later versions, and checksums over what is stored.
    ///
    /// # Errors
    /// Unreadable or damaged rows; SQLite's.
    pub(super) fn adopt(&mut self) -> Result<(), LedgerError> {
        if self.has_table(schema::SEARCHES)? {
            let searches = self.searches()?;
            let sums = searches
                .iter()
                .map(|search| Ok((search.job(), search_rows::checksum(self.salt, search)?)));
            let sums: rusqlite::Result<Vec<_>> = sums.collect();
            let sums = sums.map_err(|source| self.sqlite(source))?;
            return self.store_checksums(schema::CREATE_SEARCH_CHECKSUM, |insert| {
                sums.iter().try_for_each(|((config, position), sum)| {
                    let row = params![*config as i64, *position as i64, sum];
                    insert(schema::INSERT_SEARCH_CHECKSUM, row)
                })
            });
        }
        let sums = self.pair_sums()?;
        self.store_checksums(schema::CREATE_CHECKSUM, |insert| {
            sums.iter().try_for_each(|(pair, [outcome, moves])| {
                insert(schema::INSERT_CHECKSUM, params![pair, outcome, moves])
            })
        })
    }

    fn pair_sums(&self) -> Result<Vec<(i64, [i64; 2])>, LedgerError> {
        let mut sums = Vec::new();
        let extent = self.extent(Part::Everything, [0, PAIR_MAX])?;
        let mut damaged = None;
        let scanned = scan(&self.connection, extent, |stored| {
            match stored.and_then(|stored| record(&stored).map(|_| stored)) {
                Ok(stored) => {
                    let sum = stored.sums.map(Option::unwrap_or_default);
                    sums.push((stored.outcome.pair as i64, sum));
                }
                Err(damage) => damaged = damaged.take().or(Some(damage)),
            }
            Ok(())
        });
        scanned.map_err(|error: ScanError| self.scan_error(error))?;
        damaged.map_or(Ok(sums), |damage: ItemDamage| {
            debug_assert!(matches!(damage.item, Item::Pair(_)));
            Err(self.damaged(&damage))
        })
    }

    /// All in one transaction: a ledger has all of its checksums or none.
    fn store_checksums(
        &mut self,
        create: &str,
        fill: impl FnOnce(
            &mut dyn FnMut(&str, &[&dyn rusqlite::ToSql]) -> rusqlite::Result<()>,
        ) -> rusqlite::Result<()>,
    ) -> Result<(), LedgerError> {
        let is_of_pairs = create == schema::CREATE_CHECKSUM;
        let stored = self.connection.transaction().and_then(|transaction| {
            transaction.execute_batch(create)?;
            fill(&mut |statement, row| transaction.prepare_cached(statement)?.execute(row).map(drop))?;
            if is_of_pairs {
                super::create_later_tables(&transaction)?;
            }
            transaction.pragma_update(None, "user_version", schema::VERSION)?;
            seal::seal(&transaction)?;
            transaction.commit()
        });
        stored.map_err(|source| self.sqlite(source))?;
        self.is_checked = true;
        Ok(())
    }
}
