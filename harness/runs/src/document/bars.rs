//! Shares of a whole as bars.

use maud::{Markup, html};

use crate::document::plot::number;

/// The points of a pair.
pub(crate) const POINTS: [&str; 5] = ["0", "½", "1", "1½", "2"];

/// Parts of one bar, each in a colour (see `chart.css`) and with its share.
pub fn bar(class: &str, parts: &[(&str, f64)]) -> Markup {
    let mut left = 0.0;
    html! {
        svg class={ "bar " (class) } aria-hidden="true" {
            @for (colour, share) in parts {
                rect class={ "fill c-" (colour) } x={ (number(100.0 * left)) "%" } width={ (number(100.0 * share)) "%" } height="100%" {}
                ({ left += share; "" })
            }
        }
    }
}

/// The pairs by their points: count and share of all.
pub(crate) fn pentanomial(counts: [u64; 5]) -> Markup {
    let total = counts.iter().sum::<u64>().max(1) as f64;
    html! {
        div class="points" {
            @for (place, (name, count)) in POINTS.into_iter().zip(counts).enumerate() {
                @let share = count as f64 / total;
                span { (name) }
                (bar("thick", &[(&format!("points-{place}"), share)]))
                span { (count) }
                span class="note" { (format!("{:.1} %", 100.0 * share)) }
            }
        }
    }
}

/// Wins, draws and losses.
pub fn results([wins, draws, losses]: [u64; 3]) -> Markup {
    let total = (wins + draws + losses).max(1) as f64;
    let parts = [("points-4", wins), ("points-2", draws), ("points-0", losses)];
    bar("", &parts.map(|(colour, count)| (colour, count as f64 / total)))
}

#[cfg(test)]
mod tests {
    use crate::document::bars::*;

    #[test]
    fn every_count_has_a_bar_of_its_share() {
        let drawn = pentanomial([1, 0, 0, 0, 3]).into_string();
        assert!(
            drawn.contains("75.0 %") && drawn.contains("width=\"25%\""),
            "{drawn}"
        );
        let drawn = results([1, 1, 2]).into_string();
        assert!(drawn.contains("x=\"50%\" width=\"50%\""), "{drawn}");
        assert!(pentanomial([0; 5]).into_string().contains("0.0 %"));
    }
}
