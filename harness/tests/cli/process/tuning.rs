//! The options of another program are tuned as the numbers of the engine built in are.

use crate::engines::own_engine;
use crate::folder::{Ended, Folder, InFolder};

const SPACE: &str = "eval.hand.pawn, int, 100, 0, 400, 40, 0.02\nlmr.base, int, 700, 0, 4096, 300, 0.02\n";

#[test]
fn the_options_of_a_child_are_tuned_as_the_numbers_built_in_and_the_result_is_a_player() {
    let folder = &Folder::new();
    folder.write("space.txt", SPACE);
    let child = format!("usi:{} --tunables,name=child", own_engine().display());
    let tuned = |player: &str, out: &str| {
        let args = format!(
            "tune --space space.txt --nodes 100 --hash 1 --iterations 6 --no-confirm --method spsa \
            --quiet --player '{player}' --out {out}"
        );
        folder.run(&args).ok();
        let read = |name: &str| folder.read(format!("{out}/{name}"));
        (read("spsa.csv"), read("tuned.toml"))
    };
    let (inside, _) = tuned("base", "inside");
    let (outside, player) = tuned(&child, "outside");
    assert_eq!(inside, outside);
    assert!(player.contains("lmr.base"), "{player}");
    let args = "match --a @outside/tuned.toml --b plain --nodes 100 --pairs 1 --quiet";
    folder.run(args).ok();
}
