//! A total of pairs, spent where they decide: the rule is `stats::Elimination`'s.

use tanren_engine::search::Searchable;

use super::Study;

use crate::kinds::ablate::AblationFindings;
use crate::kinds::ablate::report;
use crate::kinds::ablate::study::{ALPHA, AblationRow, GainOrLoss, judge};
use crate::ledger::Ledger;
use crate::session::error::ExperimentError;
use crate::session::observer::RunEvent;
use crate::stats::{Elimination, Question};

impl<P: Searchable> Study<'_, P> {
    /// Plays rows on until the budget is spent or nothing is left to decide.
    pub(crate) fn spend(
        &mut self,
        budget: u64,
        findings: &mut AblationFindings,
        ledger: &Ledger,
    ) -> Result<(), ExperimentError> {
        let length = self.spec.length;
        let rule = Elimination::new(length.looks(), self.spec.rows.len(), ALPHA);
        while !self.is_to_stop() {
            let questions: Vec<Question> = findings.rows.iter().map(question).collect();
            let left = budget.saturating_sub(findings.pairs());
            let Some((index, target)) = rule.next(&questions, left) else {
                break;
            };
            let variant = &self.spec.rows[index];
            let assignment = variant.assignment();
            let line = format!("{assignment}, up to {target} pairs");
            self.session.on_event(RunEvent::Part(assignment))?;
            self.session.on_event(RunEvent::Line(line))?;
            let before = findings.rows[index].clone();
            let standing = self.play_to(variant, target)?;
            let mut row = AblationRow::new(variant.clone(), &standing, before.nodes, &length);
            row.acted = before.acted;
            findings.rows[index] = row;
            judge(&mut findings.rows, 0);
            self.session.tell_found(ledger, findings)?;
            let line = report::line(&findings.rows[index]);
            let spent = findings.pairs();
            self.session
                .on_event(RunEvent::Line(format!("[{spent}/{budget} pairs] {line}")))?;
        }
        Ok(())
    }
}

fn question(row: &AblationRow) -> Question {
    Question {
        pairs: row.tally.pairs(),
        p: row.p_of_look,
        is_closed: matches!(row.worth, GainOrLoss::Identical | GainOrLoss::Invalid),
    }
}
