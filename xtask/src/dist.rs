//! Build, check, pack.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;
use std::{env, fs};

use crate::pack::{self, Entry};
use crate::targets::Target;
use crate::{Result, say};

const VERSION: &str = env!("CARGO_PKG_VERSION");
const PROFILE: &str = "release";
const PROGRAMS: [&str; 2] = ["tanren", "tanren-engine"];
const MAX_MB: f64 = 20.0;
/// Files of the repository that go with the programs.
const DOCUMENTS: [&str; 5] = [
    "CHANGELOG.md",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.ja.md",
    "README.md",
];
/// Shells, and the files in which they look for completions.
const SHELLS: [(&str, &str); 4] = [
    ("bash", "tanren.bash"),
    ("fish", "tanren.fish"),
    ("powershell", "_tanren.ps1"),
    ("zsh", "_tanren"),
];

struct Release {
    root: PathBuf,
    /// The target folder of Cargo.
    target: PathBuf,
    /// Where the finished files go.
    out: PathBuf,
    /// The time of all files: `SOURCE_DATE_EPOCH`, or that of the commit.
    time: u64,
}

pub(crate) fn dist(targets: &[&Target]) -> Result<()> {
    let root = fs::canonicalize(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."))?;
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |dir| root.join(dir));
    let time = match env::var("SOURCE_DATE_EPOCH") {
        Ok(time) => time,
        Err(_) => output(
            Command::new("git")
                .current_dir(&root)
                .args(["log", "-1", "--format=%ct"]),
        )?,
    };
    let time = time
        .trim()
        .parse()
        .map_err(|_| format!("no time in seconds since 1970: `{time}`"))?;
    let release = Release {
        out: target.join("dist"),
        root,
        target,
        time,
    };
    fs::create_dir_all(&release.out)?;
    for target in targets {
        release.make(target)?;
    }
    pack::sums(&release.out)?;
    for path in pack::files(&release.out)? {
        say(format!("{:>12}  {}", fs::metadata(&path)?.len(), path.display()));
    }
    Ok(())
}

impl Release {
    fn make(&self, target: &Target) -> Result<()> {
        self.build(target)?;
        self.check(target)?;
        self.documents(target)?;
        self.archive(target)
    }

    /// Where Cargo puts the programs of a target.
    fn built(&self, target: &Target) -> PathBuf {
        self.target.join(target.triple).join(PROFILE)
    }

    fn program(&self, target: &Target, name: &str) -> Command {
        let path = self.built(target).join(format!("{name}{}", target.exe()));
        let Some(runner) = target.runner() else {
            return Command::new(path);
        };
        let mut command = Command::new(runner);
        command.arg(path);
        command
    }

    fn build(&self, target: &Target) -> Result<()> {
        let home = env::var_os("CARGO_HOME").map(PathBuf::from);
        let home = home
            .or_else(|| Some(env::home_dir()?.join(".cargo")))
            .ok_or("no home folder")?;
        // No folder of this machine is in a program, so that others can make the same one.
        let flags = format!(
            "target.{}.rustflags=[\"--remap-path-prefix={}=.\",\"--remap-path-prefix={}=/cargo\"]",
            target.triple,
            self.root.display(),
            home.display()
        );
        run(self.cargo(target.build).args(["--config", &flags]).args([
            "--profile",
            PROFILE,
            "--locked",
            "--package",
            "tanren",
            "--package",
            "tanren-engine",
            "--bins",
            "--target",
            target.triple,
        ]))
    }

    fn cargo(&self, command: &str) -> Command {
        let mut cargo = Command::new("cargo");
        cargo
            .current_dir(&self.root)
            .arg(command)
            .env("CARGO_TARGET_DIR", &self.target)
            .env("SOURCE_DATE_EPOCH", self.time.to_string());
        cargo
    }

    /// The program is small enough, says its version, plays as `engine/signatures.csv` says, and a first match ends.
    fn check(&self, target: &Target) -> Result<()> {
        let path = self.built(target).join(format!("tanren{}", target.exe()));
        let megabytes = fs::metadata(&path)?.len() as f64 / 1e6;
        if megabytes > MAX_MB {
            return Err(format!("{} has {megabytes:.1} MB, over {MAX_MB:.0}", path.display()).into());
        }
        let version = output(self.program(target, "tanren").arg("--version"))?;
        if version.trim() != format!("tanren {VERSION}") {
            return Err(format!("{} says it is `{}`", path.display(), version.trim()).into());
        }
        let signatures = self.root.join("engine/signatures.csv");
        let expected = fs::read_to_string(&signatures)?;
        for line in output(self.program(target, "tanren-engine").arg("signatures"))?.lines() {
            if !expected.lines().any(|other| other == line) {
                return Err(format!(
                    "the engine for {} finds `{line}`, which is not in {}",
                    target.triple,
                    signatures.display()
                )
                .into());
            }
        }
        let folder = self.target.join("first-match");
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        let words = "match --a base --b base,history=off --nodes 400 --sprt 0,40 --quiet --json --out";
        let verdict = output(self.program(target, "tanren").args(words.split(' ')).arg(&folder))?;
        fs::remove_dir_all(&folder)?;
        if !verdict.contains("\"state\":\"passed\"") {
            return Err(format!("a first match ends with {verdict}").into());
        }
        Ok(())
    }

    /// Manual pages and completions, which the program writes itself.
    fn documents(&self, target: &Target) -> Result<()> {
        let built = self.built(target);
        let completions = built.join("completions");
        fs::create_dir_all(&completions)?;
        for (shell, name) in SHELLS {
            fs::write(
                completions.join(name),
                output(self.program(target, "tanren").args(["completions", shell]))?,
            )?;
        }
        let manual = built.join("man");
        if manual.exists() {
            fs::remove_dir_all(&manual)?;
        }
        run(self.program(target, "tanren").arg("man").arg(&manual))
    }

    fn archive(&self, target: &Target) -> Result<()> {
        let built = self.built(target);
        let folder = format!("tanren-{VERSION}-{}", target.triple);
        let mut entries = Vec::new();
        for name in PROGRAMS {
            let name = format!("{name}{}", target.exe());
            entries.push(Entry {
                source: built.join(&name),
                name,
                is_program: true,
            });
        }
        for name in DOCUMENTS {
            entries.push(Entry {
                source: self.root.join(name),
                name: name.to_owned(),
                is_program: false,
            });
        }
        for (from, to) in [("completions", "completions"), ("man", "man/man1")] {
            for source in pack::files(&built.join(from))? {
                let name = format!(
                    "{to}/{}",
                    source.file_name().unwrap_or_default().to_string_lossy()
                );
                entries.push(Entry {
                    name,
                    source,
                    is_program: false,
                });
            }
        }
        pack::tar_gz(
            &self.out.join(format!("{folder}.tar.gz")),
            &folder,
            &entries,
            self.time,
        )
    }
}

fn run(command: &mut Command) -> Result<()> {
    output(command.stdout(Stdio::inherit())).map(drop)
}

/// What a command prints; its errors are shown as they come.
fn output(command: &mut Command) -> Result<String> {
    let begun = Instant::now();
    let words = format!("{command:?}").replace('"', "");
    say(format!("== {words}"));
    let result = command.stdin(Stdio::null()).stderr(Stdio::inherit()).output();
    let output = result.map_err(|error| format!("{}: {error}", command.get_program().display()))?;
    if !output.status.success() {
        return Err(format!("{words}: {}", output.status).into());
    }
    say(format!("== {} s", begun.elapsed().as_secs()));
    Ok(String::from_utf8(output.stdout)?)
}
