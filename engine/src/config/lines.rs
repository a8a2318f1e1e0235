//! Weights that are broken lines over the number of pieces on the board: four settings declared by one line.
//!
//! A weight `eval.x` is `eval.x.opening` with many pieces and `eval.x.ending` with few. From and up to how many is common to all
//! weights (`eval.phase.opening`, `eval.phase.ending`): two numbers say how a game ages, and a table of settings stays readable.
//! A weight that ages otherwise has its own (`eval.x.opening_pieces`, `eval.x.ending_pieces`), 0 for the common one.

/// A weight over the number of pieces on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PiecesLine {
    /// Value with many pieces on the board.
    pub opening: i32,
    /// Value with few pieces on the board.
    pub ending: i32,
    /// Pieces from which the opening value holds; 0 for the common number.
    pub opening_pieces: i32,
    /// Pieces up to which the ending value holds; 0 for the common number.
    pub ending_pieces: i32,
}

impl PiecesLine {
    /// The number that a part of the name after the weight's stands for.
    pub(super) fn part(&mut self, part: &str) -> Option<&mut i32> {
        match part {
            "opening" => Some(&mut self.opening),
            "ending" => Some(&mut self.ending),
            "opening_pieces" => Some(&mut self.opening_pieces),
            "ending_pieces" => Some(&mut self.ending_pieces),
            _ => None,
        }
    }
}

/// Declares a struct of [`PiecesLine`]s: fields, defaults, table and access by name, all from one line each.
macro_rules! lines {
    (
        $(#[$meta:meta])*
        $name:ident {
            $( $field:ident $text:literal = $opening:literal, $ending:literal in $min:literal .. $max:literal step $step:literal, $help:literal; )+
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct $name {
            $( #[doc = $help] pub $field: $crate::config::PiecesLine, )+
        }

        impl $name {
            /// The table of these settings.
            pub const SETTINGS: &'static [$crate::config::Setting] = &[ $(
                $crate::config::Setting {
                    name: concat!($text, ".opening"),
                    kind: $crate::config::SettingKind::Int { default: $opening, min: $min, max: $max, step: $step },
                    help: concat!($help, ", opening value"),
                },
                $crate::config::Setting {
                    name: concat!($text, ".ending"),
                    kind: $crate::config::SettingKind::Int { default: $ending, min: $min, max: $max, step: $step },
                    help: concat!($help, ", ending value"),
                },
                $crate::config::Setting {
                    name: concat!($text, ".opening_pieces"),
                    kind: $crate::config::SettingKind::Int { default: 0, min: 0, max: 32, step: 1 },
                    help: "pieces from which that opening value holds (0: eval.phase.opening)",
                },
                $crate::config::Setting {
                    name: concat!($text, ".ending_pieces"),
                    kind: $crate::config::SettingKind::Int { default: 0, min: 0, max: 31, step: 1 },
                    help: "pieces up to which that ending value holds (0: eval.phase.ending)",
                },
            )+ ];

            fn line_mut(&mut self, weight: &str) -> Option<&mut $crate::config::PiecesLine> {
                match weight {
                    $( $text => Some(&mut self.$field), )+
                    _ => None,
                }
            }

            /// The weight of this name.
            pub(crate) fn line(&self, weight: &str) -> Option<$crate::config::PiecesLine> {
                self.clone().line_mut(weight).copied()
            }

            fn part(&mut self, name: &str) -> Option<&mut i32> {
                let (weight, part) = name.rsplit_once('.')?;
                self.line_mut(weight)?.part(part)
            }

            /// The number that stands for the value of `name`.
            pub(super) fn number(&self, name: &str) -> Option<i32> {
                self.clone().part(name).copied()
            }

            /// Sets `name` to a number that its row's `parse` made; false if there is no such name.
            pub(super) fn set_number(&mut self, name: &str, number: i32) -> bool {
                self.part(name).map(|value| *value = number).is_some()
            }
        }

        impl Default for $name {
            fn default() -> Self {
                $name { $(
                    $field: $crate::config::PiecesLine { opening: $opening, ending: $ending, ..$crate::config::PiecesLine::default() },
                )+ }
            }
        }
    };
}

pub(super) use lines;
