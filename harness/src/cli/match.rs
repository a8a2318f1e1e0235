//! `tanren match`.
//!
//! In: arguments. Out: a [`MatchFile`] and the options that change no result. Must not: check what the specification
//! checks.

use std::path::PathBuf;

use clap::Args;

use super::error::CliError;
use super::play::{PlayOptions, play_match};
use crate::config::MatchSpec;
use crate::config::wire::MatchFile;

/// Play A against B in pairs of games, both colours of each opening.
///
/// Without --a and --b: null-move reduction on against off; without --pairs and --sprt too, under an SPRT, in about a minute.
/// The same command on the same folder takes up where it stopped.
#[derive(Debug, Args)]
pub(super) struct MatchArgs {
    /// What is played: shogi or chess (shogi).
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// Player A: PRESET, PRESET,key=value,..., key=value,... or @file.toml (base).
    #[arg(long, value_name = "PLAYER")]
    a: Option<String>,
    /// Player B (base; without --a too: base,null_move=off).
    #[arg(long, value_name = "PLAYER")]
    b: Option<String>,
    /// Nodes a move (1000 if no limit is given).
    #[arg(long, value_name = "N", group = "limit")]
    nodes: Option<u64>,
    /// Depth of each move in plies.
    #[arg(long, value_name = "D", group = "limit")]
    depth: Option<u32>,
    /// Time for each move in milliseconds.
    #[arg(long, value_name = "MS", group = "limit")]
    movetime: Option<u64>,
    /// Nodes a move of A alone.
    #[arg(long, value_name = "N", group = "limit_a")]
    nodes_a: Option<u64>,
    /// Depth of A alone.
    #[arg(long, value_name = "D", group = "limit_a")]
    depth_a: Option<u32>,
    /// Time for each move of A alone in milliseconds.
    #[arg(long, value_name = "MS", group = "limit_a")]
    movetime_a: Option<u64>,
    /// Nodes a move of B alone.
    #[arg(long, value_name = "N", group = "limit_b")]
    nodes_b: Option<u64>,
    /// Depth of B alone.
    #[arg(long, value_name = "D", group = "limit_b")]
    depth_b: Option<u32>,
    /// Time for each move of B alone in milliseconds.
    #[arg(long, value_name = "MS", group = "limit_b")]
    movetime_b: Option<u64>,
    /// Most pairs (200; with --sprt one for each opening).
    #[arg(long, value_name = "N")]
    pairs: Option<u64>,
    /// Stop as soon as a sequential test is decided: elo0=0,elo1=5,alpha=0.05,beta=0.05,model=normalized|logistic.
    #[arg(long, value_name = "TEST")]
    sprt: Option<String>,
    /// One position a line (the built-in suite if absent).
    #[arg(long, value_name = "FILE")]
    openings: Option<String>,
    /// Orders the openings and varies the node limits (1).
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Hash table of each player in MiB (4).
    #[arg(long, value_name = "MIB")]
    hash: Option<usize>,
    /// Use openings again when there are more pairs than openings.
    #[arg(long)]
    repeat: bool,
    /// Vary the node limits of each game by up to this many percent (0).
    #[arg(long, value_name = "PERCENT")]
    node_jitter: Option<u32>,
    /// A game of so many plies is a draw; 0 for no limit (512).
    #[arg(long, value_name = "N")]
    max_plies: Option<u32>,
    /// The declaration rule: 27, 24 or off (27).
    #[arg(long, value_name = "RULE")]
    declaration: Option<String>,
    /// Part of the default folder's name.
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Where results go (results/<date>-<name> if absent); a folder with an unfinished match is taken up.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    options: PlayOptions,
}

impl MatchArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let spec = MatchSpec::from_file(&self.file())?;
        play_match(&spec, self.out.as_deref(), &self.options)
    }

    fn file(&self) -> MatchFile {
        MatchFile {
            command: None,
            name: self.name.clone(),
            game: self.game.clone(),
            a: self.a.clone(),
            b: self.b.clone(),
            nodes: self.nodes,
            nodes_a: self.nodes_a,
            nodes_b: self.nodes_b,
            depth: self.depth,
            depth_a: self.depth_a,
            depth_b: self.depth_b,
            movetime: self.movetime,
            movetime_a: self.movetime_a,
            movetime_b: self.movetime_b,
            pairs: self.pairs,
            sprt: self.sprt.clone(),
            openings: self.openings.clone(),
            seed: self.seed,
            hash: self.hash,
            repeat: self.repeat.then_some(true),
            node_jitter: self.node_jitter,
            max_plies: self.max_plies,
            declaration: self.declaration.clone(),
        }
    }
}
