//! Every switch and number of the engine, each declared once.

mod chess;
mod declare;
mod lines;
mod presets;
mod search;
mod settings;
mod shogi;

pub use chess::ChessWeights;
pub use declare::{Setting, SettingKind};
pub use lines::{ChessTerms, PiecesLine};
pub use presets::PRESETS;
pub use search::{
    CaptureOrder, GapReading, Generation, HistoryGrowth, LmrFormula, NullMove, SearchConfig, Soppo,
    SoppoStage,
};
pub use settings::{Config, SettingError, SwitchedOff};
pub use shogi::{LearnedValues, ShogiWeights};

pub use crate::shogi::DeclarationRule;
