//! What the tests of the documents read: Markdown files, their links, headings, code.

use std::fs;
use std::path::{Path, PathBuf};

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

pub(crate) fn manual() -> PathBuf {
    repository().join("docs/src")
}

/// Files below `folder` whose names end in one of `endings`; folders that are built or hidden are left out.
pub(crate) fn files_below(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        let is_built = ["target", "book", "mutants.out", "node_modules"].contains(&name);
        if path.is_dir() && !is_built && !name.starts_with('.') {
            files.extend(files_below(&path, endings));
        } else if path.is_file() && endings.iter().any(|ending| name.ends_with(ending)) {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// A path as an error names it.
pub(crate) fn shown(path: &Path) -> String {
    let path = path.strip_prefix(repository()).unwrap_or(path);
    path.to_str().unwrap().replace('\\', "/")
}

/// A block of code; the language is empty if it is indented.
pub(crate) struct Block {
    pub(crate) language: String,
    pub(crate) text: String,
}

/// A Markdown file taken apart.
#[derive(Default)]
pub(crate) struct Page {
    /// Targets of links and pictures.
    pub(crate) links: Vec<String>,
    /// The anchors of its headings.
    pub(crate) anchors: Vec<String>,
    /// Code between backticks, headings and tables included.
    pub(crate) spans: Vec<String>,
    pub(crate) blocks: Vec<Block>,
}

impl Page {
    pub(crate) fn read(path: &Path) -> Page {
        let text = fs::read_to_string(path).unwrap();
        let options = Options::ENABLE_TABLES | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS;
        let mut page = Page::default();
        let mut heading: Option<String> = None;
        let mut in_block = false;
        for event in Parser::new_ext(&text, options) {
            match event {
                Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
                Event::End(TagEnd::Heading(_)) => page.add_anchor(&heading.take().unwrap()),
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    page.links.push(dest_url.into_string());
                }
                Event::Start(Tag::CodeBlock(kind)) => {
                    let language = match kind {
                        CodeBlockKind::Fenced(language) => language.into_string(),
                        CodeBlockKind::Indented => String::new(),
                    };
                    let text = String::new();
                    page.blocks.push(Block { language, text });
                    in_block = true;
                }
                Event::End(TagEnd::CodeBlock) => in_block = false,
                Event::Code(code) => {
                    heading.iter_mut().for_each(|heading| heading.push_str(&code));
                    page.spans.push(code.into_string());
                }
                Event::Text(text) if in_block => page.blocks.last_mut().unwrap().text.push_str(&text),
                Event::Text(text) => heading.iter_mut().for_each(|heading| heading.push_str(&text)),
                _ => {}
            }
        }
        page
    }

    /// As mdBook and GitHub name the place of a heading.
    fn add_anchor(&mut self, heading: &str) {
        let words: Vec<&str> = heading.trim().split(char::is_whitespace).collect();
        let is_kept = |symbol: &char| symbol.is_alphanumeric() || ['_', '-'].contains(symbol);
        let anchor: String = words.join("-").to_lowercase().chars().filter(is_kept).collect();
        let again = self.anchors.iter().filter(|&other| *other == anchor).count();
        self.anchors.push(if again == 0 {
            anchor
        } else {
            format!("{anchor}-{again}")
        });
    }
}
