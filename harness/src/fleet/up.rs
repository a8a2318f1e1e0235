//! The server of a fleet on this machine.
//!
//! In: the folder of a fleet. Out: nats-server in the place of this process. Must not: change the folder.

use std::io;
use std::path::Path;
use std::process::Command;

use super::FleetError;
use super::program::PLACES;
use super::server_conf::SERVER_CONF;
use crate::platform;

/// Runs the server of the fleet in `folder` in the place of this process. Returns only if it could not be started.
pub fn up(folder: &Path) -> FleetError {
    up_with(folder, PLACES)
}

fn up_with(folder: &Path, places: &[&str]) -> FleetError {
    let conf = folder.join(SERVER_CONF);
    if !conf.is_file() {
        return FleetError::NoFleet(folder.to_owned());
    }
    for place in places {
        let error = platform::hand_over(Command::new(place).arg("-c").arg(&conf));
        if error.kind() != io::ErrorKind::NotFound {
            return FleetError::ServerProgram(error);
        }
    }
    FleetError::NoServerProgram
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_is_not_there_is_told_with_where_to_get_it() {
        let folder = tempfile::tempdir().unwrap();
        let said = up_with(folder.path(), &["no-such-server"]).to_string();
        assert!(
            said.contains("no server.conf") && said.contains("cluster init"),
            "{said}"
        );
        std::fs::write(folder.path().join(SERVER_CONF), "").unwrap();
        let said = up_with(folder.path(), &["no-such-server", "nor-this-one"]).to_string();
        assert!(said.contains("install the package nats-server"), "{said}");
    }
}
