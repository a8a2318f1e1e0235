//! Runs below a folder as pages, JSON, events and metrics.
//!
//! Ledgers are read in blocking threads, once for all viewers; a slow reader is left behind, and no run ever waits for a viewer.

mod cache;
mod change_feed;
mod connection;
mod error;
mod guard;
mod job_controller;
mod notice;
mod places;
mod requests;
mod routes;
mod run_index;
mod server;

pub use connection::Certificate;
pub use error::WebError;
pub use guard::new_token;
pub use notice::{Notices, Webhook};
pub use server::{Control, ServeOptions, serve};
