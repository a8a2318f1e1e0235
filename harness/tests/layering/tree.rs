//! The files of a crate, and which of them a name leads to.
//!
//! In: a folder, or texts by path. Out: for each file what it names, each name followed through imports and re-exports.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::parse::{Name, Names, names_of};
use crate::rules::Layers;

/// More names than lead to one another in any file.
const STEPS_MAX: usize = 16;

/// Where a name leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Target {
    /// A module or an item of the crate, by its path from the root.
    Own(Vec<String>),
    /// Something else: `std::fs::read`, `f64`, `println!`.
    Other(Vec<String>),
}

/// A file of the crate.
#[derive(Debug)]
pub(crate) struct SourceFile {
    /// Where it stands below the crate's `src`.
    pub(crate) path: String,
    /// The path of its module.
    pub(crate) module: Vec<String>,
    pub(crate) names: Names,
    /// What `crate` means in it: nothing, or the stage that is a crate of its own.
    root: Vec<String>,
}

/// One name of a file, followed.
#[derive(Debug)]
pub(crate) struct Use {
    pub(crate) target: Target,
    pub(crate) line: usize,
    /// Is it a `pub use`, which makes no file depend on another by itself?
    pub(crate) is_handed_on: bool,
}

/// The files of a crate by the paths of their modules. A stage that is a crate of its own is one of them.
#[derive(Debug)]
pub(crate) struct Tree {
    files: BTreeMap<Vec<String>, SourceFile>,
    /// Names of crates, and where they stand in the tree.
    crates: Vec<(String, Vec<String>)>,
}

impl Tree {
    /// Reads the sources below `layers.root`, and those of the stages beside it that are crates (`stats/src`).
    pub(crate) fn read(manifest: &Path, layers: &Layers) -> Tree {
        let root = manifest.join(layers.root);
        let mut sources = texts(&root, Vec::new());
        let mut crates = vec![(layers.name.to_owned(), Vec::new())];
        for stage in layers.order {
            let folder = root.join("..").join(stage).join("src");
            if folder.is_dir() {
                sources.extend(texts(&folder, vec![(*stage).to_owned()]));
                crates.push((format!("{}_{stage}", layers.name), vec![(*stage).to_owned()]));
            }
        }
        Tree::new(sources, crates)
    }

    /// A tree of texts: path below `src`, text.
    pub(crate) fn of_texts(layers: &Layers, texts: &[(&str, &str)]) -> Tree {
        let source = |(path, text): &(&str, &str)| (Vec::new(), PathBuf::from(path), (*text).to_owned());
        let crates = vec![(layers.name.to_owned(), Vec::new())];
        Tree::new(texts.iter().map(source).collect(), crates)
    }

    fn new(sources: Vec<(Vec<String>, PathBuf, String)>, crates: Vec<(String, Vec<String>)>) -> Tree {
        let mut files = BTreeMap::new();
        for (root, path, text) in sources {
            let names = names_of(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let module = [root.clone(), module_of(&path)].concat();
            let shown = root.iter().map(PathBuf::from).chain([path]).collect::<PathBuf>();
            let path = shown.to_string_lossy().replace('\\', "/");
            files.insert(
                module.clone(),
                SourceFile {
                    path,
                    module,
                    names,
                    root,
                },
            );
        }
        let mut tree = Tree { files, crates };
        tree.drop_tests();
        tree
    }

    /// Forgets what is compiled for tests alone.
    fn drop_tests(&mut self) {
        let declared = |file: &SourceFile| {
            let names = file.names.test_files.clone();
            let module = file.module.clone();
            names
                .into_iter()
                .map(move |name| [&module[..], &[name]].concat())
                .collect::<Vec<_>>()
        };
        let tests: Vec<Vec<String>> = self.files.values().flat_map(declared).collect();
        self.files
            .retain(|module, _| !tests.iter().any(|test| module.starts_with(test)));
    }

    pub(crate) fn files(&self) -> impl Iterator<Item = &SourceFile> {
        self.files.values()
    }

    /// The file that declares what `path` leads to.
    pub(crate) fn file_of(&self, path: &[String]) -> Option<&SourceFile> {
        (0..=path.len())
            .rev()
            .find_map(|length| self.files.get(&path[..length]))
    }

    /// Everything that a file names, followed.
    pub(crate) fn uses(&self, file: &SourceFile) -> Vec<Use> {
        let imports = file.names.imports.iter().map(|import| {
            let name = Name {
                within: import.within.clone(),
                path: import.path.clone(),
                line: import.line,
            };
            (name, Some(import.is_public))
        });
        let paths = file.names.paths.iter().map(|name| (name.clone(), None));
        let followed = imports.chain(paths).map(|(name, is_handed_on)| {
            let module = [&file.module[..], &name.within].concat();
            let is_import = is_handed_on.is_some();
            let mut target = self.follow(file, &module, &name.path, STEPS_MAX);
            if !is_import && name.path.len() == 1 && self.is_module(&target) {
                // A variable that is called like a module.
                target = Target::Other(name.path);
            }
            Use {
                target,
                line: name.line,
                is_handed_on: is_handed_on.unwrap_or(false),
            }
        });
        followed.collect()
    }

    fn is_module(&self, target: &Target) -> bool {
        matches!(target, Target::Own(path) if self.files.contains_key(path))
    }

    /// Where `path` leads that stands in `module` of `file`.
    fn follow(&self, file: &SourceFile, module: &[String], path: &[String], steps: usize) -> Target {
        let own = |base: &[String], rest: &[String]| self.declared([base, rest].concat(), steps);
        let [first, rest @ ..] = path else {
            return Target::Own(module.to_vec());
        };
        match first.as_str() {
            "crate" => return own(&file.root, rest),
            "self" if rest.first().is_some_and(|word| word == "super") => {
                return self.follow(file, module, rest, steps);
            }
            "self" => return own(module, rest),
            "super" => {
                let parents = 1 + rest.iter().take_while(|word| *word == "super").count();
                return own(
                    &module[..module.len().saturating_sub(parents)],
                    &rest[parents - 1..],
                );
            }
            _ => {}
        }
        if steps == 0 {
            return Target::Other(path.to_vec());
        }
        if let Some(target) = self.imported(file, module, first, rest, steps, false) {
            return target;
        }
        if let Some((_, base)) = self.crates.iter().find(|(name, _)| name == first) {
            return own(base, rest);
        }
        if self.files.contains_key(&[module, &path[..1]].concat()) {
            return own(module, path);
        }
        Target::Other(path.to_vec())
    }

    /// Where `first::rest` leads by the imports of `module`, if one names it.
    fn imported(
        &self,
        file: &SourceFile,
        module: &[String],
        first: &String,
        rest: &[String],
        steps: usize,
        is_outside: bool,
    ) -> Option<Target> {
        let here = |within: &Vec<String>| module.strip_prefix(&file.module[..]) == Some(within.as_slice());
        let bare = first.trim_end_matches('!');
        let mut imports = file.names.imports.iter().filter(|import| here(&import.within));
        // A name that is imported under its own name is no step of its own.
        let named = imports
            .clone()
            .find(|import| import.name == bare && import.path != [bare]);
        if let Some(import) = named {
            let path = [&import.path[..], rest].concat();
            let is_itself = import.path.first() == Some(first);
            if is_itself {
                return Some(self.outside(file, module, path));
            }
            return Some(self.follow(file, module, &path, steps - 1));
        }
        imports.find_map(|import| {
            // Seen from outside only what a file hands on; its own names come before those of a `use super::*`.
            let is_hidden = is_outside && !import.is_public;
            if is_hidden || import.name != "*" || import.path.first() == Some(first) {
                return None;
            }
            let base = self.follow(file, module, &import.path, steps - 1);
            let Target::Own(base) = base else { return None };
            let path = [&base[..], std::slice::from_ref(first)].concat();
            let known = self.files.contains_key(&path) || self.hands_on(&base, bare);
            known.then(|| self.declared([&path[..], rest].concat(), steps - 1))
        })
    }

    /// `use toml::{self, Value}`: the path begins with a crate or a child, not with an import.
    fn outside(&self, file: &SourceFile, module: &[String], path: Vec<String>) -> Target {
        if let Some((_, base)) = self.crates.iter().find(|(name, _)| *name == path[0]) {
            return self.declared([&base[..], &path[1..]].concat(), STEPS_MAX);
        }
        let child = [module, &path[..1]].concat();
        if self.files.contains_key(&child) && module == file.module {
            return self.declared([module, &path].concat(), STEPS_MAX);
        }
        Target::Other(path)
    }

    fn hands_on(&self, module: &[String], name: &str) -> bool {
        let file = self.files.get(module);
        file.is_some_and(|file| file.names.imports.iter().any(|import| import.name == name))
    }

    /// The path from the root, re-exports followed to what they hand on.
    fn declared(&self, path: Vec<String>, steps: usize) -> Target {
        let whole = (0..=path.len())
            .rev()
            .find(|&length| self.files.contains_key(&path[..length]));
        let Some(length) = whole else {
            return Target::Own(path);
        };
        let (module, rest) = path.split_at(length);
        let file = &self.files[module];
        let Some((first, after)) = rest.split_first() else {
            return Target::Own(path);
        };
        if steps == 0 {
            return Target::Own(path);
        }
        let target = self.imported(file, module, first, after, steps, true);
        target.unwrap_or(Target::Own(path))
    }
}

/// The path of a module from that of its file.
fn module_of(path: &Path) -> Vec<String> {
    let mut words: Vec<String> = path
        .with_extension("")
        .components()
        .map(|component| component.as_os_str().to_string_lossy().into_owned())
        .collect();
    if words.last().is_some_and(|word| word == "mod") || words == ["lib"] {
        words.pop();
    }
    words
}

/// Every source below `folder`, with the module that it is the root of.
fn texts(folder: &Path, root: Vec<String>) -> Vec<(Vec<String>, PathBuf, String)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                found.push((root.clone(), path.strip_prefix(folder).unwrap().to_owned(), text));
            }
        }
    }
    found
}
