//! A file that the user wants as the result of a command.

use std::path::Path;

use crate::document::file::check_writable;
use crate::session::error::ExperimentError;

pub fn check_out(path: &Path, replaces: bool) -> Result<(), ExperimentError> {
    if path.exists() && !replaces {
        let out = path.display();
        let message = format!("'{out}' exists; give another --out, or --force to replace it");
        return Err(ExperimentError::Input(message));
    }
    check_writable(path).map_err(ExperimentError::unwritable(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_exists_is_replaced_only_if_that_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("precious.csv");
        check_out(&path, false).unwrap();
        std::fs::write(&path, "precious").unwrap();
        let error = check_out(&path, false).unwrap_err();
        assert!(
            error.is_input() && error.to_string().contains("--force"),
            "{error}"
        );
        check_out(&path, true).unwrap();
        assert!(check_out(&folder.path().join("no/such"), false).is_err());
    }
}
