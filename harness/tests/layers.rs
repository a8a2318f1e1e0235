//! The modules of a crate and the kinds of run import each other in no circle, and search names no game.
//!
//! Crates are kept apart by Cargo. Inside a crate this test reads the imports as they are written: an import of `crate::a::b::X` in the
//! module `a::c` is an arrow from `c` to `b` among the modules of `a`.
#![expect(clippy::unwrap_used, reason = "a helper of tests may panic")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The sources of a crate by module path, without comments and unit tests.
type Sources = BTreeMap<Vec<String>, String>;

fn sources(root: &Path) -> Sources {
    let mut found = Sources::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(root).unwrap().with_extension("");
            let mut module: Vec<String> = name
                .iter()
                .map(|part| part.to_str().unwrap().to_owned())
                .collect();
            module.retain(|part| !["mod", "lib", "main"].contains(&part.as_str()));
            let is_code = path.extension().is_some_and(|extension| extension == "rs");
            if is_code
                && !module
                    .iter()
                    .any(|part| ["tests", "fixtures", "fuzzing"].contains(&part.as_str()))
            {
                let text = fs::read_to_string(&path).unwrap();
                let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
                let lines = text.lines().map(|line| line.split("//").next().unwrap());
                found.insert(module, lines.collect::<Vec<_>>().join(" "));
            }
        }
    }
    found
}

/// The paths of an import: `a::{b, c::d}` is `a::b` and `a::c::d`.
fn paths(import: &str) -> Vec<String> {
    let Some((start, list)) = import.split_once('{') else {
        let path = import.split(" as ").next().unwrap();
        return vec![path.split_whitespace().collect()];
    };
    let mut depth = 0;
    let list = list.trim_end().strip_suffix('}').unwrap();
    let parts = list.split(|c: char| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        c == ',' && depth == 0
    });
    let parts = parts.filter(|part| !part.trim().is_empty());
    parts
        .flat_map(|part| paths(&format!("{}{}", start.trim(), part.trim())))
        .collect()
}

/// Where a path leads that is written in `module`, from the root of the crate.
fn target(module: &[String], path: &str) -> Option<Vec<String>> {
    let words: Vec<&str> = path.split("::").collect();
    let up = words.iter().take_while(|word| **word == "super").count();
    let (base, rest) = match words[0] {
        "crate" => (&[][..], &words[1..]),
        "self" => (module, &words[1..]),
        "super" => (&module[..module.len() - up], &words[up..]),
        _ => return None,
    };
    Some(
        base.iter()
            .cloned()
            .chain(rest.iter().map(|word| (*word).to_owned()))
            .collect(),
    )
}

/// Arrows between modules of one parent, by parent.
fn arrows(sources: &Sources) -> BTreeMap<Vec<String>, BTreeMap<String, BTreeSet<String>>> {
    let mut found = BTreeMap::<_, BTreeMap<_, BTreeSet<_>>>::new();
    for (module, text) in sources {
        let own = ["crate::", "super::", "self::"];
        let imports = text
            .split(';')
            .filter_map(|statement| Some(statement.rsplit_once("use ")?.1))
            .filter(|import| own.iter().any(|start| import.starts_with(start)));
        for path in imports.flat_map(paths) {
            let Some(target) = target(module, &path) else {
                continue;
            };
            let common = module
                .iter()
                .zip(&target)
                .take_while(|(one, other)| one == other)
                .count();
            if common < module.len() && common < target.len() && sources.contains_key(&target[..=common]) {
                let of_parent = found.entry(module[..common].to_vec()).or_default();
                of_parent
                    .entry(module[common].clone())
                    .or_default()
                    .insert(target[common].clone());
            }
        }
    }
    found
}

/// A way from `from` back to itself.
fn circle(arrows: &BTreeMap<String, BTreeSet<String>>, from: &str) -> Option<Vec<String>> {
    let mut ways = vec![vec![from.to_owned()]];
    let mut seen = BTreeSet::new();
    while let Some(way) = ways.pop() {
        for next in arrows.get(way.last().unwrap()).into_iter().flatten() {
            if next == from {
                return Some(way);
            }
            if seen.insert(next) {
                ways.push([&way[..], std::slice::from_ref(next)].concat());
            }
        }
    }
    None
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The files of `harness/fleet/src` are parts of one coordinator and one worker, as those of a folder elsewhere.
#[test]
fn modules_import_each_other_in_no_circle() {
    for root in [
        "engine/src",
        "harness/stats/src",
        "harness/core/src",
        "harness/runs/src",
        "harness/src",
    ] {
        let sources = sources(&repository().join(root));
        assert!(sources.len() > 10, "{root}");
        let arrows = arrows(&sources);
        assert!(
            arrows.get(&[][..]).is_some_and(|arrows| !arrows.is_empty()),
            "{root}: {arrows:?}"
        );
        for (parent, arrows) in arrows {
            // Files of a folder may be parts of one thing; the kinds of run are apart.
            if !parent.is_empty() && parent != ["kinds"] {
                continue;
            }
            for module in arrows.keys() {
                let circle = circle(&arrows, module);
                assert_eq!(circle, None, "{root}, in '{}'", parent.join("::"));
            }
        }
    }
}

#[test]
fn search_and_ordering_name_no_game() {
    for folder in ["engine/src/search", "engine/src/ordering"] {
        for (module, text) in sources(&repository().join(folder)) {
            for name in ["shogi::", "chess::", "Shogi", "Chess"] {
                assert!(
                    !text.contains(name),
                    "{folder}: {} names {name}",
                    module.join("::")
                );
            }
        }
    }
}
