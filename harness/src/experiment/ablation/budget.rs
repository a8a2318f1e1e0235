//! A total of pairs, spent where they decide.
//!
//! In: rows after their first pairs. Out: rows after all that could be spent. Must not: choose by itself: the rule is
//! `stats::Elimination`'s.

use tanren_engine::search::Searchable;

use super::Study;
use crate::experiment::ExperimentError;
use crate::experiment::findings::{AblationFindings, Found};
use crate::experiment::news::{Audience, Begins, News};
use crate::ledger::Ledger;
use crate::stats::{Elimination, Question};
use crate::study::ablate::{ALPHA, AblationRow, Worth, judge};

impl<P: Searchable> Study<'_, P> {
    /// Plays rows on until the budget is spent or nothing is left to decide.
    pub(super) fn spend(
        &self,
        budget: u64,
        findings: &mut AblationFindings,
        ledger: &Ledger,
        audience: &mut dyn Audience,
    ) -> Result<(), ExperimentError> {
        let length = self.spec.length;
        let rule = Elimination::new(length.looks(), self.spec.rows.len(), ALPHA);
        while !self.process.is_requested() {
            let spent: u64 = findings.rows.iter().map(|row| row.tally.pairs()).sum();
            let questions: Vec<Question> = findings.rows.iter().map(question).collect();
            let Some((index, target)) = rule.next(&questions, budget.saturating_sub(spent)) else {
                break;
            };
            let variant = &self.spec.rows[index];
            audience.hear(News::Begins(Begins::MorePairs {
                assignment: &variant.assignment(),
                pairs: target,
            }))?;
            let before = findings.rows[index].clone();
            let standing = self.play_to(variant, target, audience)?;
            let mut row = AblationRow::new(variant.clone(), &standing, before.nodes, &length);
            row.acted = before.acted;
            findings.rows[index] = row;
            judge(&mut findings.rows, 0);
            let spent: u64 = findings.rows.iter().map(|row| row.tally.pairs()).sum();
            audience.hear(News::Found {
                folder: &self.folder,
                ledger: Some(ledger),
                found: Found::Ablation(findings),
            })?;
            audience.hear(News::Spent {
                row: &findings.rows[index],
                pairs: [spent, budget],
            })?;
        }
        Ok(())
    }
}

fn question(row: &AblationRow) -> Question {
    Question {
        pairs: row.tally.pairs(),
        p: row.p_of_look,
        is_closed: matches!(row.worth, Worth::Identical | Worth::Invalid),
    }
}
