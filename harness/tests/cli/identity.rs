//! What makes a run the same run, and the file that plays it again: with one changed title no folder resumes.

use std::fmt::Write;
use std::fs;

use tanren::Run;

use crate::folder::{Ended, Folder, InFolder};

const LINES: &str = include_str!("identities.txt");

#[test]
fn identities_and_files_of_runs_stay_what_they_are() {
    let mut text = String::new();
    for line in LINES.lines() {
        let folder = &Folder::new();
        let first = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n";
        let second = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3\n";
        folder.write("two.sfen", format!("{first}{second}"));
        folder.write("s.txt", "lmr.base, int, 500, 0, 1000, 50, 0.002\n");
        folder.run(&format!("{line} --quiet --out o")).ok();
        let run = Run::open(&folder.join("o")).unwrap();
        writeln!(text, "$ tanren {line}").unwrap();
        // The engine may change.
        for (title, value) in run
            .manifest
            .identity
            .entries()
            .filter(|(title, _)| *title != "engine")
        {
            writeln!(text, "  {title}: {value}").unwrap();
        }
        text += &fs::read_to_string(folder.join("o/run.toml")).unwrap_or_default();
    }
    insta::assert_snapshot!(text);
}
