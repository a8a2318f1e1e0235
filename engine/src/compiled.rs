//! The search of each game, compiled here and nowhere else.

use crate::search::{Report, Searchable, Task};
use crate::{chess, shogi};

impl Searchable for shogi::Board {
    fn search(task: Task<'_, Self>) -> Report<shogi::Move> {
        task.run()
    }
}

impl Searchable for chess::Board {
    fn search(task: Task<'_, Self>) -> Report<chess::Move> {
        task.run()
    }
}
