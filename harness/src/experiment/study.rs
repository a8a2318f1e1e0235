//! The folder of a study that is made of several matches: to which study it belongs.
//!
//! In: what the study is. Out: its ledger, which holds its description and no pairs; the matches have ledgers of their own.

use std::fs;
use std::path::Path;

use super::ExperimentError;
use crate::config::Identity;
use crate::ledger::{About, Ledger, LedgerError};

/// Where versions before 0.2 kept the identity.
const OLD_FILE: &str = "study.json";

/// Makes `folder` the folder of this study, or finds that it is.
///
/// # Errors
/// It holds other files or another study, or cannot be written.
pub(super) fn open_or_create(folder: &Path, about: &About) -> Result<Ledger, ExperimentError> {
    match old_identity(folder) {
        Some(stored) if !Ledger::exists(folder) => {
            let differences = stored.differences(&about.identity);
            if !differences.is_empty() {
                let path = folder.to_owned();
                let kind = about.kind;
                return Err(LedgerError::OtherSpec {
                    path,
                    kind,
                    differences,
                }
                .into());
            }
            Ok(Ledger::open_or_create_among(folder, about)?)
        }
        _ => Ok(Ledger::open_or_create(folder, about)?),
    }
}

/// Would [`open_or_create`] take up this identity in `folder`?
pub(super) fn is_resumable(folder: &Path, identity: &Identity) -> bool {
    Ledger::is_resumable(folder, identity) || old_identity(folder).is_some_and(|stored| stored == *identity)
}

/// Was the study in `folder` made before studies had a ledger?
pub(super) fn is_old(folder: &Path) -> bool {
    !Ledger::exists(folder) && old_identity(folder).is_some()
}

fn old_identity(folder: &Path) -> Option<Identity> {
    serde_json::from_str(&fs::read_to_string(folder.join(OLD_FILE)).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::RunKind;

    fn about(nodes: u32) -> About {
        let mut identity = Identity::default();
        identity.push("study", "odds");
        identity.push("nodes", nodes);
        About {
            kind: RunKind::Odds,
            identity,
            spec_toml: String::new(),
            labels: Vec::new(),
        }
    }

    #[test]
    fn a_folder_belongs_to_the_study_that_began_it() {
        let folder = tempfile::tempdir().unwrap();
        let own = folder.path().join("own");
        drop(open_or_create(&own, &about(5)).unwrap());
        drop(open_or_create(&own, &about(5)).unwrap());
        assert!(is_resumable(&own, &about(5).identity) && !is_resumable(&own, &about(6).identity));
        let error = open_or_create(&own, &about(6)).err().unwrap();
        assert!(
            error.to_string().contains("nodes: '5' there, '6' wanted now"),
            "{error}"
        );
    }

    #[test]
    fn a_folder_with_other_files_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("thesis.txt"), "").unwrap();
        let error = open_or_create(folder.path(), &about(5)).err().unwrap();
        assert!(error.to_string().contains("not the folder of a run"), "{error}");
    }

    #[test]
    fn a_study_from_before_ledgers_is_taken_up_by_the_same_command_alone() {
        let folder = tempfile::tempdir().unwrap();
        let old = serde_json::to_string(&about(5).identity).unwrap();
        fs::write(folder.path().join(OLD_FILE), old).unwrap();
        fs::create_dir(folder.path().join("batches")).unwrap();
        assert!(is_old(folder.path()) && is_resumable(folder.path(), &about(5).identity));
        let error = open_or_create(folder.path(), &about(6)).err().unwrap();
        assert!(error.to_string().contains("nodes: '5' there"), "{error}");
        drop(open_or_create(folder.path(), &about(5)).unwrap());
        assert!(!is_old(folder.path()));
        assert!(open_or_create(folder.path(), &about(6)).is_err());
    }
}
