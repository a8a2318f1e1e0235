//! What has to be filled in before a release.

use std::fs;
use std::path::Path;

use crate::{Result, VERSION};

pub(crate) const ADDRESSES: [(&str, &str); 2] = [
    ("repository", env!("CARGO_PKG_REPOSITORY")),
    ("homepage", env!("CARGO_PKG_HOMEPAGE")),
];

/// Nothing, if all is said that a release needs.
pub(crate) fn unfinished() -> Result<Vec<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .join("CHANGELOG.md");
    let changes = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let heading = changes.lines().find(|line| line.starts_with("## "));
    Ok(unfinished_in(&ADDRESSES, heading.unwrap_or_default()))
}

fn unfinished_in(addresses: &[(&str, &str)], heading: &str) -> Vec<String> {
    let empty = addresses.iter().filter(|(_, address)| address.is_empty());
    let mut found: Vec<String> = empty
        .map(|(key, _)| format!("Cargo.toml: [workspace.package] has no {key}"))
        .collect();
    match heading.strip_prefix(&format!("## {VERSION} - ")) {
        None => found.push(format!("CHANGELOG.md: '{heading}' is not of version {VERSION}")),
        Some(day) if !day.starts_with(|digit: char| digit.is_ascii_digit()) => found.push(format!(
            "CHANGELOG.md: '{heading}' needs the day of the release, such as 2026-12-01"
        )),
        Some(_) => {}
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_has_addresses_and_a_day() {
        let filled = [("repository", "https://example.org/tanren")];
        let heading = format!("## {VERSION} - ");
        assert!(unfinished_in(&filled, &format!("{heading}2026-12-01")).is_empty());
        for (addresses, heading, expected) in [
            (
                &[("homepage", "")],
                format!("{heading}2026-12-01"),
                "has no homepage",
            ),
            (&filled, format!("{heading}unreleased"), "needs the day"),
            (&filled, "## 0.0.9 - 2026-01-01".to_owned(), "is not of version"),
        ] {
            let found = unfinished_in(addresses, &heading);
            assert!(found.len() == 1 && found[0].contains(expected), "{found:?}");
        }
    }
}
