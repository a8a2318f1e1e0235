//! How games end, in the words of their game.

use tanren_engine::game::Game;

use crate::document::text::Text;
use crate::record::Reason;

pub(crate) fn end_name(reason: Reason, game: Game) -> Text {
    let is_chess = game == Game::Chess;
    match reason {
        Reason::NoLegalMove => Text::new("checkmate"),
        Reason::Resignation => Text::new("resignation"),
        Reason::Declaration => Text::new("entering king"),
        Reason::DeclarationDraw => Text::new("drawn by impasse"),
        Reason::WrongDeclaration => Text::new("wrong declaration"),
        Reason::Repetition if is_chess => Text::new("threefold repetition"),
        Reason::Repetition => Text::new("sennichite"),
        Reason::PerpetualCheck => Text::new("perpetual check"),
        Reason::Stalemate => Text::new("stalemate"),
        Reason::DrawnByRule => Text::new("50 moves or material"),
        Reason::MaxPlies => Text::new("move limit"),
        Reason::IllegalMove => Text::new("illegal move"),
        Reason::TimeLoss => Text::new("time"),
        Reason::AdjudicatedWin => Text::new("adjudicated win"),
        Reason::AdjudicatedDraw => Text::new("adjudicated draw"),
        Reason::Syzygy => Text::new("endgame table"),
        Reason::Crash => Text::new("crash"),
        Reason::Disconnect => Text::new("disconnect"),
        Reason::Stall => Text::new("stall"),
        Reason::MalformedBestmove => Text::new("malformed bestmove"),
        Reason::RefusedOption => Text::new("refused option"),
        Reason::StartFailure => Text::new("start failure"),
        Reason::Memory => Text::new("out of memory"),
        Reason::Nonsense => Text::new("protocol violation"),
        Reason::TimeoutDraw => Text::new("time, opponent cannot mate"),
        Reason::Unplayed => Text::new("not played"),
    }
}
