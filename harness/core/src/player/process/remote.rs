//! An engine on another machine: the system's `ssh` starts it, and what it says comes over that connection.

use std::io;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use sha2::{Digest, Sha256};

use super::program::{ProgramDigests, hexadecimal, settings_of_files};
use crate::config::ProcessSpec;

/// What `ssh` itself ends with; what it runs there ends with another code.
pub(super) const BROKEN: i32 = 255;
/// A connection that says nothing for three times these seconds is broken, which is before an engine counts as stuck.
const ALIVE_SECONDS: u32 = 3;
const CONNECT_SECONDS: u32 = 10;
const DETAIL_CHARS_MAX: usize = 200;

/// The command that starts the engine of `spec`, here or on its machine.
pub fn command_of(spec: &ProcessSpec) -> Command {
    if let Some(host) = &spec.host {
        return ssh(host, &start_script(spec));
    }
    let mut command = Command::new(&spec.command);
    command
        .args(&spec.arguments)
        .envs(spec.environment.iter().map(|(name, value)| (name, value)));
    if let Some(directory) = &spec.directory {
        command.current_dir(directory);
    }
    command
}

fn ssh(host: &str, script: &str) -> Command {
    let mut command = Command::new("ssh");
    command.args(["-oBatchMode=yes", "-T"]);
    command.arg(format!("-oConnectTimeout={CONNECT_SECONDS}"));
    command.arg(format!("-oServerAliveInterval={ALIVE_SECONDS}"));
    // Whatever shell the user has there, it takes one quoted word.
    command.args(["--", host, &format!("exec sh -c {}", quoted(script))]);
    command
}

/// `word` as every shell takes it for one word.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

fn entered(spec: &ProcessSpec) -> String {
    let enter = |folder: &PathBuf| format!("cd {} || exit 127; ", quoted(&folder.to_string_lossy()));
    spec.directory.as_ref().map_or_else(String::new, enter)
}

/// The engine's own end is told from that of the connection by its code.
fn start_script(spec: &ProcessSpec) -> String {
    let mut words = vec!["env".to_owned()];
    words.extend(
        spec.environment
            .iter()
            .map(|(name, value)| quoted(&format!("{name}={value}"))),
    );
    words.push(quoted(&spec.command.to_string_lossy()));
    words.extend(spec.arguments.iter().map(|word| quoted(word)));
    let bound = spec.memory_mib.map(|mib| format!("ulimit -v {}; ", mib << 10));
    format!(
        "{}{}{}; c=$?; test $c -eq {BROKEN} && c=254; exit $c",
        bound.unwrap_or_default(),
        entered(spec),
        words.join(" ")
    )
}

/// The digests of the program and of the files that its options name, as the machine has them.
pub(super) fn digests(spec: &ProcessSpec, host: &str) -> io::Result<ProgramDigests> {
    let program = quoted(&spec.command.to_string_lossy());
    let mut script = format!(
        "{}p=$(command -v {program}) || {{ echo \"there is no program {}\" >&2; exit 127; }}; sha256sum < \"$p\" || exit 1; ",
        entered(spec),
        spec.command.to_string_lossy().replace(['"', '$', '`', '\\'], "?")
    );
    for (_, path) in settings_of_files(spec) {
        let path = quoted(path);
        script += &format!("test -f {path} && {{ sha256sum < {path} || exit 1; }}; ");
    }
    script += "exit 0";
    let output = ssh(host, &script).stdin(Stdio::null()).output();
    let output =
        output.map_err(|error| io::Error::new(error.kind(), format!("cannot start ssh: {error}")))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let last = said
            .lines()
            .rfind(|line| !line.trim().is_empty())
            .unwrap_or_default();
        let last: String = last.trim().chars().take(DETAIL_CHARS_MAX).collect();
        let kind = match output.status.code() {
            Some(BROKEN) => io::ErrorKind::NotConnected,
            _ => io::ErrorKind::Other,
        };
        return Err(io::Error::new(
            kind,
            format!("on {host}: {last} ({})", output.status),
        ));
    }
    let said = String::from_utf8_lossy(&output.stdout);
    let mut found = said.lines().filter_map(|line| line.split_whitespace().next());
    let is_digest = |word: &&str| word.len() == 64 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let program = found.next().filter(is_digest);
    let program = program.ok_or_else(|| io::Error::other(format!("on {host}: sha256sum gave no digest")))?;
    let mut loaded = None;
    for sha256 in found.filter(is_digest) {
        loaded.get_or_insert_with(Sha256::new).update(sha256);
    }
    Ok(ProgramDigests {
        program: program.to_owned(),
        loaded: loaded.map(hexadecimal),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::process::fitness::tests::spec;

    #[test]
    fn the_words_of_a_command_are_those_of_the_other_machine_whatever_they_hold() {
        let spec = spec(
            "uci:ssh:me@box:/opt/an-engine \"a b\" $HOME \"it's\",env.A=x y,directory=/srv/e,memory_mib=2",
        );
        let command = command_of(&spec);
        let words: Vec<&str> = command.get_args().filter_map(|word| word.to_str()).collect();
        let [.., dashes, host, remote] = &words[..] else {
            panic!("{words:?}")
        };
        assert_eq!(
            (command.get_program().to_str(), *dashes, *host),
            (Some("ssh"), "--", "me@box")
        );
        let shell = shlex::split(remote).unwrap();
        assert_eq!(shell[..3], ["exec", "sh", "-c"]);
        let expected = "ulimit -v 2048; cd '/srv/e' || exit 127; env 'A=x y' '/opt/an-engine' 'a b' '$HOME' 'it'\\''s'; \
                        c=$?; test $c -eq 255 && c=254; exit $c";
        assert_eq!(shell[3..], [expected]);
    }
}
