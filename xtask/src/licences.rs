//! The licences of the crates that are in a program.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::{Result, pack};

/// What stands at the beginning of the names of such files, in capitals.
const NAMES: [&str; 4] = ["LICENSE", "LICENCE", "COPYING", "NOTICE"];

/// Every crate of `tree` (lines `NAME vVERSION|LICENCES` of `cargo tree`) with its licences, equal texts once.
pub(crate) fn text(tree: &str, cargo_home: &Path) -> Result<String> {
    let mut list = String::new();
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut lines: Vec<&str> = tree.lines().map(|line| line.trim_end_matches(" (*)")).collect();
    lines.sort_unstable();
    lines.dedup();
    for line in lines {
        let Some((name, licences)) = line.split_once('|') else {
            continue;
        };
        // What has a folder behind its version is ours.
        let Some((name, version)) = name
            .split_once(" v")
            .filter(|(_, version)| !version.contains('('))
        else {
            continue;
        };
        let folder = folder(&cargo_home.join("registry/src"), &format!("{name}-{version}"))?;
        writeln!(list, "{name} {version}  {licences}")?;
        for path in chosen(pack::files(&folder)?) {
            let text = String::from_utf8_lossy(&fs::read(&path)?).replace('\r', "");
            texts
                .entry(text.trim().to_owned())
                .or_default()
                .push(name.to_owned());
        }
    }
    for (text, names) in texts {
        write!(list, "\n\n{}\n{}\n\n{text}\n", "-".repeat(78), names.join(", "))?;
    }
    Ok(list)
}

/// The files with a licence; Apache's text is left out where a shorter one is offered.
fn chosen(paths: Vec<PathBuf>) -> Vec<PathBuf> {
    let name = |path: &PathBuf| pack::name(path).to_uppercase();
    let found: Vec<PathBuf> = paths
        .into_iter()
        .filter(|path| NAMES.iter().any(|known| name(path).starts_with(known)))
        .collect();
    let has_mit = found.iter().any(|path| name(path).contains("MIT"));
    found
        .into_iter()
        .filter(|path| !(has_mit && name(path).contains("APACHE")))
        .collect()
}

fn folder(registries: &Path, name: &str) -> Result<PathBuf> {
    for registry in fs::read_dir(registries)? {
        let folder = registry?.path().join(name);
        if folder.is_dir() {
            return Ok(folder);
        }
    }
    Err(format!("{name} is not below {}", registries.display()).into())
}
