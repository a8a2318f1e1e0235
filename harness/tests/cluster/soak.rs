//! `scripts/fleet_test.sh`: TANREN_EVENTS says how much befalls runs of every kind, TANREN_SEED in which order. It prints how often.

use std::collections::BTreeMap;
use std::fs;
use std::time::Instant;

use crate::number;
use crate::shell::{BOUND, Shell};
use crate::words::{befall, fleet, misfortunes, start_again};

const RUNS: [&str; 6] = [
    "match --a base --b base,null_move=off --nodes 300 --pairs 250",
    "match --a base --b plain --nodes 300 --pairs 400 --sprt elo0=0,elo1=60",
    "tournament --player base --player plain --player base,lmr=off --nodes 300 --pairs 70",
    "tune --method spsa --tune futility.* --iterations 60 --pairs-per-iteration 2 --nodes 300 --confirm-pairs 40",
    "odds --a base --b base,lmr=off --nodes 200 --pairs 120 --batch 20",
    "ablate --only lmr,null_move,futility --nodes 200 --pairs 40",
];

#[test]
#[ignore = "some minutes: scripts/fleet_test.sh"]
fn runs_of_every_kind_survive_hundreds_of_misfortunes() {
    let events = number("TANREN_EVENTS", 200);
    let shell = &mut Shell::new("", fleet());
    shell.run("fleet 3 proxied", "");
    shell.run("workers 3", "");
    shell.chance = number("TANREN_SEED", 1);
    let (mut done, mut refused) = (BTreeMap::<&str, u64>::new(), 0);
    let mut differences = Vec::new();
    for command in RUNS.iter().cycle() {
        shell.run(
            &format!("tanren {command} --cluster coordinator.toml --out fleet & run"),
            "",
        );
        let begun = Instant::now();
        let mut befell = Vec::new();
        // Not so many that it never ends.
        while shell.is_running("run") && befell.len() < 12 {
            shell.run("sleep 200 3000", "");
            let all = misfortunes();
            let (name, _) = all[shell.below(all.len() as u64) as usize];
            if shell.is_running("run") {
                befall(shell, name);
                befell.push(name);
                *done.entry(name).or_default() += 1;
            }
        }
        // The last of them may have begun while something was gone; a command that finds no server says so, and is given again.
        let is_over = |shell: &mut Shell| {
            shell.run("sleep 500", "");
            start_again(shell);
            let is_refused = !shell.is_running("run") && shell.said("run").contains("error: no NATS server");
            if is_refused {
                refused += 1;
                shell.run("again run", "");
            }
            !is_refused && !shell.is_running("run")
        };
        shell.until_it_is(BOUND, "over", is_over);
        let ended = shell.run("wait run", "");
        shell.run(&format!("tanren {command} --concurrency 2 --out local"), "");
        let other = shell.run("same local fleet", "");
        if ended.starts_with('?') || !other.is_empty() {
            differences.push(format!("{command}: {befell:?}; {ended}{other}"));
        }
        println!("{command}: {:.0} s, {befell:?}", begun.elapsed().as_secs_f64());
        shell.run("rm local fleet", "");
        if done.values().sum::<u64>() >= events {
            break;
        }
    }
    println!("{done:#?}\n{refused} commands found no server, and were given again");
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    // Nothing is there but workers and a server.
    let folder = shell.folder.canonicalize().unwrap();
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let here = entries.filter(|entry| fs::read_link(entry.path().join("cwd")).is_ok_and(|cwd| cwd == folder));
    assert!(
        here.count() <= shell.background().count(),
        "there is more than workers and a server"
    );
}
