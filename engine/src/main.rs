//! The engine as a program: speaks USI on its standard streams, or measures itself with `bench`.

use std::io::{self, Write};

use tanren_engine::protocol::Session;
use tanren_engine::shogi::Board;

fn main() -> io::Result<()> {
    let session = Session::<Board, _>::new(io::stdout());
    match std::env::args().nth(1).as_deref() {
        None => session.run(io::stdin().lock()),
        Some("bench") => session.run(&b"bench\n"[..]),
        Some(other) => {
            writeln!(
                io::stderr(),
                "unknown argument '{other}'; run without arguments to speak USI, or with 'bench'"
            )?;
            std::process::exit(2)
        }
    }
}
