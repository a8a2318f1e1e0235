use super::*;
use crate::record::{PairOutcome, Reason};
use crate::stop::{FaultLimits, StopRule};
use tanren_core::fixtures::pair;
use tanren_core::fixtures::played;

fn labels() -> Vec<String> {
    ["one", "two", "three"].map(str::to_owned).to_vec()
}

#[test]
fn the_better_player_stands_above_and_points_add_up() {
    let (labels, crosstable) = (labels(), played(20, Some("elo0=0,elo1=100")));
    let report = TournamentReport::new(&labels, &crosstable, None);
    let rows = String::from_utf8(ratings_sheet().csv(report.players()).unwrap()).unwrap();
    assert!(
        rows.starts_with("rank,player,elo,elo_low,elo_high,games,points,score,"),
        "{rows}"
    );
    assert!(rows.lines().nth(1).unwrap().starts_with("1,one,"), "{rows}");
    let cross = String::from_utf8(report.crosstable_csv().unwrap()).unwrap();
    assert_eq!(
        cross,
        "player,one,two,three\none,,35.0,20.0\ntwo,5.0,,25.0\nthree,20.0,15.0,\n"
    );
    let json = report.json();
    assert_eq!(json["pairings"][0]["verdict"], "accepted_h1");
    let after = json["pairings"][0]["decided_after"].as_u64().unwrap();
    assert!(after < 20, "{after}");
    let text = report.describe();
    assert!(
        text.contains("one is stronger than two by more than 0 normalized Elo"),
        "{text}"
    );
}

#[test]
fn an_invalid_tournament_says_nothing_about_strength_and_why() {
    let (labels, mut crosstable) = (labels(), played(20, Some("elo0=0,elo1=100")));
    for number in 60..80 {
        let mut record = pair(number, [2, 0], number as u16);
        record.games[1].reason = Reason::Crash;
        crosstable.count(&PairOutcome::from(&record));
    }
    let invalid = InvalidRun::of_counts(crosstable.faults(), &labels);
    let report = TournamentReport::new(&labels, &crosstable, invalid);
    let json = report.json();
    for player in json["players"].as_array().unwrap() {
        let elo = ["elo", "elo_low", "elo_high"].map(|name| player[name].is_null());
        assert_eq!(elo, [true; 3], "{player}");
        assert!(player["points"].is_number() && player["verdict_reason"].is_string());
    }
    assert!(json["first_move_elo"].is_null() && json["draw_ratio"].is_null());
    let text = report.describe();
    assert!(
        !text.contains("moving first is worth") && text.contains("verdict  invalid"),
        "{text}"
    );
}

#[test]
fn players_who_cannot_be_compared_are_said_to_be() {
    let rule = StopRule {
        sprt: None,
        pairs_max: 5,
        faults: FaultLimits::default(),
    };
    let (labels, crosstable) = (labels(), Crosstable::new(3, &[[0, 1]], rule));
    let report = TournamentReport::new(&labels, &crosstable, None);
    assert!(report.describe().contains("not all players can be compared"));
    assert!(report.json()["players"][0]["elo"].is_null());
}
