//! The style and the scripts of a page.

pub(super) const STYLE: &str = concat!(include_str!("assets/page.css"), include_str!("assets/chart.css"));

const MODULES: [&str; 3] = [
    include_str!("assets/position.js"),
    include_str!("assets/board.js"),
    include_str!("assets/page.js"),
];

#[cfg(feature = "web")]
const BOARDS: &str = include_str!("assets/boards.js");

#[cfg(feature = "web")]
const CONTROL: &str = include_str!("assets/control.js");

/// All modules as one, so that a page needs no other file: what they import from each other stands above them.
pub(super) fn script() -> String {
    joined(&[])
}

#[cfg(feature = "web")]
pub(super) fn live_script() -> String {
    joined(&[BOARDS, include_str!("assets/live.js"), CONTROL])
}

#[cfg(feature = "web")]
pub(super) fn index_script() -> String {
    joined(&[include_str!("assets/index.js"), CONTROL])
}

fn joined(more: &[&str]) -> String {
    let lines = MODULES.iter().chain(more).flat_map(|module| module.lines());
    let lines = lines.filter(|line| !line.starts_with("import "));
    let lines = lines.map(|line| line.strip_prefix("export ").unwrap_or(line));
    lines.flat_map(|line| [line, "\n"]).collect()
}
