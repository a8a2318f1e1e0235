//! The engine as a program: speaks USI on its standard streams, measures itself with `bench [PLAYER]`, or tells what all its
//! techniques search with `signatures`.

use std::io::{self, Write};

use tanren_engine::bench;
use tanren_engine::chess;
use tanren_engine::config::Config;
use tanren_engine::game::Game;
use tanren_engine::protocol::Session;
use tanren_engine::search::Searchable;
use tanren_engine::shogi::Board;

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let session = Session::<Board, _>::new(io::stdout());
    let error = match words[..] {
        [] => return session.run(io::stdin().lock()),
        ["bench"] => return session.run(&b"bench\n"[..]),
        ["bench", player] => match Config::parse(Game::Shogi, player) {
            Ok(config) => return session.with_config(config).run(&b"bench\n"[..]),
            Err(error) => format!("bench: {error}"),
        },
        ["signatures"] => return signatures(&mut io::stdout().lock()),
        _ => format!(
            "unknown arguments '{}'; run without any to speak USI, or with 'bench [PLAYER]' or 'signatures'",
            words.join(" ")
        ),
    };
    writeln!(io::stderr(), "{error}")?;
    std::process::exit(2)
}

/// Writes the file of signatures.
fn signatures(output: &mut impl Write) -> io::Result<()> {
    writeln!(output, "game,configuration,nodes")?;
    signatures_of::<Board>(output)?;
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
