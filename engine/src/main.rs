//! The engine as a program.

use std::io::{self, Write};

use tanren_engine::config::Config;
use tanren_engine::game::{Game, Position};
use tanren_engine::perft::DEPTH_MAX;
use tanren_engine::protocol::{ProtocolSession, converse};
use tanren_engine::search::Searchable;
use tanren_engine::{bench, build, chess, shogi};

const USAGE: &str = "\
usage: tanren-engine [--tunables]            speak USI (shogi) or UCI (chess), whichever the first line asks for
       tanren-engine bench [GAME] [PLAYER]   search fixed positions; the number of nodes is the player's signature
       tanren-engine perft [GAME] DEPTH [POSITION]
       tanren-engine signatures              print engine/signatures.csv
       tanren-engine --version               version, build and processor; -V the version alone

--tunables announces every setting as an option; 'setoption' takes them all without it, too";

const VERSION: &str = concat!("tanren-engine ", env!("CARGO_PKG_VERSION"));

/// What a release build is told, as `HASH DATE`.
fn details() -> String {
    let features: &[&str] = if cfg!(feature = "three-piece") {
        &["three-piece"]
    } else {
        &[]
    };
    build::lines(option_env!("TANREN_COMMIT").unwrap_or_default(), features, "")
}

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words[..] {
        [] => return converse(io::stdin().lock(), io::stdout(), false),
        ["--tunables"] => return converse(io::stdin().lock(), io::stdout(), true),
        ["--help" | "-h"] => return writeln!(io::stdout(), "{USAGE}"),
        ["-V"] => return writeln!(io::stdout(), "{VERSION}"),
        ["--version"] => return write!(io::stdout(), "{VERSION}\n{}", details()),
        ["signatures"] => return signatures(&mut io::stdout().lock()),
        ["bench"] => bench("base", &[Game::Shogi, Game::Chess]),
        ["bench", word] => match Game::from_name(word) {
            Some(game) => bench("base", &[game]),
            None => bench(word, &[Game::Shogi]),
        },
        ["bench", game, player] => game_of(game).and_then(|game| bench(player, &[game])),
        ["perft", ref words @ ..] => perft(words),
        _ => Err(format!("unknown arguments '{}'\n{USAGE}", words.join(" "))),
    };
    if let Err(error) = done {
        writeln!(io::stderr(), "{error}")?;
        std::process::exit(2)
    }
    Ok(())
}

fn game_of(name: &str) -> Result<Game, String> {
    Game::from_name(name).ok_or_else(|| format!("unknown game '{name}' (expected shogi or chess)"))
}

fn run(game: Game, config: Config, lines: &str) -> Result<(), String> {
    fn of_game<P: Searchable>(config: Config, lines: &str) -> io::Result<()> {
        let mut session = ProtocolSession::<P, _>::new(io::stdout());
        session.config = config;
        session.run(lines.as_bytes())
    }
    let run = match game {
        Game::Shogi => of_game::<shogi::Board>(config, lines),
        Game::Chess => of_game::<chess::Board>(config, lines),
    };
    run.map_err(|error| error.to_string())
}

fn bench(player: &str, games: &[Game]) -> Result<(), String> {
    for &game in games {
        let config = Config::parse(game, player).map_err(|error| format!("bench: {error}"))?;
        run(game, config, "bench\n")?;
    }
    Ok(())
}

fn perft(words: &[&str]) -> Result<(), String> {
    let game = words.first().and_then(|word| Game::from_name(word));
    let words = if game.is_some() { &words[1..] } else { words };
    let game = game.unwrap_or(Game::Shogi);
    let Some((depth, position)) = words.split_first() else {
        return Err(format!("perft: there is no depth\n{USAGE}"));
    };
    let number = depth.parse().ok().filter(|number| *number <= DEPTH_MAX);
    let depth: u32 =
        number.ok_or_else(|| format!("perft: '{depth}' is no depth (a number up to {DEPTH_MAX})"))?;
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
    run(
        game,
        Config::default(),
        &format!("position {position}\nperft {depth}\n"),
    )
}

fn signatures(output: &mut impl Write) -> io::Result<()> {
    writeln!(output, "game,configuration,nodes")?;
    for line in bench::signatures::<shogi::Board>()
        .iter()
        .chain(&bench::signatures::<chess::Board>())
    {
        writeln!(output, "{line}")?;
    }
    Ok(())
}
