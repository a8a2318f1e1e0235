//! The engine half of Tanren: rules, search and evaluation as a library.
//!
//! Pipeline, in order; a module imports only the ones before it:
//! [`game`] -> [`config`] -> [`shogi`], [`chess`] -> [`perft`] -> [`mate`] -> [`eval`] -> [`ordering`] -> [`time`] -> [`search`] -> [`mod@bench`] -> [`protocol`].

pub mod bench;
pub mod chess;
pub mod config;
pub mod eval;
pub mod game;
pub mod mate;
pub mod ordering;
pub mod perft;
pub mod protocol;
pub mod search;
pub mod shogi;
pub mod time;

#[cfg(test)]
mod duel;
