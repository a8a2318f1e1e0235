//! What `tanren ablate` can do besides measuring.

use clap::Args;
use serde_json::json;

use super::kinds::{KindArgs, More};
use super::shared::{CliError, PlayArgs, print};
use crate::config::Mistakes;
use crate::kinds::ablate::AblateKeys;
use crate::kinds::ablate::study::Variant;

#[derive(Args)]
pub(super) struct ListArgs {
    /// Show the rows that would be measured and those left out, and play nothing.
    #[arg(long, help_heading = "Output")]
    list: bool,
}

impl More<AblateKeys, PlayArgs> for ListArgs {
    fn instead(&self, args: &KindArgs<AblateKeys, PlayArgs, ListArgs>) -> Option<Result<(), CliError>> {
        self.list.then(|| list(args))
    }
}

fn list(args: &KindArgs<AblateKeys, PlayArgs, ListArgs>) -> Result<(), CliError> {
    let mut wrong = Mistakes::default();
    let games = args.keys.games(&mut wrong);
    wrong.check()?;
    let (rows, skipped) = args.keys.rows(&games, &mut Mistakes::default())?;
    let reasons: Vec<String> = skipped.iter().map(ToString::to_string).collect();
    let text = if args.output.printing().is_json {
        let rows: Vec<String> = rows.iter().map(Variant::name).collect();
        json!({ "rows": rows, "left_out": reasons }).to_string()
    } else {
        let rows = rows.iter();
        let rows = rows.map(|row| format!("{}  (base: {})\n", row.name(), row.base_setting));
        let left_out = reasons.iter().map(|reason| format!("left out: {reason}\n"));
        rows.chain(left_out).collect()
    };
    print(&text)
}
