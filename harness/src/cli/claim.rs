//! The folder of a study that is made of several matches.
//!
//! In: the identity that its parts share. Out: a folder that no other study uses. Must not: know what is in the parts.

use std::fs;
use std::io::Write;
use std::path::Path;

use super::error::CliError;
use crate::config::Identity;
use crate::report::write_atomically;

/// Beside the folders of the parts.
pub(super) const FILE: &str = "study.json";

/// Makes `folder` the folder of this study, or finds that it is.
///
/// # Errors
/// It holds other files or another study, or cannot be written.
pub(super) fn claim(folder: &Path, identity: &Identity) -> Result<(), CliError> {
    if let Some(stored) = stored(folder) {
        let differences = stored.differences(identity);
        if differences.is_empty() {
            return Ok(());
        }
        let lines: Vec<String> = differences
            .iter()
            .map(|difference| format!("  {difference}"))
            .collect();
        let message = format!(
            "'{}' holds another study:\n{}\nchoose another folder with --out",
            folder.display(),
            lines.join("\n")
        );
        return Err(CliError::Input(message));
    }
    if fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some()) {
        let message = format!(
            "'{}' holds other files: choose a new or empty folder with --out",
            folder.display()
        );
        return Err(CliError::Input(message));
    }
    fs::create_dir_all(folder).map_err(|source| CliError::Unwritable {
        path: folder.to_owned(),
        source,
    })?;
    let text = serde_json::to_string_pretty(identity).map_err(CliError::system("write an identity"))?;
    write_atomically(&folder.join(FILE), |output| writeln!(output, "{text}"))?;
    Ok(())
}

/// Does `folder` hold this study?
pub(super) fn is_resumable(folder: &Path, identity: &Identity) -> bool {
    stored(folder).is_some_and(|stored| stored == *identity)
}

fn stored(folder: &Path) -> Option<Identity> {
    serde_json::from_str(&fs::read_to_string(folder.join(FILE)).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity(nodes: u32) -> Identity {
        let mut identity = Identity::default();
        identity.push("nodes", nodes);
        identity
    }

    #[test]
    fn a_folder_belongs_to_the_study_that_claimed_it() {
        let folder = tempfile::tempdir().unwrap();
        let own = folder.path().join("own");
        claim(&own, &identity(5)).unwrap();
        claim(&own, &identity(5)).unwrap();
        assert!(is_resumable(&own, &identity(5)) && !is_resumable(&own, &identity(6)));
        let error = claim(&own, &identity(6)).unwrap_err();
        assert!(
            error.to_string().contains("nodes: '5' there, '6' wanted now"),
            "{error}"
        );
    }

    #[test]
    fn a_folder_with_other_files_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("thesis.txt"), "").unwrap();
        let error = claim(folder.path(), &identity(5)).unwrap_err();
        assert!(error.to_string().contains("other files"), "{error}");
    }
}
