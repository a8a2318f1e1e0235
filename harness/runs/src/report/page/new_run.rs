//! The form of a new run: fields that a script makes a run.toml of, which can be edited and is taken as any other.

use maud::{Markup, html};
use tanren_engine::config::PRESETS;

use super::index::choice;
use crate::config::SPRT_PRESETS;
use crate::document::text::Text;

/// What a server with `--control` offers.
#[derive(Debug, Clone, Default)]
pub struct RunChoices {
    /// Players of runs that are here, and files of players.
    pub players: Vec<String>,
    /// Files with openings, from the served folder.
    pub openings: Vec<String>,
    /// Nothing begins until somebody resumes.
    pub is_held: bool,
}

pub(super) fn held() -> Markup {
    html! {
        div class="say undecided queue-held" {
            p { (Text::new("The queue is held: nothing begins until you resume it.")) }
            button type="button" class="go" data-queue="resume" { (Text::new("resume the queue")) }
        }
    }
}

pub(super) fn form(choices: &RunChoices) -> Markup {
    let field = |name: Text, field: Markup| html! { label { span { (name) } (field) } };
    let player = |id: &str, value: &str| html! { input id=(id) name=(id) list="players" value=(value) required autocomplete="off" spellcheck="false"; };
    html! {
        form id="new" popover class="card" aria-label="New match" data-en="New match" data-ja="新しい対戦" {
            h2 { (Text::new("New match")) }
            datalist id="players" {
                @for (preset, about) in PRESETS { option value=(preset) { (about) } }
                @for player in &choices.players { option value=(player) {} }
            }
            div class="fields" {
                (field(Text::plain("A"), player("a", "base")))
                (field(Text::plain("B"), player("b", "base,lmr=off")))
                (field(Text::new("game"), html! { select name="game" { option value="shogi" { "shogi" } option value="chess" { "chess" } } }))
                (field(Text::new("openings"), html! {
                    select name="openings" {
                        (choice("", &Text::new("built-in")))
                        (choice("random:8", &Text::new("random, 8 plies")))
                        @for file in &choices.openings { option value=(file) { (file) } }
                    }
                }))
                (field(Text::new("limit"), html! {
                    select name="limit" {
                        (choice("nodes", &Text::new("nodes per move")))
                        (choice("tc", &Text::new("time control, such as 10+0.1")))
                        (choice("movetime", &Text::new("milliseconds per move")))
                        (choice("depth", &Text::new("depth")))
                    }
                }))
                (field(Text::new("how much"), html! { input name="amount" value="1000" required autocomplete="off"; }))
                (field(Text::new("test"), html! {
                    select name="sprt" {
                        @for (name, elo0, elo1) in SPRT_PRESETS { option value=(name) { (format!("{name}: SPRT [{elo0}, {elo1}] nElo")) } }
                        option value="elo0=0,elo1=40" selected { "SPRT [0, 40] nElo" }
                        (choice("", &Text::new("fixed number of pairs")))
                    }
                }))
                (field(Text::new("pairs at most"), html! { input name="pairs" type="number" min="1" value="20000" required; }))
                (field(Text::new("folder of the results"), html! {
                    input name="name" required maxlength="64" pattern="[A-Za-z0-9_\\-][A-Za-z0-9._\\-]*" autocomplete="off";
                }))
            }
            details {
                summary { (Text::new("The file")) " " small { (Text::new("edit it, or paste another run.toml or a queue of jobs")) } }
                div { textarea name="text" rows="9" spellcheck="false" aria-label="The file" data-en="The file" data-ja="ファイル" {} }
            }
            pre id="queue-said" role="alert" tabindex="0" hidden {}
            p class="note" { (Text::new("It is checked as tanren run --dry-run does, and begins when the runs before it are over.")) }
            div class="controls" {
                button type="button" popovertarget="new" popovertargetaction="hide" { (Text::new("cancel")) }
                button type="submit" class="go" { (Text::new("add to the queue")) }
            }
        }
    }
}
