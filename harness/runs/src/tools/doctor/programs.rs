//! What is around: engines, a browser, a server for fleets, the terminal.

use std::env;

use console::Term;

use super::{Check, Mark, list_of};
use crate::config::{EngineProtocol, ProcessSpec};
use crate::document::text::Text;
use crate::platform::BROWSER;
use crate::player::program_path;
use crate::tools::engines::names_and_faults;

/// Names of programs that are engines wherever they are found.
const ENGINES: [&str; 20] = [
    "stockfish",
    "fairy-stockfish",
    "lc0",
    "berserk",
    "ethereal",
    "obsidian",
    "viridithas",
    "weiss",
    "laser-chess",
    "toga2",
    "fruit",
    "glaurung",
    "gpsusi",
    "YaneuraOu",
    "YaneuraOu-by-gcc",
    "apery",
    "dlshogi",
    "gikou",
    "Suisho5",
    "Hao",
];

fn has(program: &str) -> bool {
    ProcessSpec::new(EngineProtocol::Uci, program).is_ok_and(|spec| program_path(&spec).is_ok())
}

pub(super) fn checks() -> Vec<Check> {
    let mut checks = vec![engines(), browser()];
    if cfg!(feature = "cluster") {
        checks.push(server());
    }
    checks.push(terminal());
    checks
}

fn engines() -> Check {
    let library: Vec<(String, Option<String>)> = names_and_faults().collect();
    let names: Vec<String> = library.iter().map(|(name, _)| format!("@{name}")).collect();
    let found: Vec<&str> = ENGINES.into_iter().filter(|name| has(name)).collect();
    let [in_library, on_path] = [names.join(", "), found.join(", ")];
    let parts = [
        (in_library, Text::template("in the library: {engines}")),
        (on_path, Text::template("on the PATH: {engines}")),
    ];
    let parts = parts.into_iter().filter(|(engines, _)| !engines.is_empty());
    let parts = parts.map(|(engines, template)| Text::filled(template, &[("engines", &engines)]));
    let (name, all) = (Text::new("engines"), list_of(parts));
    let Some(detail) = all else {
        let detail = Text::new("none known on the PATH; the built-in engine plays both games");
        return Check::new(name, Mark::Absent, detail);
    };
    let fault = library
        .iter()
        .find_map(|(name, fault)| Some((name, fault.as_ref()?)));
    let Some((engine, fault)) = fault else {
        return Check::new(name, Mark::Ok, detail);
    };
    let remedy = Text::filled(
        "@{engine} cannot play ({fault}): add it again, see tanren engines list.",
        &[("engine", engine), ("fault", fault)],
    );
    Check::new(name, Mark::Warning, detail).remedy(remedy)
}

fn browser() -> Check {
    let name = Text::new("browser");
    let has_screen = cfg!(not(all(unix, not(target_os = "macos"))))
        || ["DISPLAY", "WAYLAND_DISPLAY"]
            .iter()
            .any(|name| env::var_os(name).is_some());
    if has_screen && has(BROWSER[0]) {
        return Check::new(name, Mark::Ok, Text::new("tanren serve --open starts it"));
    }
    let detail = Text::new("none here; tanren serve prints the address to open");
    Check::new(name, Mark::Absent, detail)
}

fn server() -> Check {
    let name = Text::new("NATS");
    if has("nats-server") {
        return Check::new(name, Mark::Ok, Text::new("nats-server is on the PATH"));
    }
    Check::new(
        name,
        Mark::Absent,
        Text::new("no nats-server on the PATH; only a fleet needs it"),
    )
}

const COLUMNS: u16 = 80;

/// Does a terminal take more than ASCII, as far as it says? What is no terminal takes it.
pub(super) fn shows_utf8() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .filter_map(|name| env::var(name).ok());
    let locale = locale
        .into_iter()
        .find(|locale| !locale.is_empty())
        .unwrap_or_default();
    let locale = locale.to_lowercase();
    cfg!(windows) || !Term::stdout().is_term() || locale.contains("utf-8") || locale.contains("utf8")
}

fn terminal() -> Check {
    let (name, window) = (Text::new("terminal"), Term::stdout());
    if !window.is_term() {
        return Check::new(
            name,
            Mark::Absent,
            Text::new("none: the output goes to a file or a pipe"),
        );
    }
    let (_, columns) = window.size();
    let encoding = if shows_utf8() { "UTF-8" } else { "ASCII" };
    let template = match window.features().colors_supported() {
        true => Text::template("{encoding}, {columns} columns, colours"),
        false => Text::template("{encoding}, {columns} columns, no colours"),
    };
    let detail = Text::filled(template, &[("encoding", &encoding), ("columns", &columns)]);
    if !shows_utf8() {
        let remedy =
            Text::new("Set a locale of UTF-8, such as LANG=C.UTF-8: results have letters beyond ASCII.");
        return Check::new(name, Mark::Warning, detail).remedy(remedy);
    }
    if columns < COLUMNS {
        let remedy = Text::new("Tables fit in 80 columns; make the window wider.");
        return Check::new(name, Mark::Warning, detail).remedy(remedy);
    }
    Check::new(name, Mark::Ok, detail)
}
