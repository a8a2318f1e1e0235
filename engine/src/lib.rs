//! The engine half of Tanren: rules, search and evaluation as a library.
//!
//! A position goes in, a move and its reasons come out:
//!
//! ```
//! use tanren_engine::config::{Config, SettingError};
//! use tanren_engine::game::{Game, Path, Position};
//! use tanren_engine::search::{Searcher, Silent};
//! use tanren_engine::shogi::Board;
//! use tanren_engine::time::Limits;
//!
//! // The player as it ships, but for one technique.
//! let config = Config::parse(Game::Shogi, "base,null_move=off")?;
//! let position = Board::start();
//! let mut searcher = Searcher::new(&config, 1);
//! let report = searcher.search(&position, &Path::new(&position), &Limits::depth(5), &mut Silent);
//! assert_eq!(report.depth, 5);
//! assert_eq!(report.pv.first().copied(), report.best);
//! # Ok::<(), SettingError>(())
//! ```
//!
//! # A tour, in the order of the pipeline
//!
//! A module imports only the ones before it.
//!
//! 1. [`game`] is all that search may know of a game: a [`Position`](game::Position), the [`Path`](game::Path) that led to it.
//! 2. [`shogi`] and [`chess`] are the games, and know nothing of search or evaluation.
//! 3. [`perft`] counts leaves, the test of every rule at once.
//! 4. [`dfpn`] proves mates by checks alone.
//! 5. [`config`] declares every switch and number, each once: a [`Config`](config::Config) is a player, and is read from a text.
//! 6. [`eval`] says what a position is worth, by the weights of a configuration.
//! 7. `ordering` generates the moves of a node in stages and hands them out best first.
//! 8. [`time`] makes a soft and a hard bound of what a clock allows.
//! 9. [`search`] is a [`Searcher`](search::Searcher): alpha-beta with every technique behind a switch. An
//!    [`Observer`](search::Observer) is its clock and its listener, [`Counters`](search::Counters) hold what each technique did.
//! 10. [`mod@bench`] searches fixed positions: its nodes are the signature of a player.
//! 11. [`protocol`] speaks USI and UCI, and is the only module that reads, writes or looks at a clock.

pub mod bench;
pub mod build;
pub mod chess;
mod compiled;
pub mod config;
pub mod dfpn;
pub mod eval;
pub mod game;
mod large_pages;
mod named;
pub(crate) mod ordering;
pub mod perft;
pub mod protocol;
pub mod search;
pub mod shogi;
pub mod time;

#[cfg(test)]
mod duel;
