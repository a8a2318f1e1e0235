//! Links, anchors, pictures, and the names of documents in the sources.

use std::fs;
use std::path::Path;

use crate::markdown::{Page, files_below, manual, repository, shown};

/// Why `link` in the file `from` leads nowhere, if so.
fn broken(from: &Path, link: &str) -> Option<String> {
    if link.starts_with("http://") || link.starts_with("https://") || link.starts_with("mailto:") {
        return None;
    }
    let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
    let target = if path.is_empty() {
        from.to_owned()
    } else {
        from.parent().unwrap().join(path)
    };
    if !target.exists() {
        return Some(format!("{}: {link}: no such file", shown(from)));
    }
    if !anchor.is_empty() && !Page::read(&target).anchors.iter().any(|one| one == anchor) {
        return Some(format!("{}: {link}: no such heading", shown(from)));
    }
    None
}

#[test]
fn every_link_and_anchor_leads_somewhere() {
    let pages = files_below(&repository(), &[".md"]);
    assert!(pages.len() > 20);
    let broken: Vec<String> = pages
        .iter()
        .flat_map(|path| {
            let links = Page::read(path).links;
            links
                .into_iter()
                .filter_map(|link| broken(path, &link))
                .collect::<Vec<_>>()
        })
        .collect();
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn a_link_that_leads_nowhere_is_seen() {
    let from = manual().join("SUMMARY.md");
    assert!(broken(&from, "engines.md#windows").is_none());
    assert!(
        broken(&from, "engines.md#doors")
            .unwrap()
            .contains("no such heading")
    );
    assert!(broken(&from, "enginges.md").unwrap().contains("no such file"));
}

#[test]
fn the_manual_links_to_no_file_outside_of_it() {
    let manual = manual();
    for path in files_below(&manual, &[".md"]) {
        for link in Page::read(&path).links {
            if link.starts_with("http") || link.starts_with('#') {
                continue;
            }
            let target = path.parent().unwrap().join(link.split('#').next().unwrap());
            let target = fs::canonicalize(&target).unwrap_or_else(|_| panic!("{}: {link}", shown(&path)));
            assert!(
                target.starts_with(fs::canonicalize(&manual).unwrap()),
                "{}: {link} is no part of the book",
                shown(&path)
            );
        }
    }
}

#[test]
fn every_page_of_the_manual_is_in_its_summary() {
    let summary = Page::read(&manual().join("SUMMARY.md"));
    for path in files_below(&manual(), &[".md"]) {
        let name = path
            .strip_prefix(manual())
            .unwrap()
            .to_string_lossy()
            .replace('\\', "/");
        assert!(name == "SUMMARY.md" || summary.links.contains(&name), "{name}");
    }
}

/// A document that is named in a text, such as `docs/src/engines.md`: of the repository, of the manual, or beside the text.
#[test]
fn every_document_that_a_source_names_is_there() {
    let repository = repository();
    let mut missing = Vec::new();
    for path in files_below(&repository, &[".rs", ".toml", ".md", ".sh", ".snap"]) {
        if path.ends_with("tests/docs/links.rs") || path.ends_with("tests/docs/markdown.rs") {
            continue;
        }
        let Ok(text) = fs::read_to_string(&path) else {
            continue;
        };
        let folders = [path.parent().unwrap(), &repository, &manual()];
        for word in text.split(|symbol: char| !symbol.is_alphanumeric() && !"./_-".contains(symbol)) {
            let word = word.trim_end_matches('.');
            let is_document = word.ends_with(".md") && word.len() > 3 && !word.contains("NAME");
            if is_document && !folders.iter().any(|folder| folder.join(word).exists()) {
                missing.push(format!("{}: {word}", shown(&path)));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn every_claim_of_the_sources_has_its_setting_file_study_and_answer_and_the_files_are_there() {
    let text = fs::read_to_string(manual().join("sources.md")).unwrap();
    let (claims, _) = text.split_once("## What it cost").unwrap();
    let is_claim = |line: &&str| line.starts_with("| ") && !line.starts_with("| claim");
    let rows: Vec<&str> = claims.lines().filter(is_claim).collect();
    assert!(rows.len() > 60, "{} rows", rows.len());
    for row in rows {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        assert!(
            cells.len() == 5 && cells.iter().all(|cell| !cell.is_empty()),
            "{row}"
        );
        let folders = ["engine/", "harness/", "results/", "openings/"];
        let is_ours = |name: &&str| folders.iter().any(|folder| name.starts_with(folder));
        for name in row.split('`').skip(1).step_by(2).filter(is_ours) {
            assert!(repository().join(name).exists(), "{name}: no such file: {row}");
        }
    }
}

/// Pictures of the manual and the files of `results/` that they are.
const PICTURES: [(&str, &str); 4] = [
    ("soppo-nodes.svg", "2026-11-23-soppo/nodes/nodes.svg"),
    ("techniques.svg", "2026-11-21-techniques/ablation.svg"),
    ("tuning.svg", "2026-11-21-tuning/search/spsa.svg"),
    (
        "null-move-chess.svg",
        "2026-11-25-null-move-nodes/chess-sayuri/nodes.svg",
    ),
];

#[test]
fn the_pictures_are_those_of_committed_results() {
    let folder = manual().join("images");
    assert_eq!(files_below(&folder, &[".svg"]).len(), PICTURES.len());
    for (name, source) in PICTURES {
        let read = |path: &Path| fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", shown(path)));
        let source = repository().join("results").join(source);
        assert!(
            read(&folder.join(name)) == read(&source),
            "{name} is not {}",
            shown(&source)
        );
    }
}

#[test]
fn the_pictures_of_pages_are_those_that_the_script_makes_and_are_small() {
    let script = fs::read_to_string(repository().join("harness/browser/screenshots.js")).unwrap();
    let pictures = files_below(&manual().join("images"), &[".png"]);
    for picture in &pictures {
        let name = picture.file_stem().unwrap().to_str().unwrap();
        assert!(script.contains(&format!("\"{name}\"")), "{name}");
        assert!(picture.metadata().unwrap().len() <= 150_000, "{name}");
    }
    assert_eq!(script.matches("  [\"").count(), pictures.len());
}

#[test]
fn the_readme_is_short() {
    let readme = fs::read_to_string(repository().join("README.md")).unwrap();
    assert!(readme.len() <= 8192, "README.md has {} bytes", readme.len());
}
