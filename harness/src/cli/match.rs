//! `tanren match`.
//!
//! In: arguments. Out: a [`MatchFile`] and the options that change no result. Must not: check what the specification
//! checks.

use std::path::PathBuf;

use clap::Args;

use super::shared::{CliError, PlayArgs};
use crate::config::MatchSpec;
use crate::config::wire::{MatchFile, PlayerTables};
use crate::experiment::{Experiment, RunOptions};

const EXAMPLES: &str = "\
Examples:
  tanren match --a base --b base,null_move=off --nodes 2000 --pairs 200
      a technique on against off, a fixed number of pairs
  tanren match --a null_move.reduction=2 --b base --nodes 2000 --sprt elo0=0,elo1=5
      a changed number, stopped as soon as the test is decided
  tanren match --a usi:./new --b usi:./old --tc 10+0.1 --sprt elo0=0,elo1=5 --out results/new-vs-old
      the new build of an engine against the old one
  tanren match --game chess --a base --b uci:stockfish,option.Threads=1 --nodes-a 20000 --nodes-b 500
      chess, against another program with fewer nodes";

/// Play A against B in pairs of games, both colours of each opening.
///
/// Without --a and --b: null-move reduction on against off; without --pairs and --sprt too, under an SPRT, in about a minute.
/// The same command on the same folder takes up where it stopped.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct MatchArgs {
    /// What is played: shogi or chess (shogi).
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// Player A: PRESET, PRESET,key=value,..., key=value,..., usi:COMMAND,option.NAME=value,... or @file.toml (base).
    #[arg(long, value_name = "PLAYER")]
    a: Option<String>,
    /// Player B (base; without --a too: base,null_move=off).
    #[arg(long, value_name = "PLAYER")]
    b: Option<String>,
    /// What reports call A, instead of --a itself or its file's name.
    #[arg(long, value_name = "LABEL")]
    label_a: Option<String>,
    /// What reports call B.
    #[arg(long, value_name = "LABEL")]
    label_b: Option<String>,
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
    /// Game clock, BASE+INC in seconds: 10+0.1, 5:00+3; together with --byoyomi or alone.
    #[arg(long, value_name = "BASE+INC")]
    tc: Option<String>,
    /// Game clock of A alone.
    #[arg(long, value_name = "BASE+INC")]
    tc_a: Option<String>,
    /// Game clock of B alone.
    #[arg(long, value_name = "BASE+INC")]
    tc_b: Option<String>,
    /// Milliseconds for each move when the clock is used up.
    #[arg(long, value_name = "MS")]
    byoyomi: Option<u64>,
    /// Byoyomi of A alone.
    #[arg(long, value_name = "MS")]
    byoyomi_a: Option<u64>,
    /// Byoyomi of B alone.
    #[arg(long, value_name = "MS")]
    byoyomi_b: Option<u64>,
    /// How far a move may overstep a game clock before the game is lost (100).
    #[arg(long, value_name = "MS")]
    time_margin: Option<u64>,
    /// What a built-in player leaves unused of what a game clock allows (30).
    #[arg(long, value_name = "MS")]
    overhead: Option<u64>,
    /// Take only the whole seconds of each move off a game clock, as in shogi tournaments.
    #[arg(long)]
    whole_seconds: bool,
    /// Most pairs (200; with --sprt one for each opening).
    #[arg(long, value_name = "N")]
    pairs: Option<u64>,
    /// Stop as soon as a sequential test is decided: elo0=0,elo1=5,alpha=0.05,beta=0.05,model=normalized|logistic.
    #[arg(long, value_name = "TEST")]
    sprt: Option<String>,
    /// One position a line (the built-in suite if absent).
    #[arg(long, value_name = "FILE")]
    openings: Option<String>,
    /// The order in which openings are used, none again before all were: random or sequential (random).
    #[arg(long, value_name = "ORDER")]
    order: Option<String>,
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
    /// Does a repetition end the game: on or off (on).
    #[arg(long, value_name = "RULE")]
    repetition: Option<String>,
    /// A player that sees itself so far behind for so many moves in a row loses: score=600,moves=3[,both]; with both, its
    /// opponent must agree (off).
    #[arg(long, value_name = "RULE")]
    resign: Option<String>,
    /// A game in which both see no advantage for so many moves is a draw: from=40,moves=8,score=10, from in plies (off).
    #[arg(long, value_name = "RULE")]
    draw: Option<String>,
    /// How long another program may take to start and to be ready, in milliseconds (10000).
    #[arg(long, value_name = "MS")]
    startup_ms: Option<u64>,
    /// How long another program may take for a move without a limit in time, in milliseconds (10000).
    #[arg(long, value_name = "MS")]
    stall_ms: Option<u64>,
    /// What follows from a fault: KIND=loss|replay|stop,... with kinds as in docs/src/engines.md or all; replay:N plays the pair
    /// again N times at most, replay alone 3 times (all=loss).
    #[arg(long, value_name = "POLICY")]
    on_fault: Option<String>,
    /// Part of the default folder's name.
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Where results go (results/<date>-<name> if absent); a folder with an unfinished match is taken up.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    play: PlayArgs,
}

impl MatchArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let (experiment, options) = self.experiment()?;
        self.play.printing().run(&experiment, &options)
    }

    /// What is to be played, and how.
    pub(super) fn experiment(&self) -> Result<(Experiment, RunOptions), CliError> {
        let spec = MatchSpec::from_file(&self.file())?;
        let options = self.play.run_options(self.out.as_deref());
        Ok((Experiment::Match(Box::new(spec)), options))
    }

    fn file(&self) -> MatchFile {
        MatchFile {
            command: None,
            name: self.name.clone(),
            game: self.game.clone(),
            a: self.a.clone(),
            b: self.b.clone(),
            label_a: self.label_a.clone(),
            label_b: self.label_b.clone(),
            nodes: self.nodes,
            nodes_a: self.nodes_a,
            nodes_b: self.nodes_b,
            depth: self.depth,
            depth_a: self.depth_a,
            depth_b: self.depth_b,
            movetime: self.movetime,
            movetime_a: self.movetime_a,
            movetime_b: self.movetime_b,
            tc: self.tc.clone(),
            tc_a: self.tc_a.clone(),
            tc_b: self.tc_b.clone(),
            byoyomi: self.byoyomi,
            byoyomi_a: self.byoyomi_a,
            byoyomi_b: self.byoyomi_b,
            time_margin: self.time_margin,
            overhead: self.overhead,
            whole_seconds: self.whole_seconds.then_some(true),
            pairs: self.pairs,
            sprt: self.sprt.clone(),
            openings: self.openings.clone(),
            order: self.order.clone(),
            seed: self.seed,
            hash: self.hash,
            repeat: self.repeat.then_some(true),
            node_jitter: self.node_jitter,
            max_plies: self.max_plies,
            declaration: self.declaration.clone(),
            repetition: self.repetition.clone(),
            resign: self.resign.clone(),
            draw: self.draw.clone(),
            startup_ms: self.startup_ms,
            stall_ms: self.stall_ms,
            on_fault: self.on_fault.clone(),
            player: PlayerTables::new(),
        }
    }
}
