//! The engine as a program: speaks USI on its standard streams, or measures itself with `bench [PLAYER]`.

use std::io::{self, Write};

use tanren_engine::config::Config;
use tanren_engine::game::Game;
use tanren_engine::protocol::Session;
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
        _ => format!(
            "unknown arguments '{}'; run without any to speak USI, or with 'bench [PLAYER]'",
            words.join(" ")
        ),
    };
    writeln!(io::stderr(), "{error}")?;
    std::process::exit(2)
}
