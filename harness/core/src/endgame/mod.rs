//! Endings that are known: Syzygy tables of chess.

#[cfg(target_arch = "x86_64")]
mod attacks;
mod files;
mod tables;

use std::path::PathBuf;

pub use tables::Tables;

use tanren_engine::game::Side;

/// What a position is worth under the rules, the fifty moves included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Known {
    Won(Side),
    Drawn,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TablesError {
    #[error("cannot read the folder '{}' of --syzygy: {reason}", path.display())]
    Unreadable { path: PathBuf, reason: String },
    #[error("there are no Syzygy tables in '{}': --syzygy is the folder with the files KQvK.rtbw, KRvK.rtbw, …", .0.display())]
    None(PathBuf),
    #[error("'{}' is no whole Syzygy table: get it again, or take it out of its folder", .0.display())]
    Damaged(PathBuf),
    /// The library parts folders there.
    #[error("the folder '{}' of --syzygy has a ':' or no UTF-8 in its name: give it another, or a relative path", .0.display())]
    Name(PathBuf),
    /// Tables are open once in a process.
    #[error("the tables in '{}' are in use: one process plays with those of one folder", .0.display())]
    InUse(PathBuf),
    #[error("--syzygy is there on x86-64 only")]
    Unsupported,
}
