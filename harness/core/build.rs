//! Packs the built-in suites of openings into blocks that can be read one by one.

use std::error::Error;
use std::io::Write;
use std::path::PathBuf;
use std::{env, fs};

use flate2::Compression;
use flate2::write::DeflateEncoder;

const LINES_PER_BLOCK: usize = 512;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    let folder = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("../../openings");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    for name in ["shogi.sfen", "chess.epd", "shogi-nodes.sfen", "chess-nodes.epd"] {
        let path = folder.join(name);
        println!("cargo::rerun-if-changed={}", path.display());
        let text = fs::read_to_string(path)?;
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let blocks = lines.chunks(LINES_PER_BLOCK).map(|lines| {
            let mut packed = DeflateEncoder::new(Vec::new(), Compression::default());
            packed.write_all(lines.concat().as_bytes())?;
            packed.finish()
        });
        let blocks = blocks.collect::<Result<Vec<Vec<u8>>, _>>()?;
        let whole = postcard::to_stdvec(&(LINES_PER_BLOCK, lines.len(), blocks))?;
        fs::write(out.join(name), whole)?;
    }
    Ok(())
}
