//! Files that import each other, directly or through others.

use std::collections::{BTreeMap, BTreeSet};

use crate::rules::Layers;
use crate::tree::{SourceFile, Target, Tree};

/// The paths of each set of files that all lead to one another, and `a -> b` for every import among them.
pub(crate) type Circle = (Vec<String>, Vec<String>);

/// All circles of files, in the order of their first file.
pub(crate) fn circles(tree: &Tree) -> Vec<Circle> {
    let edges: BTreeMap<&str, BTreeMap<&str, usize>> = tree
        .files()
        .map(|file| (file.path.as_str(), imported(tree, file)))
        .collect();
    let reached: BTreeMap<&str, BTreeSet<&str>> =
        edges.keys().map(|file| (*file, reach(&edges, file))).collect();
    let mut circles: Vec<Circle> = Vec::new();
    for file in edges.keys() {
        let together: Vec<String> = reached[file]
            .iter()
            .filter(|other| reached[*other].contains(file))
            .map(|other| (*other).to_owned())
            .collect();
        if together.len() > 1 && !circles.iter().any(|(files, _)| *files == together) {
            let among = together.iter().flat_map(|from| {
                let others = edges[from.as_str()]
                    .iter()
                    .filter(|(to, _)| together.iter().any(|file| file == *to));
                others.map(move |(to, line)| format!("{from}:{line} -> {to}"))
            });
            let among = among.collect();
            circles.push((together, among));
        }
    }
    circles
}

/// The files that a file depends on, each with a line that says so.
fn imported<'a>(tree: &'a Tree, file: &'a SourceFile) -> BTreeMap<&'a str, usize> {
    let mut found = BTreeMap::new();
    if file.module.is_empty() {
        return found;
    }
    for used in tree.uses(file).iter().filter(|used| !used.is_handed_on) {
        let Target::Own(path) = &used.target else { continue };
        if let Some(other) = tree.file_of(path)
            && other.path != file.path
        {
            found.entry(other.path.as_str()).or_insert(used.line);
        }
    }
    found
}

fn reach<'a>(edges: &BTreeMap<&'a str, BTreeMap<&'a str, usize>>, from: &str) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<&str> = edges[from].keys().copied().collect();
    while let Some(next) = open.pop() {
        if reached.insert(next) {
            open.extend(edges[next].keys());
        }
    }
    reached
}

/// Circles that are neither the recursion nor known, and known ones that are no more.
pub(crate) fn violations(layers: &Layers, circles: &[Circle]) -> Vec<String> {
    let is_in = |list: &[&[&str]], files: &[String]| {
        list.contains(&&files.iter().map(String::as_str).collect::<Vec<_>>()[..])
    };
    let news = circles.iter().filter(|(files, _)| {
        let allowed = layers
            .recursions
            .iter()
            .any(|list| files.iter().all(|file| list.contains(&file.as_str())));
        !allowed && !is_in(layers.known_circles, files)
    });
    let news =
        news.map(|(files, among)| format!("a circle: {}\n    {}", files.join(", "), among.join("\n    ")));
    let gone = layers
        .known_circles
        .iter()
        .filter(|known| !circles.iter().any(|(files, _)| files == *known));
    let gone = gone.map(|known| {
        format!(
            "no longer this circle, to be taken off the list: {}",
            known.join(", ")
        )
    });
    news.chain(gone).collect()
}
