//! What a command does once its arguments are checked.

pub(crate) mod nodes;
