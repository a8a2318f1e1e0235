//! Packs the built-in suites of openings into blocks that can be read one by one: files, and an expression that names them.

use std::error::Error;
use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;
use std::{env, fs};

use flate2::Compression;
use flate2::write::DeflateEncoder;

const LINES_PER_BLOCK: usize = 512;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    let crate_folder = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    // A package has copies of what the links in `openings` name; a checkout on Windows may have text in their place.
    let folders = ["../../openings", "openings"].map(|folder| crate_folder.join(folder));
    let folder = folders.iter().find(|folder| folder.join("shogi.sfen").is_file());
    let folder = folder.ok_or("there is no openings/shogi.sfen")?;
    let out = PathBuf::from(env::var("OUT_DIR")?);
    for name in ["shogi.sfen", "chess.epd", "shogi-nodes.sfen", "chess-nodes.epd"] {
        let path = folder.join(name);
        println!("cargo::rerun-if-changed={}", path.display());
        let text = fs::read_to_string(path)?;
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let mut blocks = String::new();
        for (index, lines) in lines.chunks(LINES_PER_BLOCK).enumerate() {
            let mut packed = DeflateEncoder::new(Vec::new(), Compression::default());
            packed.write_all(lines.concat().as_bytes())?;
            let block = format!("{name}.{index}");
            write!(blocks, "include_bytes!({block:?}), ")?;
            fs::write(out.join(block), packed.finish()?)?;
        }
        let lines = lines.len();
        let suite = format!(
            "PackedSuite {{ lines_per_block: {LINES_PER_BLOCK}, lines: {lines}, blocks: &[{blocks}] }}"
        );
        fs::write(out.join(format!("{name}.rs")), suite)?;
    }
    Ok(())
}
