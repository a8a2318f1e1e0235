//! A match from a program of one's own: `cargo run --release -p tanren --example match`.
//!
//! Null-move reduction on against off; the folder goes on where it stopped when the example is run again.

use std::error::Error;
use std::path::PathBuf;

use tanren::{Console, Experiment, Manner, MatchFindings, RunOptions, describe};

fn main() -> Result<(), Box<dyn Error>> {
    let experiment = Experiment::from_toml(
        r#"
        command = "match"
        a = "base"
        b = "base,null_move=off"
        nodes = 1000
        pairs = 100
        "#,
    )?;
    let options = RunOptions {
        out: Some(PathBuf::from("results/example-match")),
        ..RunOptions::default()
    };
    let outcome = experiment.run(&options, &mut Console::new(Manner::Full))?;
    if let Some(found) = outcome.findings.of::<MatchFindings>() {
        let elo = found.match_state.estimates().elo;
        assert!(elo.low <= elo.high, "an interval has a lower and an upper end");
    }
    #[expect(clippy::print_stdout, reason = "an example prints its result")]
    {
        print!("{}", describe(&*outcome.findings));
    }
    Ok(())
}
