//! What `tanren tune` can do besides tuning.

use std::num::NonZero;

use clap::Args;
use tanren_engine::game::Game;

use super::kinds::{KindArgs, More};
use super::shared::{CliError, PlayArgs, Work as _, print_document};
use crate::config::{ADVANCED, PlayerSpec};
use crate::kinds::tune::TuneKeys;
use crate::kinds::tune::optimizer::expand;
use crate::report::SearchProgress;
use crate::session::folder::check_out;
use crate::tools::methods::{Comparison, compare_methods};

/// Options of the comparison of methods.
#[derive(Args)]
#[command(next_help_heading = ADVANCED)]
pub(super) struct BenchArgs {
    /// Compare the methods on synthetic landscapes instead; no engine plays.
    #[arg(hide = true, long)]
    bench: bool,
    /// Tunings of each kind with --bench.
    #[arg(hide = true, long, value_name = "N", default_value = "50", requires = "bench")]
    seeds: NonZero<u64>,
    /// With --bench: replace the file of --out if it exists.
    #[arg(hide = true, long, requires = "bench")]
    force: bool,
}

impl More<TuneKeys, PlayArgs> for BenchArgs {
    fn instead(&self, args: &KindArgs<TuneKeys, PlayArgs, BenchArgs>) -> Option<Result<(), CliError>> {
        self.bench.then(|| self.compare(args))
    }
}

impl BenchArgs {
    fn compare(&self, args: &KindArgs<TuneKeys, PlayArgs, BenchArgs>) -> Result<(), CliError> {
        let keys = &args.keys;
        let comparison = Comparison {
            games: keys.games.clone(),
            seeds: self.seeds.get(),
            pairs_per_iteration: keys.pairs_per_iteration.map_or(1, NonZero::get),
            lag: keys.lag.map_or(8, NonZero::get),
            seed: keys.conditions.openings.seed.unwrap_or(1),
        };
        let (out, printing) = (args.output.out.as_deref(), args.output.printing());
        if let Some(out) = out {
            check_out(out, self.force)?;
        }
        let options = args.work.keys.run_options(None)?;
        let mut progress = None;
        let found = compare_methods(comparison, &options, out, &mut |done, of| {
            if !printing.is_quiet {
                let progress = progress.get_or_insert_with(|| SearchProgress::of("comparison", of));
                progress.show(done);
                if done == of {
                    progress.end();
                }
            }
        })?;
        print_document(printing.is_json, &found)
    }
}

/// The lines of a space of the built-in engine's numbers.
pub(super) fn space_lines(game: Game, patterns: &[String]) -> Result<String, CliError> {
    let base = PlayerSpec::parse(game, "a", "base")?;
    let config = base.builtin()?;
    let off = |name| config.switched_off(game, name).map(|off| off.to_string());
    // What is off is for a player that has it on, if nothing else is asked for.
    let space = expand(game, config, patterns, &off).or_else(|_| expand(game, config, patterns, &|_| None));
    Ok(space.map_err(CliError::input)?.lines())
}
