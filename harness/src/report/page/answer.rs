//! The answer of a run in one sentence.
//!
//! In: an outcome. Out: a title and a sentence in both languages. Must not: judge: the words are those of the verdict.

use super::text::Text;
use crate::config::elo_model_name;
use crate::experiment::{Findings, MatchFindings, OddsFindings, Outcome, TournamentFindings, TuningFindings};
use crate::report::found::odds as odds_report;
use crate::report::number::signed;
use crate::report::summary::Summary;
use crate::report::text::interval;
use crate::report::tournament::TournamentReport;
use crate::standing::Verdict;
use crate::study::ablate::Worth;

/// What was compared.
pub(super) fn title(findings: &Findings) -> String {
    match findings {
        Findings::Match(found) => format!("{} – {}", found.labels[0], found.labels[1]),
        Findings::Tournament(found) => found.labels.join(", "),
        Findings::Tuning(found) => found.spec.label().to_owned(),
        Findings::Odds(found) => format!("{} – {}", found.labels[0], found.labels[1]),
        Findings::Ablation(found) => format!("{} settings", found.rows.len()),
        Findings::Nodes(found) => found.labels.join(", "),
        Findings::Night(found) => format!("{} jobs", found.jobs.len()),
        Findings::Suite(found) => found.origin.clone(),
    }
}

/// The answer.
pub(in crate::report) fn sentence(outcome: &Outcome) -> Text {
    if let Some(invalid) = outcome.findings.invalid() {
        return Text::new(
            format!("Nothing can be said about strength: {invalid}."),
            format!("強さについては何も言えません({invalid})。"),
        );
    }
    match &outcome.findings {
        Findings::Match(found) => of_match(found),
        Findings::Tournament(found) => of_tournament(found),
        Findings::Tuning(found) => of_tuning(found),
        Findings::Odds(found) => of_odds(found),
        Findings::Ablation(found) => {
            let count = |worth| found.rows.iter().filter(|row| row.worth == worth).count();
            let (pays, costs, of) = (count(Worth::Pays), count(Worth::Costs), found.rows.len());
            let idle = count(Worth::NotExercised);
            Text::new(
                format!(
                    "Of {of} settings {pays} are worth it as they stand, {costs} cost strength, allowing for all of them together; {idle} \
                     were hardly exercised, and of the others nothing is shown."
                ),
                format!(
                    "{of} 個の設定のうち、全体で補正して {pays} 個は今のままで有益、{costs} 個は有害、{idle} 個はほとんど働かず、残りは何も示されていません。"
                ),
            )
        }
        Findings::Nodes(found) => of_nodes(found),
        Findings::Night(found) => {
            let over = found.jobs.iter().filter(|(_, entry)| entry.is_some()).count();
            let of = found.jobs.len();
            Text::new(
                format!("{over} of {of} jobs are over."),
                format!("{of} 件中 {over} 件のジョブが終わりました。"),
            )
        }
        Findings::Suite(found) => Text::same(format!("{}", found.positions)),
    }
}

fn of_match(found: &MatchFindings) -> Text {
    let summary = Summary::new(&found.standing, &found.labels);
    let [a, b] = &found.labels;
    let pairs = summary.tally.pairs();
    let elo = interval(&summary.estimates.best_elo());
    let test = found.standing.progress().rule().sprt.unwrap_or_default();
    let (elo0, elo1, model) = (test.elo0(), test.elo1(), elo_model_name(test.model()));
    let beside = format!("; {elo} Elo after {pairs} pairs.");
    let beside_ja = format!("({pairs} ペアで {elo} Elo)。");
    let said = |en: String, ja: String| Text::new(en + &beside, ja + &beside_ja);
    let estimate = summary.estimates.elo;
    match summary.verdict {
        Verdict::AcceptedH1 if elo0 == 0.0 => said(
            format!("{a} is stronger than {b}"),
            format!("{a} は {b} より強い"),
        ),
        Verdict::AcceptedH1 => said(
            format!("{a} is more than {elo0} {model} Elo stronger than {b}"),
            format!("{a} は {b} より {elo0} Elo({model})を超えて強い"),
        ),
        Verdict::AcceptedH0 => said(
            format!("{a} is not {elo1} {model} Elo stronger than {b}"),
            format!("{a} が {b} より {elo1} Elo({model})強いとは言えない"),
        ),
        Verdict::LimitReached => said(
            format!("Undecided between {a} and {b}: all pairs are played and nothing is accepted"),
            format!("{a} と {b} は未決着です。全ペアを打ち終え、どちらの仮説も採択されていません"),
        ),
        Verdict::FixedLength if estimate.low.is_some_and(|low| low > 0.0) => said(
            format!("{a} is stronger than {b}"),
            format!("{a} は {b} より強い"),
        ),
        Verdict::FixedLength if estimate.high.is_some_and(|high| high < 0.0) => said(
            format!("{b} is stronger than {a}"),
            format!("{b} は {a} より強い"),
        ),
        Verdict::FixedLength => said(
            format!("No difference is shown between {a} and {b}"),
            format!("{a} と {b} の差は示されていません"),
        ),
        Verdict::Identical => Text::new(
            format!(
                "{a} and {b} cannot be told apart here: both games of all {pairs} pairs went the same way."
            ),
            format!("{a} と {b} はここでは区別できません。全 {pairs} ペアの両局が同じ手順でした。"),
        ),
        Verdict::Interrupted | Verdict::Invalid => said(
            format!("Not decided yet between {a} and {b}"),
            format!("{a} と {b} はまだ決着していません"),
        ),
    }
}

fn of_tournament(found: &TournamentFindings) -> Text {
    let report =
        TournamentReport::new(&found.labels, &found.crosstable, found.invalid()).anchored(found.anchor);
    let mut players = report.players();
    let (Some(first), Some(second)) = (players.next(), players.next()) else {
        return Text::new("Nothing is played yet.", "まだ対局がありません。");
    };
    let of = |row: &crate::report::tournament::PlayerRow<'_>| (row.label.to_owned(), interval(&row.elo));
    let ((one, best), (two, next)) = (of(&first), of(&second));
    Text::new(
        format!(
            "{one} comes first ({best} Elo), {two} second ({next}), after {} pairs.",
            found.counted
        ),
        format!(
            "1位は {one}({best} Elo)、2位は {two}({next})。{} ペア。",
            found.counted
        ),
    )
}

fn of_tuning(found: &TuningFindings) -> Text {
    let (applied, of) = (found.trajectory.applied, found.spec.plan.iterations);
    if !found.is_finished() {
        return Text::new(
            format!("Not known yet: {applied} of {of} iterations are done."),
            format!("まだわかりません({of} 回中 {applied} 回の反復)。"),
        );
    }
    if found.has_no_signal() {
        return Text::new(
            "No signal: keep your values. The games show nothing to gain beyond their noise.",
            "有意な改善は見られません。元の値を使ってください。",
        );
    }
    let Some(confirmation) = &found.confirmation else {
        return Text::new(
            "The values moved, and no match has confirmed them.",
            "値は動きましたが、確認の対局はされていません。",
        );
    };
    let summary = Summary::new(&confirmation.standing, &confirmation.labels);
    let beside = format!(
        "{} Elo, {} pairs",
        interval(&summary.estimates.best_elo()),
        summary.tally.pairs()
    );
    match summary.verdict {
        Verdict::AcceptedH1 => Text::new(
            format!("The tuned values are stronger than those of the start ({beside})."),
            format!("調整後の値は開始時より強い({beside})。"),
        ),
        Verdict::AcceptedH0 | Verdict::Identical => Text::new(
            format!("The tuned values are not stronger: keep those of the start ({beside})."),
            format!("調整後の値は強くありません。元の値を使ってください({beside})。"),
        ),
        _ => Text::new(
            format!("Whether the tuned values are stronger is not decided ({beside})."),
            format!("調整後の値が強いかどうかは未決着です({beside})。"),
        ),
    }
}

fn of_odds(found: &OddsFindings) -> Text {
    let [a, b] = &found.labels;
    let estimate = found.steps.last().map(|step| step.estimate);
    match estimate.and_then(|estimate| Some((estimate.value?, estimate.low, estimate.high))) {
        Some((value, low, high)) => {
            let end = |end: Option<f64>| end.map_or("–".to_owned(), |end| format!("{end:.3}"));
            let range = format!("[{}, {}]", end(low), end(high));
            let unit = found.unit;
            let one = odds_report(found).one(b);
            let (base, rival) = match found.limit_b {
                None => (b.clone(), b.clone()),
                Some(limit) => (found.resource.to_string(), format!("{b} ({})", limit.words())),
            };
            Text::new(
                format!("{a} with {value:.3} {range} times {one} is as strong as {rival}."),
                format!("{a} は {base} の {value:.3} 倍 {range} の {unit} で {rival} と同じ強さです。"),
            )
        }
        None => Text::new(
            "No ratio of equal strength can be given yet.",
            "同じ強さになる比はまだ求まっていません。",
        ),
    }
}

fn of_nodes(found: &crate::experiment::NodesFindings) -> Text {
    let rows = &found.summary.rows;
    let deepest = rows
        .iter()
        .filter(|row| row.config == 1)
        .max_by_key(|row| row.depth);
    let row = deepest.and_then(|row| Some((row.depth, row.ratio.value?, row.ratio.low, row.ratio.high)));
    match (row, &found.labels[..]) {
        (Some((depth, value, low, high)), [first, second, ..]) => {
            let end = |end: Option<f64>| end.map_or("–".to_owned(), |end| format!("{end:.3}"));
            let range = format!("[{}, {}]", end(low), end(high));
            Text::new(
                format!("At depth {depth} {second} takes {value:.3} {range} times the nodes of {first}."),
                format!("深さ {depth} で {second} は {first} の {value:.3} 倍 {range} のノードを使います。"),
            )
        }
        _ => Text::new("Nodes to each depth.", "各深さまでのノード数。"),
    }
}

/// An estimate as a page shows it.
pub(super) fn shown(estimate: &crate::stats::Estimate) -> String {
    format!(
        "{} [{}, {}]",
        signed(estimate.value, 1),
        signed(estimate.low, 1),
        signed(estimate.high, 1)
    )
}
