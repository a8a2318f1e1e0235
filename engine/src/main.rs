//! The engine as a program: speaks USI and UCI on its standard streams, measures itself with `bench`, counts moves with `perft`, or
//! tells what all its techniques search with `signatures`.

use std::io::{self, Write};

use tanren_engine::bench;
use tanren_engine::chess;
use tanren_engine::config::Config;
use tanren_engine::game::{Game, Position};
use tanren_engine::protocol::{Session, converse};
use tanren_engine::search::Searchable;
use tanren_engine::shogi;

const USAGE: &str = "run without any to speak USI (shogi) or UCI (chess), or with 'bench [GAME] [PLAYER]', \
                     'perft [GAME] DEPTH [POSITION]' or 'signatures'";

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words[..] {
        [] => return converse(io::stdin().lock(), io::stdout()),
        ["signatures"] => return signatures(&mut io::stdout().lock()),
        ["bench"] => bench("base", &[Game::Shogi, Game::Chess]),
        ["bench", word] => match Game::from_name(word) {
            Some(game) => bench("base", &[game]),
            None => bench(word, &[Game::Shogi]),
        },
        ["bench", game, player] => game_of(game).and_then(|game| bench(player, &[game])),
        ["perft", ref words @ ..] => perft(words),
        _ => Err(format!("unknown arguments '{}'; {USAGE}", words.join(" "))),
    };
    if let Err(error) = done {
        writeln!(io::stderr(), "{error}")?;
        std::process::exit(2)
    }
    Ok(())
}

fn game_of(name: &str) -> Result<Game, String> {
    Game::from_name(name).ok_or_else(|| format!("'{name}' is no game (expected shogi or chess)"))
}

/// Lines that a conversation about `game` is held with.
fn talk(game: Game, config: Config, lines: &str) -> Result<(), String> {
    let talked = match game {
        Game::Shogi => run::<shogi::Board>(config, lines),
        Game::Chess => run::<chess::Board>(config, lines),
    };
    talked.map_err(|error| error.to_string())
}

fn run<P: Searchable>(config: Config, lines: &str) -> io::Result<()> {
    Session::<P, _>::new(io::stdout())
        .with_config(config)
        .run(lines.as_bytes())
}

/// Measures a player.
fn bench(player: &str, games: &[Game]) -> Result<(), String> {
    for &game in games {
        let config = Config::parse(game, player).map_err(|error| format!("bench: {error}"))?;
        talk(game, config, "bench\n")?;
    }
    Ok(())
}

/// Counts the sequences of legal moves: `[GAME] DEPTH [POSITION]`.
fn perft(words: &[&str]) -> Result<(), String> {
    let game = words.first().and_then(|word| Game::from_name(word));
    let words = if game.is_some() { &words[1..] } else { words };
    let game = game.unwrap_or(Game::Shogi);
    let Some((depth, position)) = words.split_first() else {
        return Err(format!("perft: no depth; {USAGE}"));
    };
    let depth: u32 = depth
        .parse()
        .map_err(|_| format!("perft: '{depth}' is no depth"))?;
    let position = match position {
        [] => "startpos".to_owned(),
        words => words.join(" "),
    };
    let checked = match game {
        Game::Shogi => shogi::Board::parse(&position).err(),
        Game::Chess => chess::Board::parse(&position).err(),
    };
    if let Some(error) = checked {
        return Err(format!("perft: {error}"));
    }
    talk(
        game,
        Config::default(),
        &format!("position {position}\nperft {depth}\n"),
    )
}

/// Writes the file of signatures.
fn signatures(output: &mut impl Write) -> io::Result<()> {
    writeln!(output, "game,configuration,nodes")?;
    signatures_of::<shogi::Board>(output)?;
    signatures_of::<chess::Board>(output)
}

fn signatures_of<P: Searchable>(output: &mut impl Write) -> io::Result<()> {
    let game = P::GAME;
    for configuration in bench::configurations(game) {
        let config = Config::parse(game, &configuration).map_err(io::Error::other)?;
        let nodes = bench::brief::<P>(&config);
        let quote = if configuration.contains(',') { "\"" } else { "" };
        writeln!(output, "{},{quote}{configuration}{quote},{nodes}", game.name())?;
    }
    Ok(())
}
