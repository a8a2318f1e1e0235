//! Where a server listens.
//!
//! In: an address, or the path of a socket. Out: a listener, a base of addresses. Must not: listen where others could.

use std::net::SocketAddr;
use std::path::PathBuf;

use super::WebError;

/// Where a server listens.
#[derive(Debug, Clone)]
pub enum Place {
    /// At an address of this machine alone; port 0 is any that is free.
    Address(SocketAddr),
    /// At a socket in the file system, whose owner alone may connect: a reverse proxy's.
    Socket(PathBuf),
}

impl Place {
    /// May a server listen there, if what it says `is_private` to those who may know it, and others have names for it?
    ///
    /// # Errors
    /// Others than this machine could connect, or something is there already.
    pub fn check(&self, is_private: bool, has_names: bool) -> Result<(), WebError> {
        match self {
            Place::Address(address) if !address.ip().is_loopback() && !is_private => {
                Err(WebError::Exposed(*address))
            }
            Place::Address(address) if address.ip().is_unspecified() && !has_names => {
                Err(WebError::Nameless(*address))
            }
            Place::Address(_) => Ok(()),
            Place::Socket(path) if path.symlink_metadata().is_ok() => Err(WebError::Occupied(path.clone())),
            Place::Socket(_) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> Place {
        Place::Address(text.parse().unwrap())
    }

    #[test]
    fn only_addresses_of_this_machine_are_listened_on() {
        assert!(address("127.0.0.1:0").check(false, false).is_ok());
        assert!(address("127.3.2.1:80").check(false, false).is_ok());
        assert!(address("[::1]:0").check(false, false).is_ok());
        for exposed in ["0.0.0.0:0", "[::]:0", "192.168.0.2:80", "[fe80::1]:80"] {
            let error = address(exposed).check(false, false).unwrap_err();
            assert!(
                error.is_input() && error.to_string().contains("--socket"),
                "{error}"
            );
        }
    }

    #[test]
    fn addresses_of_others_are_listened_on_in_private_under_a_name() {
        assert!(address("192.168.0.2:443").check(true, false).is_ok());
        assert!(address("0.0.0.0:443").check(true, true).is_ok());
        let nameless = address("0.0.0.0:443").check(true, false).unwrap_err();
        assert!(nameless.to_string().contains("--name"), "{nameless}");
    }

    #[test]
    fn a_file_that_is_there_is_not_replaced_by_a_socket() {
        let file = tempfile::NamedTempFile::new().unwrap();
        assert!(matches!(
            Place::Socket(file.path().to_owned()).check(false, false),
            Err(WebError::Occupied(_))
        ));
    }
}
