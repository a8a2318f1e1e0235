//! The engines that tests start: those of the test tree, and the one of this workspace.

use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

/// The path of an engine of the test tree, built from the sources as they are.
pub(crate) fn example(name: &str) -> PathBuf {
    build();
    folder()
        .join("examples")
        .join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

/// The path of `tanren-engine`, built from the sources as they are.
pub(crate) fn own_engine() -> PathBuf {
    build();
    folder().join(format!("tanren-engine{}", std::env::consts::EXE_SUFFIX))
}

/// A run of some tests alone builds neither examples nor other packages. After `cargo test --workspace` this does nothing: a build of one
/// package would have fewer features of what it depends on, and compile all of that anew.
fn build() {
    static BUILT: OnceLock<()> = OnceLock::new();
    BUILT.get_or_init(build_all);
}

fn build_all() {
    if programs().is_some() {
        return;
    }
    let profile: &[&str] = if folder().ends_with("release") {
        &["--release"]
    } else {
        &[]
    };
    let mut cargo = Command::new(env!("CARGO"));
    cargo
        .args(["build", "--quiet", "--workspace", "--bins", "--examples"])
        .args(profile);
    // What cargo tells a test of its package, a build script of a dependency would take for a change, and all would be compiled
    // again, here and after.
    let told = |name: &str| {
        name == "OUT_DIR" || name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_")
    };
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(told) {
            cargo.env_remove(name);
        }
    }
    let status = cargo.status();
    assert!(status.unwrap().success(), "cargo build failed");
}

/// The folder that TANREN_PROGRAMS names: programs of another build, such as that for Windows, laid out like Cargo's.
pub(crate) fn programs() -> Option<PathBuf> {
    std::env::var_os("TANREN_PROGRAMS").map(PathBuf::from)
}

/// Where the binaries are.
fn folder() -> PathBuf {
    if let Some(folder) = programs() {
        return folder;
    }
    let test = std::env::current_exe().unwrap();
    test.parent().and_then(|deps| deps.parent()).unwrap().to_owned()
}

/// The engine of the test tree that does what these words say, as a player.
pub(crate) fn faulty(words: &str) -> String {
    format!("usi:{} {words}", example("fault_engine").display())
}
