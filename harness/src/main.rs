//! The `tanren` command.
fn main() {}
