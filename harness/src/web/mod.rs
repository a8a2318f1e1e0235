//! Runs below a folder as pages, for whoever looks: a list of all, each followed while it goes on, JSON, metrics.
//!
//! In: a folder of results, requests of a network. Out: answers. Must not: write into a run, keep one waiting, or believe a request.
//!
//! Whatever is read is read in threads of its own, once for all who look; who does not read his answers is left behind.

mod boards;
mod connection;
mod control;
mod counted;
mod error;
mod follow;
mod guard;
mod library;
mod notice;
mod place;
mod routes;
mod server;
mod shelf;
mod tls;

pub use error::WebError;
pub use guard::new_token;
pub use notice::{Notices, Webhook};
pub use place::Place;
pub use server::{Control, ServeOptions, serve};
pub use tls::Certificate;
