//! Searches as rows.
//!
//! In: searches, a connection. Out: rows, and searches from rows.

use std::collections::BTreeMap;

use rusqlite::{Connection, Row, ToSql, params};

use super::checksum::{Checksum, Salt, values};
use super::damage::{Damage, Item, ItemDamage};
use super::machines::{Origins, create_tables, introduce};
use super::schema;
use crate::record::{Search, SearchIteration, Tried};

/// A position that a study searches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StudyPosition {
    /// Its line in its file, from 1.
    pub line: u32,
    /// The position, in the game's notation.
    pub text: String,
}

/// Tables and contents of a new study.
pub(super) fn begin(connection: &Connection, positions: &[StudyPosition]) -> rusqlite::Result<()> {
    connection.execute_batch(schema::CREATE_SEARCHES)?;
    connection.execute_batch(schema::CREATE_SEARCH_CHECKSUM)?;
    let mut statement = connection.prepare(schema::INSERT_POSITION)?;
    for (index, position) in positions.iter().enumerate() {
        statement.execute(params![index as i64, position.line, position.text])?;
    }
    Ok(())
}

/// Stores searches, and who made those that another machine made.
pub(super) fn insert(
    connection: &Connection,
    salt: Salt,
    searches: &[Search],
    origins: &Origins,
) -> rusqlite::Result<()> {
    if !origins.is_empty() {
        create_tables(connection)?;
    }
    let hosts = introduce(connection, origins)?;
    let positions: i64 = connection.query_row(schema::COUNT_POSITIONS, [], |row| row.get(0))?;
    let mut of_checksum = connection.prepare_cached(schema::INSERT_SEARCH_CHECKSUM)?;
    for search in searches {
        for_each_row(search, &mut |table, row| {
            let statement = if table == schema::SEARCHES {
                schema::INSERT_SEARCH
            } else {
                schema::INSERT_ITERATION
            };
            connection.prepare_cached(statement)?.execute(row).map(drop)
        })?;
        let (config, position) = (search.config as i64, search.position as i64);
        let mut checksum = begun(salt, search)?;
        let number = search.number(positions as usize);
        if let Some(origin) = origins.get(&number) {
            let (number, host) = (number as i64, &origin.host);
            // No search is by time.
            let no_pace: Option<i64> = None;
            let row = params![
                number,
                hosts[host],
                origin.table,
                origin.signature,
                no_pace,
                no_pace
            ];
            connection.prepare_cached(schema::INSERT_ORIGIN)?.execute(row)?;
            let of_host = params![host.name, host.key, host.cpu, host.version];
            checksum.stored(schema::ORIGIN, &[row, of_host].concat())?;
        }
        of_checksum.execute(params![config, position, checksum.value()])?;
    }
    Ok(())
}

/// Over all rows of `search` but its origin.
fn begun(salt: Salt, search: &Search) -> rusqlite::Result<Checksum> {
    let mut checksum = Checksum::default();
    checksum.begin(salt);
    for_each_row(search, &mut |table, row| checksum.stored(table, row))?;
    Ok(checksum)
}

/// Hears the table of a row, and its columns.
type Visit<'v> = &'v mut dyn FnMut(&str, &[&dyn ToSql]) -> rusqlite::Result<()>;

/// Hands the rows of `search` to `visit`, all columns in their order.
fn for_each_row(search: &Search, visit: Visit<'_>) -> rusqlite::Result<()> {
    let (config, position) = (search.config as i64, search.position as i64);
    visit(schema::SEARCHES, params![config, position, search.fault])?;
    search.iterations.iter().try_for_each(|iteration| {
        let row = params![
            config,
            position,
            iteration.depth,
            iteration.nodes as i64,
            iteration.time_us.map(|time_us| time_us as i64),
            iteration.score,
            iteration.pv.join(" "),
            encode(&iteration.tried),
        ];
        visit(schema::ITERATIONS, row)
    })
}

/// A search whose rows are being gathered.
struct Gathered {
    search: Search,
    checksum: Checksum,
    stored: Option<i64>,
    is_sensible: bool,
    has_row: bool,
}

/// Searches that are put together from the rows of their tables.
pub(super) struct Gathering {
    salt: Salt,
    /// How many configurations and positions there are.
    known: [usize; 2],
    jobs: BTreeMap<[i64; 2], Gathered>,
}

impl Gathering {
    pub(super) fn new(salt: Salt, known: [usize; 2]) -> Gathering {
        Gathering {
            salt,
            known,
            jobs: BTreeMap::new(),
        }
    }

    /// Takes in a row of `table`; those of the searches come first.
    pub(super) fn take(&mut self, table: &str, row: &Row<'_>) {
        let job = if table == schema::ORIGIN {
            let number: i64 = row.get(0).unwrap_or(-1);
            let positions = self.known[1].max(1) as i64;
            [number.div_euclid(positions), number.rem_euclid(positions)]
        } else {
            [0, 1].map(|column| row.get(column).unwrap_or(-1))
        };
        let gathered = self.gathered(job);
        if table == schema::CHECKSUM {
            gathered.stored = row.get(2).ok();
            return;
        }
        gathered.checksum.row(table, values(row));
        if table == schema::SEARCHES {
            gathered.has_row = true;
            let fault: rusqlite::Result<Option<String>> = row.get(2);
            gathered.is_sensible &= fault.is_ok();
            gathered.search.fault = fault.unwrap_or_default();
        } else if table == schema::ITERATIONS {
            let iteration = read_iteration(row);
            gathered.is_sensible &= iteration.is_some();
            gathered.search.iterations.extend(iteration);
        }
    }

    fn gathered(&mut self, job: [i64; 2]) -> &mut Gathered {
        let (salt, known) = (self.salt, self.known);
        self.jobs.entry(job).or_insert_with(|| {
            let [config, position] = job.map(|number| usize::try_from(number).unwrap_or(usize::MAX));
            let mut checksum = Checksum::default();
            checksum.begin(salt);
            Gathered {
                search: Search {
                    config,
                    position,
                    iterations: Vec::new(),
                    fault: None,
                },
                checksum,
                stored: None,
                is_sensible: config < known[0] && position < known[1],
                has_row: false,
            }
        })
    }

    /// The searches by configuration and position.
    pub(super) fn end(self) -> Vec<Result<Search, ItemDamage>> {
        let jobs = self.jobs.into_iter().map(|(job, gathered)| {
            let what = if !gathered.has_row {
                Some(Damage::Incomplete)
            } else if gathered.stored.is_none() {
                Some(Damage::NoChecksum)
            } else if gathered.stored != Some(gathered.checksum.value()) {
                Some(Damage::OtherSearch)
            } else if !gathered.is_sensible {
                Some(Damage::Senseless)
            } else {
                None
            };
            let item = Item::Search(job);
            what.map_or(Ok(gathered.search), |what| Err(ItemDamage { item, what }))
        });
        jobs.collect()
    }
}

/// Reads a row of the iterations after its job. `None`: the values make no sense.
fn read_iteration(row: &Row<'_>) -> Option<SearchIteration> {
    let pv = row.get_ref(6).ok()?.as_str().ok()?;
    let time_us: Option<i64> = row.get(4).ok()?;
    Some(SearchIteration {
        depth: row.get(2).ok()?,
        nodes: row.get::<_, i64>(3).ok()? as u64,
        time_us: time_us.map(|time_us| time_us as u64),
        score: row.get(5).ok()?,
        pv: pv.split_ascii_whitespace().map(str::to_owned).collect(),
        tried: decode(row.get_ref(7).ok()?.as_blob().ok()?)?,
    })
}

/// Tries and successes, eight bytes each, lowest first.
pub(super) fn encode(tried: &[Tried]) -> Vec<u8> {
    let numbers = tried.iter().flat_map(|tried| [tried.tries, tried.successes]);
    numbers.flat_map(u64::to_le_bytes).collect()
}

pub(super) fn decode(bytes: &[u8]) -> Option<Vec<Tried>> {
    let (numbers, rest) = bytes.as_chunks::<8>();
    let (pairs, odd) = numbers.as_chunks::<2>();
    let tried = pairs.iter().map(|[tries, successes]| Tried {
        tries: u64::from_le_bytes(*tries),
        successes: u64::from_le_bytes(*successes),
    });
    (rest.is_empty() && odd.is_empty()).then(|| tried.collect())
}
