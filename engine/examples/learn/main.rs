//! Fits the values of `engine/src/eval/{shogi,chess}/learned.bin` to finished matches by logistic regression; docs/src/learning.md is
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
use features::Features;
use fit::{Fit, Steps};
use king_piece::KingPiece;
use tanren_engine::eval::{Evaluate, Evaluated};
use tanren_engine::game::Game;

const USAGE: &str = "usage: learn FOLDER... --out FILE [--epochs N] [--seed N] [--shrink N]
  FOLDER    a finished match (games.sfen or games.fen, games.csv)
  --out     the file of weights to write
  --from    a file of weights to start from, which the prior then holds to (none: weights of nothing)
  --chess   learn from chess: pieces on squares, relations of king and piece, and settings of the evaluation, which are printed
  --epochs  times that every position is used (4)
  --seed    orders the positions (1)
  --scores  weight of the scores of the searches beside the results, in percent; games.csa or games.pgn tells them (0)
  --shrink  positions that count as one against the prior, since those of one game are alike (1)";

struct Task {
    folders: Vec<PathBuf>,
    from: Option<PathBuf>,
    game: Game,
    out: PathBuf,
    steps: Steps,
}

fn number<T: std::str::FromStr>(name: &str, value: Option<String>) -> Result<T, String> {
    let value = value.ok_or_else(|| format!("{name} needs a value"))?;
    value
        .parse()
        .map_err(|_| format!("'{value}' is not a value of {name}: expected a number"))
}

fn task(mut arguments: impl Iterator<Item = String>) -> Result<Task, String> {
    let (mut folders, mut from, mut out, mut steps) = (Vec::new(), None, None, Steps::default());
    let mut game = Game::Shogi;
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--out" => out = arguments.next().map(PathBuf::from),
            "--from" => from = arguments.next().map(PathBuf::from),
            "--chess" => game = Game::Chess,
            "--epochs" => steps.epochs = number("--epochs", arguments.next())?,
            "--seed" => steps.seed = number("--seed", arguments.next())?,
            "--scores" => steps.scores = number::<u32>("--scores", arguments.next())? as f32 / 100.0,
            "--shrink" => steps.shrink = number("--shrink", arguments.next())?,
            name if name.starts_with('-') => return Err(format!("unknown option '{name}'\n{USAGE}")),
            folder => folders.push(PathBuf::from(folder)),
        }
    }
    if folders.is_empty() {
        return Err(format!("no folder of a match is given\n{USAGE}"));
    }
    if steps.epochs == 0 {
        return Err("--epochs must be at least 1".to_owned());
    }
    if steps.scores > 1.0 {
        return Err("--scores must be at most 100".to_owned());
    }
    let out = out.ok_or_else(|| format!("--out FILE is missing\n{USAGE}"))?;
    Ok(Task {
        folders,
        from,
        game,
        out,
        steps,
    })
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
    let done = task(std::env::args().skip(1)).and_then(|task| match task.game {
        Game::Shogi => run(&task, KingPiece),
        Game::Chess => run(&task, ChessKingPiece),
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}
