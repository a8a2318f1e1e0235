//! What a release is built for.

use std::env;

/// A system that a release is built for.
pub(crate) struct Target {
    /// Its name for Rust.
    pub(crate) triple: &'static str,
    /// The system on which it is built, as `std::env::consts::OS` says it.
    pub(crate) host: &'static str,
    /// The command of Cargo: `build`, or `zigbuild`, which has the C compiler and the linker of Zig.
    pub(crate) build: &'static str,
    /// What starts its programs where they do not run of themselves; empty if they always do.
    runner: &'static str,
    /// The platforms on which `pip` installs it, with dots between them.
    pub(crate) wheel: &'static str,
    /// Whether there is a Debian package.
    pub(crate) deb: bool,
    /// How large `tanren` may be.
    pub(crate) max_mb: f64,
}

/// A line for each target.
#[rustfmt::skip]
pub(crate) const TARGETS: &[Target] = &[
    Target { triple: "x86_64-unknown-linux-musl", host: "linux", build: "zigbuild", runner: "qemu-x86_64-static", wheel: "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64", deb: true, max_mb: 20.0 },
    Target { triple: "aarch64-unknown-linux-musl", host: "linux", build: "zigbuild", runner: "qemu-aarch64-static", wheel: "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64", deb: true, max_mb: 20.0 },
    Target { triple: "x86_64-pc-windows-gnu", host: "linux", build: "zigbuild", runner: "wine", wheel: "win_amd64", deb: false, max_mb: 23.0 },
    // Apple's SDK is on macOS alone; Rosetta runs the programs of the other processor.
    Target { triple: "x86_64-apple-darwin", host: "macos", build: "build", runner: "", wheel: "macosx_10_12_x86_64", deb: false, max_mb: 20.0 },
    Target { triple: "aarch64-apple-darwin", host: "macos", build: "build", runner: "", wheel: "macosx_11_0_arm64", deb: false, max_mb: 20.0 },
];

impl Target {
    /// What must stand before the path of a program of this target.
    pub(crate) fn runner(&self) -> Option<&'static str> {
        let is_native = self.triple.starts_with(env::consts::ARCH) && self.triple.contains(env::consts::OS);
        (!is_native && !self.runner.is_empty()).then_some(self.runner)
    }

    /// What the name of a program ends with.
    pub(crate) fn exe(&self) -> &'static str {
        if self.triple.contains("windows") {
            ".exe"
        } else {
            ""
        }
    }

    /// The commands that a release of it calls.
    pub(crate) fn tools(&self) -> impl Iterator<Item = &'static str> {
        let zig = (self.build == "zigbuild").then_some("cargo-zigbuild");
        let deb = self.deb.then_some("cargo-deb");
        ["cargo-auditable", "cargo-cyclonedx"]
            .into_iter()
            .chain(zig)
            .chain(deb)
            .chain(self.runner())
    }
}
