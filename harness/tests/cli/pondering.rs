//! Thinking on the opponent's time.

use crate::engines::own_engine;
use crate::folder::{Ended, Folder, InFolder};

#[test]
fn an_engine_that_ponders_hears_of_every_hit_and_is_stopped_after_every_miss_and_game() {
    let folder = &Folder::new();
    let engine = format!("usi:{},ponder=on", own_engine().display());
    // Every game ends while the engine thinks on.
    let fixed = "match --b plain --depth 3 --max-plies 21 --pairs 2 --quiet --concurrency 1";
    let log = format!("--engine-log talk --out m --a '{engine}'");
    folder.run(&format!("{fixed} {log}")).ok();
    let games = folder.read("m/games.csv");
    assert!(
        !games.contains("stall") && !games.contains("malformed_bestmove"),
        "{games}"
    );
    let talk = folder.read("talk/a-1.log");
    let (mut is_pondering, mut is_stopped) = (false, false);
    let (mut hits, mut misses) = (0, 0);
    for line in talk
        .lines()
        .filter_map(|line| line.split_once(' '))
        .map(|(_, said)| said)
    {
        if line.starts_with("> ") {
            assert!(!is_stopped, "'{line}' before the answer to 'stop'");
        }
        match line {
            _ if line.starts_with("> go ponder") => is_pondering = true,
            "> ponderhit" => {
                assert!(std::mem::take(&mut is_pondering));
                hits += 1;
            }
            "> stop" => {
                assert!(std::mem::take(&mut is_pondering));
                is_stopped = true;
                misses += 1;
            }
            _ if line.starts_with("< bestmove") => {
                assert!(!is_pondering, "an answer before the end of pondering");
                is_stopped = false;
            }
            _ => {}
        }
    }
    assert!(hits > 0 && misses > 0, "{hits} hits, {misses} misses");
}
