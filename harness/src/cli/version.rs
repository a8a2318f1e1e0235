//! `tanren --version`; `tanren -V` is its first line.

use tanren_engine::build;

use crate::ledger::FORMAT;
use crate::platform;

/// What a report of a fault should say.
pub(super) fn text() -> String {
    let features = [
        ("cluster", cfg!(feature = "cluster")),
        ("three-piece", cfg!(feature = "three-piece")),
        ("web", cfg!(feature = "web")),
    ];
    let features: Vec<&str> = features
        .iter()
        .filter(|(_, is_on)| *is_on)
        .map(|(name, _)| *name)
        .collect();
    let build = build::lines(env!("TANREN_COMMIT"), &features, &platform::processor());
    let address = match env!("CARGO_PKG_HOMEPAGE") {
        "" => String::new(),
        address => format!("home: {address}\n"),
    };
    format!(
        "tanren {}\n{build}ledger format: {FORMAT}\n{address}",
        env!("CARGO_PKG_VERSION")
    )
}
