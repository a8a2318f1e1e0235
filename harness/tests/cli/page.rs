//! report.html of every kind of run, as a file that is sent to somebody.

use std::path::Path;

use crate::folder::{Ended, Folder, InFolder};

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
    let outside = ["src=", "@import", "url(", "stylesheet", "<iframe", "<form"];
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
        let kind = if name == "night" { "queue" } else { name };
        assert!(html.contains(&format!("<span>{kind}</span>")), "{name}");
        assert!(html.contains("<h1 class=\"answer\">"), "{name}");
        assert!(name == "night" || html.contains("<svg"), "{name}");
        // Made again it is the same.
        done(at, &format!("report {name}"));
        assert_eq!(page(at, name), html, "{name}");
    }
    assert!(page(at, "night").contains("href=\"one/report.html\""));
    assert_is_a_page(&page(&at.join("night"), "one"));
}

fn games(html: &str) -> serde_json::Value {
    let start = html.find("id=\"games-data\">").unwrap() + "id=\"games-data\">".len();
    let end = start + html[start..].find("</script>").unwrap();
    serde_json::from_str(&html[start..end]).unwrap()
}

#[test]
fn games_of_chess960_say_so_and_others_do_not() {
    let folder = &Folder::new();
    done(folder, "openings generate --chess960 --count 2 --out 960.epd");
    for (run, words, expected) in [
        ("x", "--game chess --openings 960.epd", "Chess960".into()),
        ("c", "--game chess", serde_json::Value::Null),
        ("s", "--game shogi", serde_json::Value::Null),
    ] {
        let short = "--a base --b plain --nodes 20 --pairs 2 --quiet";
        done(folder, &format!("match {words} {short} --out {run}"));
        for row in games(&page(folder, run))["rows"].as_array().unwrap() {
            assert_eq!(row["variant"], expected, "{run}");
        }
    }
}

#[test]
fn games_stand_in_the_file_up_to_the_number_asked_for() {
    let folder = &Folder::new();
    let words = "match --game chess --a base --b plain --nodes 50 --pairs 4 --quiet --out m";
    done(folder, words);
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
