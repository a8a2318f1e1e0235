//! Fits the values of `engine/src/eval/{shogi,chess}/learned.bin` to finished matches by logistic regression; docs/dev/learning.md is
//! the manual. The file does not depend on the number of cores.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program that reports what it does"
)]

mod chess_king_piece;
mod features;
mod fit;
mod games;
mod king_piece;
mod scores;

use std::path::PathBuf;
use std::process::ExitCode;

use chess_king_piece::ChessKingPiece;
use clap::Parser;
use features::Features;
use fit::{Fit, Steps};
use king_piece::KingPiece;
use tanren_engine::eval::{Evaluate, Evaluated};

/// Fits the values that the evaluation has learnt to finished matches, and prints the settings that go with them.
#[derive(Parser)]
struct Task {
    /// Finished matches (games.sfen or games.fen, games.csv)
    #[arg(required = true)]
    folders: Vec<PathBuf>,
    /// The file of weights to write
    #[arg(long)]
    out: PathBuf,
    /// A file of weights to start from, which the prior then holds to (none: weights of nothing)
    #[arg(long)]
    from: Option<PathBuf>,
    /// Learn from chess, not shogi
    #[arg(long)]
    chess: bool,
    #[command(flatten)]
    steps: Steps,
}

fn run<F: Features>(task: &Task, features: F) -> Result<(), String> {
    let mut games = games::Games::default();
    let evaluator = <F::Board as Evaluated>::Evaluator::new(&features.config());
    for folder in &task.folders {
        games.read::<F::Board>(folder, &evaluator, task.steps.scores > 0.0)?;
        println!(
            "{}: {} games so far, {} quiet positions to learn from, {} to validate on",
            folder.display(),
            games.count,
            games.training.len(),
            games.validation.len()
        );
    }
    if games.training.is_empty() || games.validation.is_empty() {
        return Err("the games have too few quiet positions to learn from".to_owned());
    }
    let prior = match &task.from {
        None => vec![0.0; features.count()],
        Some(path) => {
            let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
            features
                .read(&bytes)
                .ok_or_else(|| format!("{}: not a file of weights of this engine", path.display()))?
        }
    };
    let mut fit = Fit::new(&games.training, features, prior, task.steps);
    println!(
        "one logit is {:.1} centipawns of the evaluation as it is",
        fit.scale
    );
    if task.steps.scores > 0.0 {
        println!(
            "one logit is {:.1} centipawns of the searches",
            fit.searched_scale
        );
    }
    println!(
        "before: training loss {:.5}, validation loss {:.5}",
        fit.loss(&games.training),
        fit.loss(&games.validation)
    );
    for epoch in 1..=task.steps.epochs {
        let training = fit.epoch(&games.training, epoch);
        let validation = fit.loss(&games.validation);
        println!("epoch {epoch}: training loss {training:.5}, validation loss {validation:.5}");
    }
    for setting in fit.features.settings(&fit.weights) {
        println!("{setting}");
    }
    std::fs::write(&task.out, fit.features.bytes(&fit.weights))
        .map_err(|error| format!("{}: {error}", task.out.display()))
}

fn main() -> ExitCode {
    let task = Task::parse();
    let done = if task.chess {
        run(&task, ChessKingPiece)
    } else {
        run(&task, KingPiece)
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}
