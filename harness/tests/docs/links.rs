//! Links, anchors, pictures, and the names of documents in the sources.

use std::fs;
use std::path::Path;

use crate::markdown::{Page, files_below, manual, repository, shown};

/// Why `link` in the file `from` leads nowhere, or out of the book, if so.
fn broken(from: &Path, link: &str) -> Option<String> {
    if ["http://", "https://", "mailto:"]
        .iter()
        .any(|scheme| link.starts_with(scheme))
    {
        return None;
    }
    let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
    let target = if path.is_empty() {
        from.to_owned()
    } else {
        from.parent()?.join(path)
    };
    let because = |why: &str| Some(format!("{}: {link}: {why}", shown(from)));
    let Ok(target) = fs::canonicalize(target) else {
        return because("no such file");
    };
    let book = fs::canonicalize(manual()).unwrap();
    if from.starts_with(manual()) && !target.starts_with(book) {
        return because("no part of the book");
    }
    let has_anchor = anchor.is_empty() || Page::read(&target).anchors.iter().any(|one| one == anchor);
    if has_anchor {
        None
    } else {
        because("no such heading")
    }
}

#[test]
fn every_link_and_anchor_leads_somewhere() {
    let pages = files_below(&repository(), &[".md"]);
    assert!(pages.len() > 20);
    let links = pages
        .iter()
        .flat_map(|path| Page::read(path).links.into_iter().map(move |link| (path, link)));
    let broken_links: Vec<String> = links.filter_map(|(path, link)| broken(path, &link)).collect();
    assert!(broken_links.is_empty(), "{}", broken_links.join("\n"));

    let from = manual().join("SUMMARY.md");
    let why = |link: &str| broken(&from, link).unwrap();
    assert_eq!(broken(&from, "installation.md#windows"), None);
    assert!(why("engines.md#doors").contains("no such heading"));
    assert!(why("enginges.md").contains("no such file"));
    assert!(why("../../README.md").contains("no part of the book"));
}

#[test]
fn every_page_of_the_manual_is_in_its_summary() {
    let summary = Page::read(&manual().join("SUMMARY.md"));
    for path in files_below(&manual(), &[".md"]) {
        let name = path
            .strip_prefix(manual())
            .unwrap()
            .to_str()
            .unwrap()
            .replace('\\', "/");
        assert!(name == "SUMMARY.md" || summary.links.contains(&name), "{name}");
    }
}

/// A document that is named in a text, such as `docs/src/engines.md`: of the repository, of the manual, or beside the text.
#[test]
fn every_document_that_a_source_names_is_there() {
    let (repository, manual) = (repository(), manual());
    let mut missing = Vec::new();
    for path in files_below(&repository, &[".rs", ".toml", ".md", ".sh", ".snap"]) {
        let Ok(text) = fs::read_to_string(&path) else {
            continue;
        };
        if path.parent().unwrap().ends_with("tests/docs") {
            continue;
        }
        for word in text.split(|symbol: char| !symbol.is_alphanumeric() && !"./_-".contains(symbol)) {
            let word = word.trim_end_matches('.');
            let is_document = word.ends_with(".md") && word.len() > 3 && !word.contains("NAME");
            let folders = [path.parent().unwrap(), &repository, &manual];
            if is_document && !folders.iter().any(|folder| folder.join(word).exists()) {
                missing.push(format!("{}: {word}", shown(&path)));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

/// What was found of a claim of the sources.
const VERDICTS: [&str; 5] = ["yes", "no", "depends", "not shown", "not testable"];

#[test]
fn every_claim_of_the_sources_has_a_verdict_and_a_command_that_plays_it_again() {
    let mut claims = 0;
    for path in files_below(&manual().join("sources"), &[".md"]) {
        let text = fs::read_to_string(&path).unwrap();
        let is_claim = |line: &&str| line.starts_with("| ") && !line.starts_with("| claim");
        for row in text.lines().filter(is_claim) {
            let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
            let [_, verdict, found] = cells[..] else {
                panic!("{row}");
            };
            let verdict = verdict.trim_matches('*');
            assert!(VERDICTS.contains(&verdict), "{row}");
            let command = found.rsplit_once("<br>`").map(|(_, command)| command);
            assert_eq!(command.is_none(), verdict == "not testable", "{row}");
            claims += 1;
            let Some(run) = command.and_then(|command| command.strip_prefix("tanren run ")) else {
                continue;
            };
            let mut words = run.trim_end_matches('`').split(" --only ");
            let queue = fs::read_to_string(repository().join(words.next().unwrap()));
            let queue = queue.unwrap_or_else(|error| panic!("{row}: {error}"));
            let jobs: Vec<&str> = words.collect();
            for job in &jobs {
                assert!(
                    queue.contains(&format!("\nname = \"{job}\"\n")),
                    "{job}: no such job: {row}"
                );
            }
            let (folder, _) = run.rsplit_once('/').unwrap();
            for source in found.split("<!-- ").skip(1) {
                let is_of = |job: &&str| source.starts_with(&format!("{folder}/{job}/"));
                assert!(
                    jobs.iter().any(is_of),
                    "the command does not make the figure: {row}"
                );
            }
        }
    }
    assert!(claims > 60, "only {claims} claims were found");
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
fn the_pictures_are_those_of_studies_and_of_the_scripts_that_make_them() {
    let folder = manual().join("images");
    let read = |script: &str| fs::read_to_string(repository().join("scripts").join(script)).unwrap();
    let recorded = read("recording.py") + &read("ablation_picture.py");
    let is_recorded = |path: &std::path::PathBuf| recorded.contains(&shown(path));
    let drawn = files_below(&folder, &[".svg"])
        .into_iter()
        .filter(|path| !is_recorded(path));
    assert_eq!(drawn.count(), PICTURES.len());
    for (name, source) in PICTURES {
        let is_same = fs::read(folder.join(name)).unwrap()
            == fs::read(repository().join("results").join(source)).unwrap();
        assert!(is_same, "{name} is not results/{source}");
    }
    let script = fs::read_to_string(repository().join("harness/browser/screenshots.js")).unwrap();
    let pictures = files_below(&folder, &[".png"]);
    for picture in &pictures {
        let name = picture.file_stem().unwrap().to_str().unwrap();
        assert!(script.contains(&format!("\"{name}\"")), "{name}");
        assert!(picture.metadata().unwrap().len() <= 150_000, "{name}");
    }
    assert_eq!(script.matches("  [\"").count(), pictures.len());
}
