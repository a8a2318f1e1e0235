//! Scripts of fastchess as their users write them, with this program behind the name.

use std::fs;
use std::process::Command;

use crate::engines::own_engine;
use crate::folder::{Folder, InFolder, holds};

/// A shell takes it as it stands; the engines and the book are those of the test.
const SCRIPT: &str = r#"
fastchess \
  -engine cmd=./engine name=new option.Hash=2 \
  -engine cmd=./engine name=old \
  -openings file=book.epd format=epd order=random \
  -each tc=0:00.3+0.01 proto=uci option.Hash=1 \
  -resign movecount=3 score=600 \
  -draw movenumber=34 movecount=8 score=20 \
  -sprt elo0=0 elo1=2 alpha=0.05 beta=0.05 \
  -rounds 2 -repeat -concurrency 1 -recover -ratinginterval 10 \
  -pgnout notation=san nodes=true file=./games/sprt.pgn
"#;

#[test]
fn a_script_of_fastchess_runs_unchanged_with_our_engine() {
    let folder = &Folder::new();
    std::os::unix::fs::symlink(own_engine(), folder.join("engine")).unwrap();
    let book = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - hmvc 0; fmvn 2;\n\
                rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - hmvc 0; fmvn 2;\n";
    folder.write("book.epd", book);
    fs::create_dir(folder.join("games")).unwrap();
    let played = Command::new("sh")
        .args([
            "-c",
            &format!("fastchess() {{ \"$TANREN\" fastchess \"$@\"; }}\n{SCRIPT}"),
        ])
        .env("TANREN", env!("CARGO_BIN_EXE_tanren"))
        .current_dir(folder)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&played.stderr);
    assert_eq!(played.status.code(), Some(0), "{said}");
    let expected = "tanren match --game chess --a uci:./engine,option.Hash=1,name=new --b uci:./engine,option.Hash=1,name=old \
                    --tc 0.3+0.01 --pairs 2 --sprt elo0=0,elo1=2,alpha=0.05,beta=0.05";
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains(expected), "{said}");
    let pgn = folder.read("games/sprt.pgn");
    assert_eq!(pgn.matches("[Event ").count(), 4, "{pgn}");
    holds(
        &pgn,
        ["[Opening \"Sicilian Defense", "[TimeControl \"0.3+0.01\"]"],
    );
}
