//! The path of a game: its positions so far.

use super::position::Position;

/// The positions of a game so far, the present one last: what repetition rules look at.
#[derive(Debug, Clone, Default)]
pub struct Path {
    pub(super) entries: Vec<PathEntry>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct PathEntry {
    /// As search sees it.
    pub(super) key: u64,
    /// As the rules see it.
    pub(super) repetition_key: u64,
    pub(super) in_check: bool,
}

impl Path {
    /// A path that starts (and stands) at `position`.
    pub fn new<P: Position>(position: &P) -> Self {
        let mut path = Path {
            entries: Vec::with_capacity(1024),
        };
        path.push(position);
        path
    }

    /// Starts again at `position`, keeping the allocation.
    pub fn restart<P: Position>(&mut self, position: &P) {
        self.entries.clear();
        self.push(position);
    }

    /// Becomes the same path as `other`, keeping the allocation.
    pub fn copy_from(&mut self, other: &Path) {
        self.entries.clone_from(&other.entries);
    }

    /// Appends the position reached.
    #[inline]
    pub fn push<P: Position>(&mut self, position: &P) {
        self.entries.push(PathEntry {
            key: position.key(),
            repetition_key: position.repetition_key(),
            in_check: position.in_check(),
        });
    }

    /// Drops the last position.
    #[inline]
    pub fn pop(&mut self) {
        self.entries.pop();
    }

    /// Number of positions on the path, the present one included.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// True before the first position.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}
