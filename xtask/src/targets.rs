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
    /// What starts its programs where they do not run of themselves.
    runner: &'static str,
}

/// A line for each target.
#[rustfmt::skip]
pub(crate) const TARGETS: &[Target] = &[
    Target { triple: "x86_64-unknown-linux-musl", host: "linux", build: "zigbuild", runner: "qemu-x86_64-static" },
    Target { triple: "aarch64-unknown-linux-musl", host: "linux", build: "zigbuild", runner: "qemu-aarch64-static" },
];

impl Target {
    /// What must stand before the path of a program of this target.
    pub(crate) fn runner(&self) -> Option<&'static str> {
        let is_native = self.triple.starts_with(env::consts::ARCH) && self.triple.contains(env::consts::OS);
        (!is_native).then_some(self.runner)
    }

    /// What the name of a program ends with.
    pub(crate) fn exe(&self) -> &'static str {
        if self.triple.contains("windows") {
            ".exe"
        } else {
            ""
        }
    }
}
