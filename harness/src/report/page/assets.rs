//! The style and the scripts of a page.
//!
//! In: files that are compiled in. Out: their text.

/// The style of every page.
pub(super) const STYLE: &str = include_str!("assets/page.css");

/// The scripts, each a module that imports from those before it.
const MODULES: [&str; 3] = [
    include_str!("assets/position.js"),
    include_str!("assets/board.js"),
    include_str!("assets/page.js"),
];

/// All modules as one, so that a page needs no other file: what they import from each other stands above them.
pub(super) fn script() -> String {
    let lines = MODULES.iter().flat_map(|module| module.lines());
    let lines = lines.filter(|line| !line.starts_with("import "));
    let lines = lines.map(|line| line.strip_prefix("export ").unwrap_or(line));
    let mut script = String::new();
    for line in lines {
        script.push_str(line);
        script.push('\n');
    }
    script
}
