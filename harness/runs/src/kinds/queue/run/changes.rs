//! What becomes of a queue whose file is edited while it runs.

use std::sync::Arc;

use super::{PlannedJob, QueueSpec};

use crate::kinds::queue::QueueJob;

/// The names of the jobs that are not as they were.
#[derive(Debug, Default)]
pub(super) struct Changes {
    added: Vec<String>,
    edited: Vec<String>,
    removed: Vec<String>,
    /// Edited or removed, but they have begun.
    begun: Vec<String>,
}

impl Changes {
    pub(super) fn line(&self) -> Option<String> {
        let parts = [
            ("added", &self.added),
            ("edited", &self.edited),
            ("removed", &self.removed),
        ];
        let parts = parts.into_iter().filter(|(_, jobs)| !jobs.is_empty());
        let parts: Vec<String> = parts
            .map(|(what, jobs)| format!("{what} {}", jobs.join(", ")))
            .collect();
        (!parts.is_empty()).then(|| format!("the file of the queue has changed: {}", parts.join("; ")))
    }

    /// `stc, ltc`: jobs that began with other keys.
    pub(super) fn begun(&self) -> Option<String> {
        (!self.begun.is_empty()).then(|| self.begun.join(", "))
    }
}

impl QueueSpec {
    /// What is other in the queue `now` if these jobs have begun.
    pub(super) fn changes(&self, now: &QueueSpec, begun: &[usize]) -> Changes {
        let mut changes = Changes::default();
        for (number, (planned, job)) in self.jobs.iter().zip(self.queue.jobs()).enumerate() {
            let (has_begun, other) = (begun.contains(&number), now.number(&job.name));
            let is_same = other.is_some_and(|other| {
                let has_same_keys = now.queue.jobs()[other].source.table == job.source.table;
                has_same_keys && (has_begun || now.jobs[other].arguments == planned.arguments)
            });
            let list = match (is_same, has_begun, other) {
                (true, ..) => continue,
                (false, true, _) => &mut changes.begun,
                (false, false, Some(_)) => &mut changes.edited,
                (false, false, None) => &mut changes.removed,
            };
            list.push(job.name.clone());
        }
        let new = now
            .jobs
            .iter()
            .filter(|planned| self.number(&planned.job.name).is_none());
        changes.added.extend(new.map(|planned| planned.job.name.clone()));
        changes
    }

    pub(super) fn number(&self, job: &str) -> Option<usize> {
        self.jobs.iter().position(|planned| planned.job.name == job)
    }

    /// Keeps a job of the queue `before`, which has begun, whatever the file says of it now; its number here.
    pub(super) fn keep(&mut self, before: &QueueSpec, job: usize) -> usize {
        let planned: &Arc<PlannedJob> = &before.jobs[job];
        if let Some(number) = self.number(&planned.job.name) {
            self.jobs[number] = Arc::clone(planned);
            return number;
        }
        // It waits for nobody any more, and the others may be gone.
        let mut kept = QueueJob {
            only_if: None,
            ..planned.job.clone()
        };
        kept.source.table.remove("only_if");
        let table = toml::Table::from_iter([("job".to_owned(), vec![kept.source.table.clone()].into())]);
        self.text += &format!("\n# taken out of the file when it had begun\n{table}");
        self.queue.keep(kept);
        self.jobs.push(Arc::clone(planned));
        self.jobs.len() - 1
    }
}
