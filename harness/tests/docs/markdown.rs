//! What the tests of the documents read: Markdown files, their links, headings, code.

use std::fs;
use std::path::{Path, PathBuf};

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// The folder of the workspace.
pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// The sources of the manual.
pub(crate) fn manual() -> PathBuf {
    repository().join("docs/src")
}

/// Files below `folder` whose names end in one of `endings`; folders that are built or hidden are left out.
pub(crate) fn files_below(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            let skipped = name.starts_with('.')
                || ["target", "book", "mutants.out", "node_modules"].contains(&name.as_str());
            files.extend(
                (!skipped)
                    .then(|| files_below(&path, endings))
                    .into_iter()
                    .flatten(),
            );
        } else if endings.iter().any(|ending| name.ends_with(ending)) {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// A path as an error names it.
pub(crate) fn shown(path: &Path) -> String {
    let repository = repository();
    path.strip_prefix(&repository)
        .unwrap_or(path)
        .display()
        .to_string()
}

/// A block of code.
pub(crate) struct Block {
    /// What stands after the fence; empty for an indented block.
    pub(crate) language: String,
    pub(crate) text: String,
}

/// A Markdown file taken apart.
#[derive(Default)]
pub(crate) struct Page {
    /// Where its links and pictures lead.
    pub(crate) links: Vec<String>,
    /// The anchors of its headings.
    pub(crate) anchors: Vec<String>,
    /// Code between backticks, headings and tables included.
    pub(crate) spans: Vec<String>,
    pub(crate) blocks: Vec<Block>,
}

impl Page {
    pub(crate) fn read(path: &Path) -> Page {
        Page::parse(&fs::read_to_string(path).unwrap())
    }

    fn parse(text: &str) -> Page {
        let mut page = Page::default();
        let mut heading: Option<String> = None;
        let mut block: Option<Block> = None;
        for event in Parser::new_ext(
            text,
            Options::ENABLE_TABLES | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS,
        ) {
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
                    block = Some(Block { language, text });
                }
                Event::End(TagEnd::CodeBlock) => page.blocks.extend(block.take()),
                Event::Code(code) => {
                    if let Some(heading) = &mut heading {
                        heading.push_str(&code);
                    }
                    page.spans.push(code.into_string());
                }
                Event::Text(text) => {
                    if let Some(block) = &mut block {
                        block.text.push_str(&text);
                    } else if let Some(heading) = &mut heading {
                        heading.push_str(&text);
                    }
                }
                _ => {}
            }
        }
        page
    }

    /// As mdBook and GitHub name the place of a heading.
    fn add_anchor(&mut self, heading: &str) {
        let kept = heading.trim().chars().filter_map(|symbol| match symbol {
            symbol if symbol.is_alphanumeric() || symbol == '_' || symbol == '-' => {
                Some(symbol.to_lowercase().to_string())
            }
            symbol if symbol.is_whitespace() => Some("-".to_owned()),
            _ => None,
        });
        let anchor: String = kept.collect();
        let again = self.anchors.iter().filter(|&other| *other == anchor).count();
        self.anchors.push(if again == 0 {
            anchor
        } else {
            format!("{anchor}-{again}")
        });
    }
}
