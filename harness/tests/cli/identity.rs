//! What makes a run the same run, and the file that plays it again: with one changed title no folder resumes.

use std::fmt::Write;
use std::fs;

use tanren::Run;

use crate::folder::{Ended, Folder, InFolder};

const LINES: &str = "\
match --a base --b base,lmr=off --nodes 60 --pairs 1
match --nodes 60 --pairs 2
match --a base --b base --nodes-a 50 --depth-b 2 --pairs 1 --label-a one --label-b 'two, x'
match --a base,nodes=50,name=one --b base,depth=2 --pairs 1
match --a base --b base --nodes 60 --node-jitter 30 --seed 7 --pairs 2 --hash 8 --max-plies 40 --order sequential
match --a base --b base,lmr=off --nodes 60 --sprt elo0=-200,elo1=100 --pairs 3 --resign score=600,moves=3,both --draw from=9,moves=8,score=0
match --a base --b base,lmr=off --tc 1+0.05 --pairs 1 --max-plies 10 --whole-seconds --time-margin 300
match --a base --b base,lmr=off --byoyomi 20 --pairs 1 --max-plies 10 --byoyomi-a 10 --overhead 1
match --a base --b base,lmr=off --movetime 5 --pairs 1 --max-plies 10 --declaration off --repetition off
match --a base --b base --nodes 60 --pairs 2 --repeat --openings two.sfen --strict --on-fault all=stop,crash=replay --faults-max 10 --faults-in-a-row 0 --engine-memory 500 --startup-ms 9000 --stall-ms 8000 --name hello
match --game chess --a base --b base,lmr=off --nodes 60 --pairs 1
tournament --player base --player base,lmr=off --player base,nodes=9,name=x --nodes 50 --rounds 1
tournament --gauntlet 1 --anchor base=100 --player base --player \"{ name = 'half', player = 'base', nodes = 25 }\" --player base,lmr=off --nodes 50 --pairs 1 --sprt elo1=9
odds --b base,lmr=off --nodes 40 --pairs 2 --batch 1
odds --a base --b base --nodes 40 --depth-b 2 --pairs 2 --batch 2 --ratio-max 8 --label-a X --seed 4
ablate --only lmr --nodes 40 --pairs 1 --node-depth 2
ablate --only lmr --also lmr.base=500 --nodes 40 --pairs 1 --straddle-pairs 2 --node-depth 0 --max-plies 30 --label L
nodes --config base --config base,lmr=off --depth 2 --limit-positions 3 --hash 8
tune --space s.txt --nodes 40 --iterations 2 --pairs-per-iteration 2 --lag 2 --no-confirm --seed 5
tune --space s.txt --nodes 40 --games 4 --label me --confirm-sprt elo0=0,elo1=9 --confirm-pairs 1 --max-plies 30";

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
