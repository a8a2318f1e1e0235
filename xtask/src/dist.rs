//! Build, check, pack.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;
use std::{env, fs};

use crate::pack::{self, Entry};
use crate::targets::Target;
use crate::{Result, VERSION, licences, say, wheel};

const PROFILE: &str = "published";
const PACKAGES: [&str; 4] = ["--package", "tanren", "--package", "tanren-engine"];
const PROGRAMS: [&str; 2] = ["tanren", "tanren-engine"];
/// Files of the repository that go with the programs.
const DOCUMENTS: [&str; 7] = [
    "CHANGELOG.md",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.ja.md",
    "README.md",
    "packaging/Containerfile",
    "packaging/tanren-worker.service",
];
/// Shells, and the files in which they look for completions.
const SHELLS: [(&str, &str); 4] = [
    ("bash", "tanren.bash"),
    ("fish", "tanren.fish"),
    ("powershell", "_tanren.ps1"),
    ("zsh", "_tanren"),
];
const SBOM: &str = "sbom.cdx.json";
const THIRD_PARTY: &str = "THIRD-PARTY.txt";

struct Release {
    root: PathBuf,
    cargo_home: PathBuf,
    /// The target folder of Cargo.
    target: PathBuf,
    /// Where the finished files go.
    out: PathBuf,
    /// The time of all files: `SOURCE_DATE_EPOCH`, or that of the commit.
    time: u64,
    /// What `--version` says: `TANREN_COMMIT`, or the commit and its date.
    commit: String,
}

pub(crate) fn dist(targets: &[&Target]) -> Result<()> {
    let root = fs::canonicalize(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."))?;
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |dir| root.join(dir));
    let given = |name: &str, format: &str| match env::var(name) {
        Ok(text) => Ok(text),
        Err(_) => git(&root, &["log", "-1", "--abbrev=12", format]),
    };
    let time = given("SOURCE_DATE_EPOCH", "--format=%ct")?;
    let commit = given("TANREN_COMMIT", "--format=%h %cs")?.trim().to_owned();
    let time = time
        .trim()
        .parse()
        .map_err(|_| format!("SOURCE_DATE_EPOCH is no number of seconds: `{time}`"))?;
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let cargo_home = home
        .or_else(|| Some(env::home_dir()?.join(".cargo")))
        .ok_or("there is no home folder")?;
    let release = Release {
        out: target.join("dist"),
        root,
        cargo_home,
        target,
        time,
        commit,
    };
    if release.out.exists() {
        fs::remove_dir_all(&release.out)?;
    }
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
        self.archive(target)?;
        self.wheel(target)?;
        if target.deb {
            self.deb(target)?;
        }
        fs::copy(
            self.built(target).join(SBOM),
            self.out
                .join(format!("tanren-{VERSION}-{}.cdx.json", target.triple)),
        )?;
        Ok(())
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

    fn cargo(&self, command: &str) -> Command {
        let mut cargo = Command::new("cargo");
        cargo
            .current_dir(&self.root)
            .arg(command)
            .env("CARGO_TARGET_DIR", &self.target)
            .env("SOURCE_DATE_EPOCH", self.time.to_string())
            .env("TANREN_COMMIT", &self.commit);
        cargo
    }

    fn build(&self, target: &Target) -> Result<()> {
        // No folder of this machine is in a program, so that others can make the same one.
        let flags = format!(
            "target.{}.rustflags=[\"--remap-path-prefix={}=.\",\"--remap-path-prefix={}=/cargo\"]",
            target.triple,
            self.root.display(),
            self.cargo_home.display()
        );
        let cargo = &mut self.cargo("auditable");
        cargo.args([target.build, "--config", &flags, "--profile", PROFILE, "--locked"]);
        run(cargo.args(PACKAGES).args(["--bins", "--target", target.triple]))
    }

    /// The program is small enough, says its version, plays as `engine/signatures.csv` says, and a first match ends.
    fn check(&self, target: &Target) -> Result<()> {
        let path = self.built(target).join(format!("tanren{}", target.exe()));
        let megabytes = fs::metadata(&path)?.len() as f64 / 1e6;
        if megabytes > target.max_mb {
            return Err(format!("{} has {megabytes:.2} MB, over {}", path.display(), target.max_mb).into());
        }
        let version = output(self.program(target, "tanren").arg("-V"))?;
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
        let words = "match --quiet --json --out";
        let answer = output(self.program(target, "tanren").args(words.split(' ')).arg(&folder))?;
        if !answer.contains("\"state\":\"passed\"") {
            return Err(format!("a first match ends with {answer}").into());
        }
        Ok(())
    }

    /// Manual pages and completions, which the program writes itself, and what is in it.
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
        run(self.program(target, "tanren").arg("man").arg(&manual))?;
        let words = "--edges normal --locked --prefix none --format {p}|{l} --target";
        let cargo = &mut self.cargo("tree");
        cargo.args(PACKAGES).args(words.split(' ')).arg(target.triple);
        let mut text = fs::read_to_string(self.root.join("packaging/linked.txt"))?;
        text += &licences::text(&output(cargo)?, &self.cargo_home)?;
        fs::write(built.join(THIRD_PARTY), text)?;
        self.bill_of_materials(target)
    }

    fn bill_of_materials(&self, target: &Target) -> Result<()> {
        let name = SBOM.trim_end_matches(".json");
        let words = "--quiet --format json --spec-version 1.5 --no-build-deps --override-filename";
        let cargo = &mut self.cargo("cyclonedx");
        cargo.args(words.split(' ')).arg(name);
        run(cargo.args(["--target", target.triple]))?;
        // It writes one file beside each Cargo.toml of the workspace.
        let manifests = git(&self.root, &["ls-files", "*Cargo.toml"])?;
        for manifest in manifests.lines() {
            let file = self.root.join(manifest).with_file_name(SBOM);
            if manifest == "harness/Cargo.toml" {
                let text = fs::read_to_string(&file)?.replace(&self.root.display().to_string(), "");
                fs::write(self.built(target).join(SBOM), text)?;
            }
            if file.exists() {
                fs::remove_file(file)?;
            }
        }
        Ok(())
    }

    fn programs(&self, target: &Target, folder: &str) -> Result<Vec<Entry>> {
        let names = PROGRAMS.map(|name| format!("{name}{}", target.exe()));
        names
            .iter()
            .map(|name| Entry::program(format!("{folder}{name}"), &self.built(target).join(name)))
            .collect()
    }

    /// The files of a folder of `built`.
    fn folder(&self, target: &Target, from: &str, to: &str) -> Result<Vec<Entry>> {
        let files = pack::files(&self.built(target).join(from))?;
        files
            .iter()
            .map(|path| Entry::file(format!("{to}/{}", pack::name(path)), path))
            .collect()
    }

    fn archive(&self, target: &Target) -> Result<()> {
        let folder = format!("tanren-{VERSION}-{}", target.triple);
        let mut entries = self.programs(target, "")?;
        // Containers and services are those of Linux.
        let is_for = |name: &&str| target.exe().is_empty() || !name.starts_with("packaging/");
        for name in DOCUMENTS.into_iter().filter(is_for) {
            let path = self.root.join(name);
            entries.push(Entry::file(pack::name(&path), &path)?);
        }
        entries.push(Entry::file(THIRD_PARTY, &self.built(target).join(THIRD_PARTY))?);
        entries.extend(self.folder(target, "completions", "completions")?);
        entries.extend(self.folder(target, "man", "man/man1")?);
        if target.exe().is_empty() {
            return pack::tar_gz(
                &self.out.join(format!("{folder}.tar.gz")),
                &folder,
                &entries,
                self.time,
            );
        }
        pack::zip(&self.out.join(format!("{folder}.zip")), &folder, &entries)
    }

    fn wheel(&self, target: &Target) -> Result<()> {
        let mut files = self.programs(target, "scripts/")?;
        files.extend(self.folder(target, "man", "data/share/man/man1")?);
        for name in ["LICENSE-APACHE", "LICENSE-MIT"] {
            files.push(Entry::file(
                format!("dist-info/licenses/{name}"),
                &self.root.join(name),
            )?);
        }
        files.push(Entry::file(
            format!("dist-info/licenses/{THIRD_PARTY}"),
            &self.built(target).join(THIRD_PARTY),
        )?);
        files.push(Entry::file(
            format!("dist-info/sboms/tanren.{SBOM}"),
            &self.built(target).join(SBOM),
        )?);
        let readme = fs::read_to_string(self.root.join("README.md"))?;
        wheel::write(
            &self.out.join(wheel::name(target.wheel)),
            target.wheel,
            &readme,
            files,
        )
    }

    /// What is in it is said in `harness/Cargo.toml`.
    fn deb(&self, target: &Target) -> Result<()> {
        let words = "--package tanren --no-build --no-strip --locked --profile";
        let cargo = &mut self.cargo("deb");
        cargo.args(words.split(' ')).arg(PROFILE);
        run(cargo.args(["--target", target.triple, "--output"]).arg(&self.out))
    }
}

fn git(root: &Path, words: &[&str]) -> Result<String> {
    output(Command::new("git").current_dir(root).args(words))
}

fn run(command: &mut Command) -> Result<()> {
    output(command).map(drop)
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
