//! The one place where a setting is declared: a macro that makes the field, the table row and the access by name.

/// What values a setting takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettingKind {
    /// A technique that is `on` or `off`.
    Switch {
        /// What it is where nothing is said.
        default: bool,
    },
    /// One of several names.
    Choice {
        /// Index of the default.
        default: usize,
        /// The names that can be given, in the order of their numbers.
        choices: &'static [&'static str],
    },
    /// A whole number between two bounds.
    Int {
        /// What it is where nothing is said.
        default: i32,
        /// The least value that is taken.
        min: i32,
        /// The greatest value that is taken.
        max: i32,
        /// A sensible step for tuning.
        step: i32,
    },
}

/// One row of the table of settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Setting {
    /// Dotted name, `technique` or `technique.number`.
    pub name: &'static str,
    /// What values it takes, and its default.
    pub kind: SettingKind,
    /// One line of help.
    pub help: &'static str,
}

impl Setting {
    /// The number that stands for `value`, `None` if the setting does not allow it.
    pub fn parse(&self, value: &str) -> Option<i32> {
        match self.kind {
            SettingKind::Switch { .. } => match value {
                "on" | "true" => Some(1),
                "off" | "false" => Some(0),
                _ => None,
            },
            SettingKind::Choice { choices, .. } => choices
                .iter()
                .position(|&choice| choice == value)
                .and_then(|index| i32::try_from(index).ok()),
            SettingKind::Int { min, max, .. } => {
                value.parse().ok().filter(|number| (min..=max).contains(number))
            }
        }
    }

    /// The text of a number that [`parse`](Setting::parse) made.
    pub fn text(&self, number: i32) -> String {
        match self.kind {
            SettingKind::Switch { .. } => if number != 0 { "on" } else { "off" }.to_owned(),
            SettingKind::Choice { choices, .. } => usize::try_from(number)
                .ok()
                .and_then(|index| choices.get(index))
                .unwrap_or(&"?")
                .to_string(),
            SettingKind::Int { .. } => number.to_string(),
        }
    }

    /// The default as text.
    pub fn default_text(&self) -> String {
        match self.kind {
            SettingKind::Switch { default } => self.text(i32::from(default)),
            SettingKind::Choice { default, choices } => choices[default].to_owned(),
            SettingKind::Int { default, .. } => default.to_string(),
        }
    }

    /// The allowed values in words.
    pub fn expected(&self) -> String {
        match self.kind {
            SettingKind::Switch { .. } => "on or off".to_owned(),
            SettingKind::Choice { choices, .. } => match choices {
                [rest @ .., last] if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
                _ => choices.join(""),
            },
            SettingKind::Int { min, max, .. } => format!("a whole number from {min} to {max}"),
        }
    }
}

/// Declares a struct of settings: fields, defaults, table and access by name, all from one line each. A default may be another one in chess:
/// `= 49 chess 30`.
macro_rules! settings {
    (@type switch) => { bool };
    (@type int) => { i32 };
    (@type choice $ty:ident) => { $ty };
    (@kind switch = $default:expr) => { $crate::config::SettingKind::Switch { default: $default } };
    (@kind int = $default:tt in $min:literal .. $max:literal step $step:literal) => {
        $crate::config::SettingKind::Int { default: $default, min: $min, max: $max, step: $step }
    };
    (@kind choice $ty:ident = $default:ident) => {
        $crate::config::SettingKind::Choice {
            default: $ty::$default as usize,
            choices: &$ty::NAMES,
        }
    };
    (@default switch = $default:expr) => { $default };
    (@default int = $default:tt in $min:literal .. $max:literal step $step:literal) => { $default };
    (@default choice $ty:ident = $default:ident) => { $ty::$default };
    // With the default of chess where there is one, that of all games elsewhere.
    (@of_chess $what:ident [$($kind:tt)+] [$all:tt] [$($range:tt)*]) => { settings!(@$what $($kind)+ = $all $($range)*) };
    (@of_chess $what:ident [$($kind:tt)+] [$all:tt $chess:tt] [$($range:tt)*]) => { settings!(@$what $($kind)+ = $chess $($range)*) };
    (@get $value:expr, switch) => { i32::from($value) };
    (@get $value:expr, int) => { $value };
    (@get $value:expr, choice $ty:ident) => { $value as i32 };
    (@set $number:expr, switch) => { $number != 0 };
    (@set $number:expr, int) => { $number };
    (@set $number:expr, choice $ty:ident) => { $ty::ALL[$number as usize] };
    (
        $(#[$meta:meta])*
        $name:ident {
            $( $field:ident $text:literal : $kind:ident $(($ty:ident))? = $default:tt $(chess $chess:tt)? $(in $min:literal .. $max:literal step $step:literal)?, $help:literal; )+
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct $name {
            $( #[doc = $help] pub $field: settings!(@type $kind $($ty)?), )+
        }

        impl $name {
            /// The table of these settings, with the defaults of shogi.
            pub const SETTINGS: &'static [$crate::config::Setting] = &[
                $( $crate::config::Setting {
                    name: $text,
                    kind: settings!(@kind $kind $($ty)? = $default $(in $min .. $max step $step)?),
                    help: $help,
                }, )+
            ];

            /// The table of these settings, with the defaults of chess.
            pub const CHESS_SETTINGS: &'static [$crate::config::Setting] = &[
                $( $crate::config::Setting {
                    name: $text,
                    kind: settings!(@of_chess kind [$kind $($ty)?] [$default $($chess)?] [$(in $min .. $max step $step)?]),
                    help: $help,
                }, )+
            ];

            /// The defaults of chess.
            pub fn of_chess() -> Self {
                $name { $( $field: settings!(@of_chess default [$kind $($ty)?] [$default $($chess)?] [$(in $min .. $max step $step)?]), )+ }
            }

            /// The number that stands for the value of `name`.
            pub(crate) fn number(&self, name: &str) -> Option<i32> {
                match name {
                    $( $text => Some(settings!(@get self.$field, $kind $($ty)?)), )+
                    _ => None,
                }
            }

            /// Sets `name` to a number that its row's `parse` made; false if there is no such name.
            pub(super) fn set_number(&mut self, name: &str, number: i32) -> bool {
                match name {
                    $( $text => self.$field = settings!(@set number, $kind $($ty)?), )+
                    _ => return false,
                }
                true
            }
        }

        impl Default for $name {
            fn default() -> Self {
                $name { $( $field: settings!(@default $kind $($ty)? = $default $(in $min .. $max step $step)?), )+ }
            }
        }
    };
}

pub(super) use settings;
