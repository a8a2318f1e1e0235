//! The `tanren` binary as a user meets it. One binary of tests: each would link the whole program.
#![expect(clippy::unwrap_used, reason = "a helper of tests may panic")]

mod ablate;
mod both_games;
mod chess_files;
#[cfg(feature = "cluster")]
mod cluster_init;
mod command_line;
#[path = "../common/mod.rs"]
mod common;
mod damage;
mod declarations;
#[path = "../common/engines.rs"]
mod engines;
#[path = "../common/folder.rs"]
mod folder;
mod game_ends;
mod identity;
#[cfg(unix)]
mod interruption;
mod json;
mod million;
mod nodes;
#[cfg(all(unix, feature = "web"))]
mod notify;
mod odds;
mod openings;
mod page;
mod process;
mod queue;
mod records;
mod statistics;
#[cfg(target_arch = "x86_64")]
mod syzygy;
mod tournament;
mod tune;
mod verify;

#[cfg(unix)]
fn signal(pid: u32, name: &str) {
    let status = std::process::Command::new("kill")
        .args(["-s", name, &pid.to_string()])
        .status();
    assert!(status.unwrap().success());
}
