use std::fs::File;
use std::path::Path;
use std::sync::Mutex;

use super::FleetError;

/// Appends the events of a fleet to the file at `path`: what a hanging fleet waits for. All runs of a process have one log.
pub(super) fn log_to(path: &Path) -> Result<(), FleetError> {
    let file = File::options().create(true).append(true).open(path);
    let file = file.map_err(FleetError::unwritable(path))?;
    let events = tracing_subscriber::fmt()
        .with_ansi(false)
        .with_writer(Mutex::new(file))
        .finish();
    // An earlier run of this process may have opened it.
    let _ = tracing::subscriber::set_global_default(events);
    Ok(())
}
