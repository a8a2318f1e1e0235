//! The engines of a machine by name, for `usi:@NAME`.

use std::collections::BTreeMap;
use std::path::Path;

use super::player_file::PlayerFile;
use super::process::{NAMED, SSH, beside};
use super::source::Source;
use super::{Build, BuildIdentity, ConfigError, EngineProtocol, Mistakes, ProcessSpec};

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Engines {
    programs: BTreeMap<String, ProcessSpec>,
    builds: BTreeMap<String, BuildIdentity>,
}

impl Engines {
    /// Reads the file at `path`; programs are looked for from its folder.
    pub fn open(path: &Path) -> Result<Engines, ConfigError> {
        let folder = path.parent().unwrap_or(Path::new(""));
        let source = Source::open(path)?;
        let (mut wrong, mut programs) = (Mistakes::default(), BTreeMap::new());
        for (name, value) in &source.table {
            let mut inner = Mistakes::default();
            let mut file = match value {
                toml::Value::Table(table) => PlayerFile::read(table, &mut inner),
                _ => PlayerFile::default(),
            };
            if let Some(command) = file
                .command
                .as_mut()
                .filter(|command| command.contains(['/', '\\']) && !command.starts_with(SSH))
            {
                *command = folder.join(&*command).to_string_lossy().into_owned();
            }
            match ProcessSpec::from_file(&file) {
                Ok(Some(program)) => drop(programs.insert(name.clone(), program)),
                Ok(None) if !inner.is_empty() => {}
                Ok(None) => inner.push("", format!("{name}: there is no command")),
                Err(mistake) => inner.push(mistake.key, format!("{name}: {}", mistake.message)),
            }
            wrong.extend_at(&format!("{name}."), inner);
        }
        source.placed(wrong).check()?;
        Ok(Engines {
            programs,
            builds: BTreeMap::new(),
        })
    }

    /// `program` was built from this commit.
    pub fn add_build(
        &mut self,
        build: &Build,
        program: &Path,
        identity: BuildIdentity,
    ) -> Result<(), String> {
        let spec = ProcessSpec::new(EngineProtocol::Usi, &program.to_string_lossy())?;
        self.programs.insert(build.to_string(), spec);
        self.builds.insert(build.to_string(), identity);
        Ok(())
    }

    pub fn extend(&mut self, more: Engines) {
        self.programs.extend(more.programs);
        self.builds.extend(more.builds);
    }

    /// What stands for the content of the program of `spec`, if it is built from a commit.
    pub fn build_identity(&self, spec: &ProcessSpec) -> Option<&BuildIdentity> {
        self.builds.get(spec.engine_name()?)
    }

    fn unknown(&self, name: &str) -> ConfigError {
        Build::parse(name).map_or_else(
            || ConfigError::UnknownEngine {
                name: name.to_owned(),
                known: self.programs.keys().cloned().collect::<Vec<_>>().join(", "),
            },
            ConfigError::UnbuiltCommit,
        )
    }

    /// `spec`, if it names a program itself; else the program that its name stands for here, with its own options before those of
    /// `spec`.
    pub fn resolve(&self, spec: &ProcessSpec) -> Result<ProcessSpec, ConfigError> {
        let Some(name) = spec.engine_name() else {
            return Ok(spec.clone());
        };
        let program = self.programs.get(name).ok_or_else(|| self.unknown(name))?;
        let mut commands = program.initial_commands.clone();
        commands.extend(spec.initial_commands.clone());
        Ok(ProcessSpec {
            host: program.host.clone(),
            command: program.command.clone(),
            arguments: program.arguments.clone(),
            directory: program.directory.clone(),
            environment: program.environment.clone(),
            options: beside(&program.options, &spec.options, str::eq_ignore_ascii_case),
            initial_commands: commands,
            memory_mib: spec.memory_mib.or(program.memory_mib),
            ..spec.clone()
        })
    }
}

impl ProcessSpec {
    /// The name that stands in the place of a command, if one does.
    pub fn engine_name(&self) -> Option<&str> {
        let here = self.host.is_none().then_some(&self.command);
        here?.to_str()?.strip_prefix(NAMED)
    }

    /// Does it say nothing but a name and what the engine itself is told: no argument, folder or environment?
    pub fn is_name_only(&self) -> bool {
        self.engine_name().is_some()
            && self.arguments.is_empty()
            && self.directory.is_none()
            && self.environment.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::ProcessSpec;

    fn spec(text: &str) -> ProcessSpec {
        ProcessSpec::parse(text).unwrap().unwrap().1
    }

    fn engines(text: &str) -> Result<Engines, ConfigError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("engines.toml");
        std::fs::write(&path, text).unwrap();
        Engines::open(&path)
    }

    #[test]
    #[cfg_attr(windows, ignore = "paths of Unix")]
    fn a_name_stands_for_its_program_and_options_of_the_run_go_before_its_own() {
        let text = "[fairy]\nprotocol = \"usi\"\ncommand = \"/opt/fairy\"\narguments = [\"x\"]\n[fairy.options]\nThreads = 1\nHash = 16\n";
        let engines = engines(text).unwrap();
        let found = engines.resolve(&spec("usi:@fairy,option.Hash=64")).unwrap();
        assert_eq!(found.command, Path::new("/opt/fairy"));
        assert_eq!(found.arguments, ["x"]);
        let option = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(found.options, [option("Threads", "1"), option("Hash", "64")]);
        let other = spec("usi:/opt/other");
        assert_eq!(engines.resolve(&other).unwrap(), other);
    }

    #[test]
    fn a_name_that_nobody_has_and_an_engine_without_a_command_are_mistakes() {
        let some = engines("[fairy]\ncommand = \"/opt/fairy\"\n").unwrap();
        for (engines, known) in [(some, "fairy"), (Engines::default(), "none")] {
            let said = engines.resolve(&spec("usi:@fary")).unwrap_err().to_string();
            assert!(said.contains("@fary") && said.contains(known), "{said}");
        }
        let commit = format!("/home/me/engine#{}", "0".repeat(40));
        let said = Engines::default().resolve(&spec(&format!("usi:@{commit}")));
        let said = said.unwrap_err().to_string();
        assert!(
            said.contains(&commit) && said.contains("`tanren test` builds commits"),
            "{said}"
        );
        let said = engines("[fairy]\nprotocol = \"usi\"\n").unwrap_err().to_string();
        assert!(said.contains("fairy"), "{said}");
    }

    #[test]
    fn a_name_with_a_command_line_is_more_than_a_name() {
        assert!(spec("usi:@fairy,option.Threads=2").is_name_only());
        for more in [
            "usi:@fairy x",
            "usi:@fairy,env.A=b",
            "usi:@fairy,directory=/",
            "usi:/bin/x",
        ] {
            assert!(!spec(more).is_name_only(), "{more}");
        }
    }
}
