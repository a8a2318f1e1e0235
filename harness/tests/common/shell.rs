//! What plays the commands of a transcript: `tanren`, the words of `tools.rs`, those of a suite, and programs in the background.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::rc::Rc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::common::tanren;
use crate::engines::{example, own_engine};
use crate::folder::{Ended, Folder, InFolder, words};
use crate::tools::{in_ledger, tool};

/// Nothing that is waited for takes longer, however busy the machine is.
pub(crate) const BOUND: Duration = Duration::from_secs(240);

/// Further words of a suite; `None` for a word that it does not know. The last argument is what a pipe holds.
pub(crate) type Words = Rc<dyn Fn(&mut Shell, &[&str], &str) -> Option<String>>;

pub(crate) struct Shell {
    _root: Folder,
    pub(crate) folder: PathBuf,
    /// What commands call by a name in brackets.
    pub(crate) names: Vec<(String, String)>,
    more: Words,
    background: BTreeMap<String, Program>,
    output: tempfile::TempDir,
    pub(crate) chance: u64,
}

/// A program in the background, which ends with its shell.
struct Program {
    line: String,
    child: Child,
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Seconds, if they are given.
fn bound(words: &[&str]) -> Duration {
    words
        .first()
        .map_or(BOUND, |seconds| Duration::from_secs(seconds.parse().unwrap()))
}

/// `[NAME=VALUE…] [ulimit -n N] [taskset -c CORES] tanren …`, or `[NAME=VALUE…] terminal TYPED tanren …`, where that is typed.
fn command_of(words: &[&str]) -> Option<Command> {
    let at = words.iter().position(|word| *word == "tanren")?;
    let variables: Vec<_> = words.iter().map_while(|word| word.split_once('=')).collect();
    let line = match words[variables.len()..at] {
        [] => None,
        ["terminal", typed] => Some(format!("printf '{typed}\n' | script -qec \"$0 $*\" /dev/null")),
        // Without the files that whoever runs the tests had open: they count against the limit.
        ["ulimit", which, limit, ref taskset @ ..] => Some(format!(
            "ulimit {which} {limit}; exec {} \"$0\" \"$@\" 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-",
            taskset.join(" ")
        )),
        ["taskset", which, cores] => Some(format!("exec taskset {which} {cores} \"$0\" \"$@\"")),
        _ => return None,
    };
    let mut command = tanren();
    if let Some(line) = line {
        let mut shell = Command::new("sh");
        shell.args(["-c", &line]);
        shell.arg(command.get_program());
        shell.env("NO_COLOR", "1").env("TANREN_LANG", "en");
        command = shell;
    }
    command.envs(variables).args(&words[at + 1..]);
    Some(command)
}

impl Shell {
    /// For the commands of `text`.
    pub(crate) fn new(text: &str, more: Words) -> Shell {
        let root = Folder::new();
        let path = |path: PathBuf| path.display().to_string();
        let mut names = Vec::new();
        if text.contains("[FAULTY]") {
            names.push(("[FAULTY]", path(example("fault_engine"))));
        }
        if text.contains("[ENGINE]") {
            names.push(("[ENGINE]", path(own_engine())));
        }
        names.push((
            "[TESTS]",
            concat!(env!("CARGO_MANIFEST_DIR"), "/tests").to_owned(),
        ));
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        names.push(("[TOO MANY]", (cores + 1).to_string()));
        names.push(("[CWD]", path(root.to_path_buf())));
        Shell {
            folder: root.to_path_buf(),
            _root: root,
            names: names
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value))
                .collect(),
            more,
            background: BTreeMap::new(),
            output: tempfile::tempdir().unwrap(),
            chance: 1,
        }
    }

    /// Runs `COMMAND | TOOL … > FILE` or `COMMAND & NAME`; what is printed. `|&` pipes standard error, too.
    pub(crate) fn run(&mut self, line: &str, input: &str) -> String {
        let given = |text: &str| {
            let names = self.names.iter();
            names.fold(text.to_owned(), |text, (name, value)| text.replace(name, value))
        };
        let (line, input) = (given(line), given(input));
        let words = words(&line);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let printed = match words[..] {
            ["cd", inner] => {
                self.folder.push(inner);
                String::new()
            }
            ["until", text, ..] => {
                let command = line.split_once(text).unwrap().1.trim_start_matches(['\'', '"']);
                self.until_it_is(BOUND, &format!("'{text}' of {command}"), |shell| {
                    shell.run(command, "").contains(text)
                });
                String::new()
            }
            [ref command @ .., "&", name] => {
                self.start(name, command);
                String::new()
            }
            _ => self.pipe(&words, &input),
        };
        let paths = self.names.iter().filter(|(_, value)| value.contains('/'));
        paths.fold(printed, |text, (name, path)| text.replace(path, name))
    }

    /// Waits; what programs in the background have said is told if it takes too long.
    pub(crate) fn until_it_is(
        &mut self,
        within: Duration,
        what: &str,
        mut is_so: impl FnMut(&mut Shell) -> bool,
    ) {
        let begun = Instant::now();
        while !is_so(self) {
            let names = self.background.keys();
            let said = || {
                names
                    .map(|name| format!("\n{name}: {}", self.said(name)))
                    .collect::<String>()
            };
            assert!(begun.elapsed() < within, "not {what}{}", said());
            sleep(Duration::from_millis(20));
        }
    }

    fn start(&mut self, name: &str, command: &[&str]) {
        let file = |kind| fs::File::create(self.output.path().join(format!("{name}.{kind}"))).unwrap();
        let mut started = command_of(command).unwrap_or_else(|| panic!("nothing to start: {command:?}"));
        started.current_dir(&self.folder).stdin(Stdio::null());
        let child = started.stdout(file("out")).stderr(file("err")).spawn().unwrap();
        let line = shlex::try_join(command.iter().copied()).unwrap();
        self.background.insert(name.to_owned(), Program { line, child });
    }

    fn program(&mut self, name: &str) -> &mut Program {
        let program = self.background.get_mut(name);
        program.unwrap_or_else(|| panic!("nothing in the background is called {name}"))
    }

    pub(crate) fn background(&self) -> impl Iterator<Item = &String> {
        self.background.keys()
    }

    pub(crate) fn pid(&mut self, name: &str) -> u32 {
        self.program(name).child.id()
    }

    pub(crate) fn is_running(&mut self, name: &str) -> bool {
        self.program(name).child.try_wait().unwrap().is_none()
    }

    /// What a program in the background has printed so far.
    pub(crate) fn said(&self, name: &str) -> String {
        let file = |kind| self.output.path().read(format!("{name}.{kind}"));
        file("out") + &file("err")
    }

    fn pipe(&mut self, words: &[&str], input: &str) -> String {
        let (words, file) = match *words {
            [ref words @ .., ">", file] => (words, Some(file)),
            _ => (words, None),
        };
        let takes_all = words.contains(&"|&");
        let mut parts = words.split(|word| ["|", "|&"].contains(word));
        let first = parts.next().unwrap_or_default();
        let (code, mut out, mut error) = if let Some(mut command) = command_of(first) {
            let ended = command.current_dir(&self.folder).output().unwrap();
            (ended.status.code().unwrap_or(-1), ended.text(), ended.message())
        } else if let ["wait", name, ref within @ ..] = *first {
            (self.wait(name, bound(within)), self.said(name), String::new())
        } else {
            (0, self.word(first, input), String::new())
        };
        if takes_all {
            out += &std::mem::take(&mut error);
        }
        out = parts.fold(out, |out, part| self.word(part, &out));
        if let Some(file) = file {
            self.folder.write(file, std::mem::take(&mut out));
        }
        let code = if code == 0 {
            String::new()
        } else {
            format!("? {code}\n")
        };
        code + &out + &error
    }

    /// Waits for the end of a program in the background; its exit code, or -1.
    fn wait(&mut self, name: &str, within: Duration) -> i32 {
        self.until_it_is(within, &format!("at the end of {name}"), |shell| {
            !shell.is_running(name)
        });
        self.program(name).child.wait().unwrap().code().unwrap_or(-1)
    }

    fn word(&mut self, words: &[&str], input: &str) -> String {
        let more = Rc::clone(&self.more);
        if let Some(printed) = more(self, words, input) {
            return printed;
        }
        match *words {
            ["said", name] => return self.said(name),
            // A line for the shell; what it prints. Only what the test itself made is read by git.
            ["sh", line] => {
                let mut shell = Command::new("sh");
                shell.args(["-c", line]).current_dir(&self.folder);
                let ended = shell.env("GIT_CONFIG_GLOBAL", "/dev/null").output().unwrap();
                assert!(ended.status.success(), "{line}: {ended:?}");
                return ended.text();
            }
            ["signal", name, signal] => {
                if self.is_running(name) {
                    let id = self.pid(name).to_string();
                    let sent = Command::new("kill").args(["-s", signal, &id]).status();
                    assert!(sent.unwrap().success(), "{signal} to {name}");
                }
            }
            // Waits for the end of what was killed, or ends anyhow.
            ["reap", name, ref within @ ..] => _ = self.wait(name, bound(within)),
            // What the program started, and what that started.
            ["signal-below", name, signal] => {
                let mut all = vec![self.pid(name).to_string()];
                let mut at = 0;
                while let Some(parent) = all.get(at) {
                    let found = Command::new("pgrep").args(["-P", parent]).output().unwrap();
                    all.extend(found.text().lines().map(str::to_owned));
                    at += 1;
                }
                assert!(all.len() > 1, "{name} has started nothing");
                drop(Command::new("kill").args(["-s", signal]).args(&all[1..]).status());
            }
            ["limit-files", name, count] => {
                let pid = self.pid(name).to_string();
                let limit = format!("--nofile={count}:1000");
                let set = Command::new("prlimit").args(["--pid", &pid, &limit]).status();
                assert!(set.unwrap().success(), "{limit} of {name}");
            }
            // Starts what has ended once more.
            ["again", name] => {
                let line = self.program(name).line.clone();
                if !self.is_running(name) {
                    self.run(&format!("{line} & {name}"), "");
                }
            }
            // Waits until a run holds so many pairs or searches.
            ["stored", run, count] => {
                self.until_it_is(BOUND, &format!("{count} stored in {run}"), |shell| {
                    let stored = in_ledger(&shell.folder.join(run), "SELECT count(*) FROM unit");
                    stored >= count.parse().unwrap()
                });
            }
            ["let", name, ref text @ ..] => {
                let value = if text.is_empty() {
                    input.trim().to_owned()
                } else {
                    text.join(" ")
                };
                let name = format!("[{name}]");
                self.names.retain(|(other, _)| *other != name);
                self.names.push((name, value));
            }
            // Milliseconds, or some between two numbers of them.
            ["sleep", ms] => sleep(Duration::from_millis(ms.parse().unwrap())),
            ["sleep", least, most] => {
                let [least, most] = [least, most].map(|ms| ms.parse::<u64>().unwrap());
                sleep(Duration::from_millis(least + self.below(most - least)));
            }
            _ => return tool(&self.folder, words, input),
        }
        String::new()
    }

    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        let next = self.chance.wrapping_mul(6_364_136_223_846_793_005);
        self.chance = next.wrapping_add(1_442_695_040_888_963_407);
        (self.chance >> 33) % bound
    }
}
