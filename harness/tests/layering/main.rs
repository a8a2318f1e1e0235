//! The picture in ARCHITECTURE.md, held true: a stage imports only what stands before it, no files import each other in a
//! circle, and the outside world is touched where it may be.
//!
//! Sources are read as syntax trees (`parse`), names are followed through imports, new names and re-exports to the file
//! that declares them (`tree`), and judged by tables (`rules`). A method is not followed to its file, only the type it is
//! called on where that is named.
#![expect(clippy::unwrap_used, reason = "a helper of tests may panic")]

mod cases;
mod circles;
mod known;
mod parse;
mod rules;
mod tree;

use std::path::Path;

use rules::{ENGINE, HARNESS, Layers};
use tree::Tree;

fn assert_holds(layers: &Layers) {
    let tree = Tree::read(Path::new(env!("CARGO_MANIFEST_DIR")), layers);
    assert!(tree.files().count() > 10, "{} is empty", layers.root);
    let found = rules::violations(layers, &tree);
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

#[test]
fn the_engine_keeps_its_layers() {
    assert_holds(&ENGINE);
}

#[test]
fn the_harness_keeps_its_layers() {
    assert_holds(&HARNESS);
}

fn assert_has_no_new_circle(layers: &Layers) {
    let tree = Tree::read(Path::new(env!("CARGO_MANIFEST_DIR")), layers);
    let found = circles::violations(layers, &circles::circles(&tree));
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

#[test]
fn the_files_of_the_engine_import_each_other_in_no_circle_but_the_named() {
    assert_has_no_new_circle(&ENGINE);
}

#[test]
fn the_files_of_the_harness_import_each_other_in_no_circle_but_the_named() {
    assert_has_no_new_circle(&HARNESS);
}
