//! Engines that are named by a commit of a repository, and built by whoever starts them.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

/// A commit of a repository, as `usi:@REPOSITORY#COMMIT` names it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Build {
    pub repository: String,
    /// The whole hash.
    pub commit: String,
}

impl Build {
    /// `None` if it is no such name. The repository may be any text: only one that is equal to one that a machine trusts is asked for.
    pub fn parse(name: &str) -> Option<Build> {
        let (repository, commit) = name.rsplit_once('#')?;
        let is_hash = [40, 64].contains(&commit.len())
            && commit
                .bytes()
                .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        (is_hash && !repository.is_empty()).then(|| Build {
            repository: repository.to_owned(),
            commit: commit.to_owned(),
        })
    }
}

impl fmt::Display for Build {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}", self.repository, self.commit)
    }
}

/// What makes two builds the same engine. Compilers of two machines make different files of one commit, so it is not their SHA-256.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildIdentity {
    pub commit: String,
    /// The digest of how it is built: 16 hexadecimal digits.
    pub recipe: String,
    /// The nodes of its bench, if it has one.
    pub bench: Option<u64>,
}

const NO_BENCH: &str = "none";

impl fmt::Display for BuildIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bench = self
            .bench
            .map_or_else(|| NO_BENCH.to_owned(), |nodes| nodes.to_string());
        write!(f, "commit {}, recipe {}, bench {bench}", self.commit, self.recipe)
    }
}

impl FromStr for BuildIdentity {
    type Err = ();

    fn from_str(text: &str) -> Result<BuildIdentity, ()> {
        let read = || {
            let mut parts = text.split(", ");
            let mut part = |name| parts.next()?.strip_prefix(name);
            let (commit, recipe, bench) = (part("commit ")?, part("recipe ")?, part("bench ")?);
            let bench = match bench {
                NO_BENCH => None,
                nodes => Some(nodes.parse().ok()?),
            };
            Some(BuildIdentity {
                commit: commit.to_owned(),
                recipe: recipe.to_owned(),
                bench,
            })
        };
        read().filter(|read| read.to_string() == text).ok_or(())
    }
}

/// Refuses what git could take for an option, a program to start or a connection that others can change.
pub fn check_repository(text: &str) -> Result<(), String> {
    let refuse = |why: &str| {
        Err(format!(
            "'{text}' {why}; write https://HOST/PATH, ssh://HOST/PATH, USER@HOST:PATH or a path from the root"
        ))
    };
    if text.chars().any(|letter| letter.is_control()) || text.contains("::") {
        return refuse("is no address of a repository");
    }
    if Path::new(text).is_absolute() {
        return Ok(());
    }
    let is_of_host = |letter: char| letter.is_ascii_alphanumeric() || "._-:".contains(letter);
    let is_host = |host: &str| !host.is_empty() && !host.starts_with('-') && host.chars().all(is_of_host);
    let is_path = |path: &str| {
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "._-/~+%".contains(letter);
        !path.is_empty() && !path.starts_with('-') && path.chars().all(is_plain)
    };
    let host_and_path = |rest: &str, between| {
        rest.split_once(between)
            .is_some_and(|(host, path): (&str, &str)| {
                let host = host.rsplit_once('@').map_or(host, |(user, host)| {
                    if is_host(user) && !user.contains(':') {
                        host
                    } else {
                        ""
                    }
                });
                is_host(host) && is_path(path)
            })
    };
    let is_good = match (text.strip_prefix("https://"), text.strip_prefix("ssh://")) {
        (Some(rest), _) if rest.contains('@') => {
            return refuse("holds a user or a password, which would be written down with the run");
        }
        (Some(rest), _) | (_, Some(rest)) => host_and_path(rest, '/'),
        _ => !text.contains("://") && text.contains('@') && host_and_path(text, ':'),
    };
    if is_good {
        Ok(())
    } else {
        refuse("is no address of a repository")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commit_is_named_by_its_whole_hash_alone() {
        let hash = "0123456789abcdef0123456789abcdef01234567";
        let name = format!("https://example.org/e#1#{hash}");
        let build = Build::parse(&name).unwrap();
        assert_eq!(
            (&*build.repository, &*build.commit),
            ("https://example.org/e#1", hash)
        );
        assert_eq!(build.to_string(), name);
        for bad in [
            "main",
            "HEAD",
            "01234567",
            "--upload-pack=x",
            &hash.to_uppercase(),
            &format!("{hash}0"),
        ] {
            assert_eq!(
                Build::parse(&format!("https://example.org/e#{bad}")),
                None,
                "{bad}"
            );
        }
        assert_eq!(
            (Build::parse("fairy"), Build::parse(&format!("#{hash}"))),
            (None, None)
        );
    }

    #[test]
    fn an_identity_reads_back() {
        for bench in [Some(7), None] {
            let identity = BuildIdentity {
                commit: "ab".to_owned(),
                recipe: "cd".to_owned(),
                bench,
            };
            assert_eq!(identity.to_string().parse(), Ok(identity));
        }
        for bad in [
            "",
            "commit a, recipe b",
            "commit a, recipe b, bench 07",
            "commit a, recipe b, bench 1, x",
        ] {
            assert_eq!(bad.parse::<BuildIdentity>(), Err(()), "{bad}");
        }
    }

    #[test]
    #[cfg_attr(windows, ignore = "paths of Unix")]
    fn only_addresses_that_start_nothing_are_repositories() {
        for good in [
            "https://github.com/me/engine",
            "https://example.org:8443/~me/engine.git",
            "ssh://git@example.org/me/engine",
            "git@github.com:me/engine.git",
            "/home/me/my engine",
        ] {
            assert_eq!(check_repository(good), Ok(()), "{good}");
        }
        for bad in [
            "",
            "engine",
            "../engine",
            "--upload-pack=touch x",
            "-c",
            "ext::sh -c touch% x",
            "https::evil",
            "/srv/x::y",
            "ssh://-oProxyCommand=x/y",
            "ssh://a@-oProxyCommand=x/y",
            "-oProxyCommand=x@host:y",
            "me@-oProxyCommand=x:y",
            "me@host:--upload-pack=x",
            "http://example.org/e",
            "git://example.org/e",
            "file:///etc",
            "https://user:secret@example.org/e",
            "https://example.org",
            "https://example.org/a b",
            "https://example.org/a\nb",
        ] {
            assert!(check_repository(bad).is_err(), "{bad}");
        }
    }
}
