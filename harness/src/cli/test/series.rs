//! Commits that each play the first: Elo over versions.

use toml::{Table, Value};

use super::MatchArgs;
use super::build::Built;
use crate::cli::kinds::KindArgs;
use crate::cli::shared::{CliError, PgnArgs, ShardArgs};
use crate::config::{MatchKeys, TournamentKeys};

/// Pairs of each commit.
pub(super) const PAIRS: &str = "500";

/// A tournament has no such keys.
pub(super) fn check(keys: &MatchKeys) -> Result<(), CliError> {
    if keys.single_games || keys.of_a != Default::default() || keys.of_b != Default::default() {
        return Err(CliError::input(
            "--series plays every opening with both colours, under one limit for all: leave out --single-games and options of one side, such \
             as --tc-a",
        ));
    }
    Ok(())
}

/// A gauntlet of the first against all others.
pub(super) fn gauntlet(
    of: MatchArgs,
    built: &[Built],
    players: Vec<String>,
) -> KindArgs<TournamentKeys, ShardArgs, PgnArgs> {
    let player = built.iter().zip(players).map(|(one, player)| {
        let table = [("name", one.label.clone()), ("player", player)];
        let table = table.map(|(key, text)| (key.to_owned(), Value::from(text)));
        Value::Table(Table::from_iter(table)).to_string()
    });
    let MatchKeys {
        limit,
        length,
        games,
        timeouts,
        ..
    } = of.keys.clone();
    let keys = TournamentKeys {
        player: player.collect(),
        gauntlet: Some(1),
        anchor: built.first().map(|base| format!("{}=0", base.label)),
        limit,
        length,
        games,
        timeouts,
        ..TournamentKeys::default()
    };
    of.with_keys(keys)
}
