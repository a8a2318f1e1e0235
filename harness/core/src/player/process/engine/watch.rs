//! A search that is followed line by line.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use super::super::engine_line::{EngineLine, Info};
use super::{Engine, NoAnswer};

/// How long an engine may take to stop where more time is not left.
const STOP_TIME: Duration = Duration::from_secs(1);

impl Engine {
    /// Asks `question` and hands every `info` line, with the words of its principal variation, to `visit` until the answer
    /// comes. The search is stopped once `visit` has heard enough.
    pub(in crate::player::process) fn watch(
        &mut self,
        question: &[u8],
        time: Duration,
        mut visit: impl FnMut(Info, &[u8]) -> ControlFlow<()>,
    ) -> Result<(), NoAnswer> {
        self.refuse_old_answers()?;
        let deadline = Instant::now() + time;
        self.send(question, deadline)?;
        self.is_thinking = true;
        let mut answer = std::mem::take(&mut self.answer);
        answer.clear();
        let mut is_enough = false;
        let heard = self.listen(deadline, "go", |line, said| {
            match said {
                EngineLine::Info(info, words) => is_enough = visit(info, words).is_break(),
                EngineLine::Best(_) => answer.extend_from_slice(line),
                _ => {}
            }
            is_enough || !answer.is_empty()
        });
        self.answer = answer;
        heard?;
        if is_enough {
            return self.stop(deadline.max(Instant::now() + STOP_TIME));
        }
        self.is_thinking = false;
        Ok(())
    }
}
