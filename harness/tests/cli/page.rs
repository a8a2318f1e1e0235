//! report.html of every kind of run, as a file that is sent to somebody.

use std::path::Path;

use crate::folder::{Ended, Folder, InFolder, holds};

/// What a command that ends well prints.
fn done(folder: &Path, words: &str) -> String {
    folder.run(words).ok().text()
}

fn page(folder: &Path, name: &str) -> String {
    folder.read(format!("{name}/report.html"))
}

/// What every page is: whole, in both languages, closed in itself.
fn assert_is_a_page(html: &str) {
    assert!(
        html.starts_with("<!DOCTYPE html><html lang=\"en\">"),
        "{}",
        &html[..80]
    );
    assert!(html.trim_end().ends_with("</html>"));
    assert!(html.contains("default-src 'none'") && html.contains("script-src 'sha256-"));
    assert!(html.contains("class=\"answer\"") && html.contains("lang=\"ja\""));
    let outside = ["src=", "@import", "url(", "<link", "<iframe", "<form"];
    let own_script = html.rfind("<script type=\"module\">").unwrap();
    for word in outside {
        assert!(!html[..own_script].contains(word), "{word}");
    }
    for (index, _) in html[..own_script].match_indices("http") {
        let rest = &html[index..html.len().min(index + 40)];
        assert!(
            rest.starts_with("http-equiv") || rest.starts_with("http://www.w3.org/"),
            "{rest}"
        );
    }
}

const SHORT: &str = "--nodes 50 --pairs 4 --hash 1 --quiet";
const KINDS: [(&str, &str); 7] = [
    ("match", "match --a base --b plain"),
    (
        "tournament",
        "tournament --player base --player plain --player tacos-ss",
    ),
    (
        "nodes",
        "nodes --config base --config base,null_move=off --depth 2 --quiet",
    ),
    ("ablate", "ablate --only null_move"),
    ("odds", "odds --a base --b plain"),
    (
        "tune",
        "tune --space space.txt --nodes 50 --games 8 --confirm-pairs 2 --quiet",
    ),
    ("night", "run n.toml --quiet"),
];

#[test]
fn every_kind_of_run_leaves_a_page_with_its_answer_behind() {
    let folder = &Folder::new();
    let at = folder;
    at.write("space.txt", "lmr.base, int, 1232, 0, 3696, 64, 0.002\n");
    let job =
        "[[job]]\nname = \"one\"\ncommand = \"match\"\na = \"base\"\nb = \"plain\"\nnodes = 50\npairs = 2\n";
    at.write("n.toml", job);
    for (name, command) in KINDS {
        let more = if command.contains("--quiet") { "" } else { SHORT };
        done(at, &format!("{command} {more} --out {name}"));
        let html = page(at, name);
        assert_is_a_page(&html);
        assert!(
            html.contains(&format!("<p class=\"kind\">tanren {name}</p>")),
            "{name}"
        );
        assert!(html.matches("<section").count() >= 2, "{name}");
        assert!(name == "night" || html.contains("<svg"), "{name}");
        // Made again it is the same.
        done(at, &format!("report {name}"));
        assert_eq!(page(at, name), html, "{name}");
    }
    assert!(page(at, "night").contains("href=\"one/report.html\""));
    assert_is_a_page(&page(&at.join("night"), "one"));
}

#[test]
fn a_label_that_is_markup_stays_a_text() {
    let folder = &Folder::new();
    let evil = "</script><script>alert(1)</script>\"><img src=x onerror=alert(1)>";
    folder.write("a.toml", format!("preset = \"base\"\nname = '{evil}'\n"));
    let words = "match --a @a.toml --b plain --nodes 50 --pairs 2 --quiet --out m";
    folder.run(words).ok();
    let html = page(folder, "m");
    assert!(
        !html.contains("<script>alert") && !html.contains("<img"),
        "{evil}"
    );
    assert!(html.contains("&lt;script&gt;alert(1)"));
    assert_eq!(html.matches("<script").count(), 2, "the games and the one script");
    let markdown = done(folder, "report m --markdown");
    assert!(markdown.contains("\\<script>"), "{markdown}");
}

#[test]
fn games_stand_in_the_file_up_to_the_number_asked_for() {
    let folder = &Folder::new();
    let words = "match --game chess --a base --b plain --nodes 50 --pairs 4 --quiet --out m";
    done(folder, words);
    let games = |html: &str| {
        let start = html.find("id=\"games-data\">").unwrap() + "id=\"games-data\">".len();
        let end = start + html[start..].find("</script>").unwrap();
        serde_json::from_str::<serde_json::Value>(&html[start..end]).unwrap()
    };
    let all = games(&page(folder, "m"));
    assert_eq!(
        (all["rows"].as_array().unwrap().len(), all["counted"].as_u64()),
        (8, Some(8))
    );
    let first = &all["rows"][0];
    let plies = first["m"].as_str().unwrap().split(' ').count();
    assert_eq!(first["t"].as_str().unwrap().split(' ').count(), plies);
    done(folder, "report m --games 2 --lang ja");
    let html = page(folder, "m");
    assert_eq!(games(&html)["rows"].as_array().unwrap().len(), 2);
    assert!(html.contains("<html lang=\"ja\">") && html.contains("of 8 games are in this file"));
}

#[test]
fn several_runs_stand_side_by_side_with_what_differs_between_them() {
    let folder = &Folder::new();
    for (name, nodes) in [("one", "50"), ("two", "60")] {
        let words = format!(
            "match --a base --b plain --pairs 4 --quiet --nodes {nodes} --sprt elo0=0,elo1=50 --out \
            {name}"
        );
        done(folder, &words);
    }
    done(folder, "report one two --html both.html");
    let html = folder.read("both.html");
    assert_is_a_page(&html);
    assert!(
        html.contains("The tests: log likelihood ratios on one scale") && html.matches("LLR").count() == 1,
        "one chart for both"
    );
    assert!(
        html.contains("nodes_a = 50") && html.contains("nodes_a = 60") && !html.contains("pairs = 4\n"),
        "{html}"
    );
}

#[test]
fn a_block_to_paste_says_what_the_summary_says() {
    let folder = &Folder::new();
    let words = "match --a base --b plain --nodes 50 --sprt elo0=0,elo1=5 --pairs 4 --quiet --out m";
    done(folder, words);
    let text = done(folder, "report m --text --badge");
    holds(&text, ["Games | N: 8 ", "LLR   | ", "Penta | ["]);
    assert!(done(folder, "report m --markdown").starts_with("**"));
    let badge = folder.read("m/badge.svg");
    assert!(
        badge.starts_with("<svg") && badge.contains("limit_reached"),
        "{badge}"
    );
}
