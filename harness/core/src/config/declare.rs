//! The one place where a key is declared: macros that make of one line its field, its row in the table, its way in and out
//! of files and, for conditions, its default, its range and its entry in an identity.
//!
//! In: lists of declarations. Out: structs of optional keys, and their tables. Must not: know any particular key.

use serde::de::{Deserialize, Deserializer};

use super::ConfigError;

/// What stands for a key in files and arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyKind {
    /// `true`, or the option alone.
    Switch,
    /// A whole number from 0 to this.
    Number(u64),
    /// A text.
    Text,
}

/// When a key is part of what two runs must share to be the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InIdentity {
    /// It changes no result, or something else tells of it.
    Never,
    /// In every run.
    Always,
    /// Where it is not the default: older runs do not know it.
    Changed,
    /// Where anybody plays by a game clock; without one it may not be given.
    Clock,
}

/// One row of a table of keys.
#[derive(Debug, Clone, Copy)]
pub struct Key {
    /// In files; with `-` for `_` on the command line.
    pub name: &'static str,
    /// What is written.
    pub kind: KeyKind,
    /// What stands for its value in the help.
    pub value_name: &'static str,
    /// What it means, in a line.
    pub help: &'static str,
    /// The help where it is for one of two players, with `{}` for that player.
    pub help_alone: &'static str,
    pub(super) default: fn() -> String,
    /// When it decides what a run is.
    pub in_identity: InIdentity,
}

impl Key {
    /// What holds where it is not given, in words; empty if there is nothing to say.
    pub fn default_text(&self) -> String {
        (self.default)()
    }
}

/// Optional keys of one kind.
pub trait Keys: Default {
    /// The table.
    const TABLE: &'static [Key];

    /// Takes the value of the key called `name`, which must be in the table.
    ///
    /// # Errors
    /// Another type is expected.
    fn read<'de, D: Deserializer<'de>>(&mut self, name: &str, value: D) -> Result<(), D::Error>;

    /// The keys that are given, in the order of the table.
    fn write(&self) -> Vec<(&'static str, toml::Value)>;
}

/// A value as it stands in files and arguments.
pub trait WireValue: for<'de> Deserialize<'de> {
    /// What is written.
    const KIND: KeyKind;
    /// In a file.
    fn value(&self) -> toml::Value;
}

macro_rules! numbers {
    ($($ty:ident)+) => { $(
        impl WireValue for $ty {
            // Files hold numbers up to 2^63.
            const KIND: KeyKind = KeyKind::Number(if $ty::BITS < 64 { $ty::MAX as u64 } else { i64::MAX as u64 });

            fn value(&self) -> toml::Value {
                toml::Value::Integer(i64::try_from(*self).unwrap_or(i64::MAX))
            }
        }
    )+ };
}

numbers!(u32 u64 usize);

impl WireValue for bool {
    const KIND: KeyKind = KeyKind::Switch;

    fn value(&self) -> toml::Value {
        toml::Value::Boolean(*self)
    }
}

impl WireValue for String {
    const KIND: KeyKind = KeyKind::Text;

    fn value(&self) -> toml::Value {
        toml::Value::String(self.clone())
    }
}

/// What a key means.
pub trait Meaning: Sized {
    /// How it is written.
    type Wire: WireValue;

    /// What `wire` means.
    ///
    /// # Errors
    /// Nothing.
    fn read(wire: &Self::Wire) -> Result<Self, ConfigError>;

    /// How this is written; `None` for what is meant where the key is absent.
    fn write(&self) -> Option<Self::Wire>;

    /// In identities and help.
    fn text(&self) -> String;
}

macro_rules! plain {
    ($($ty:ident)+) => { $(
        impl Meaning for $ty {
            type Wire = $ty;

            fn read(wire: &$ty) -> Result<$ty, ConfigError> {
                Ok(wire.clone())
            }

            fn write(&self) -> Option<$ty> {
                Some(self.clone())
            }

            fn text(&self) -> String {
                self.to_string()
            }
        }
    )+ };
}

plain!(u32 u64 usize bool String);

impl<T: Meaning> Meaning for Option<T> {
    type Wire = T::Wire;

    fn read(wire: &T::Wire) -> Result<Option<T>, ConfigError> {
        T::read(wire).map(Some)
    }

    fn write(&self) -> Option<T::Wire> {
        self.as_ref()?.write()
    }

    fn text(&self) -> String {
        self.as_ref()
            .map_or_else(|| super::Identity::NONE.to_owned(), T::text)
    }
}

/// Types that are written as their `Display` and read by their `FromStr`.
macro_rules! written_as_text {
    ($($ty:ty),+) => { $(
        impl $crate::config::declare::Meaning for $ty {
            type Wire = String;

            fn read(wire: &String) -> Result<$ty, $crate::config::ConfigError> {
                Ok(wire.parse()?)
            }

            fn write(&self) -> Option<String> {
                Some(self.to_string())
            }

            fn text(&self) -> String {
                self.to_string()
            }
        }
    )+ };
}

/// Types that have a `name` and are found by it.
macro_rules! written_as_name {
    ($($ty:ty, $unknown:ident;)+) => { $(
        impl $crate::config::declare::Meaning for $ty {
            type Wire = String;

            fn read(wire: &String) -> Result<$ty, $crate::config::ConfigError> {
                <$ty>::from_name(wire).ok_or_else(|| $crate::config::ConfigError::$unknown(wire.clone()))
            }

            fn write(&self) -> Option<String> {
                Some(self.name().to_owned())
            }

            fn text(&self) -> String {
                self.name().to_owned()
            }
        }
    )+ };
}

/// Declares a struct of optional keys: `name: type, "VALUE", "help", "help of one player";` for each.
macro_rules! keys {
    (@default) => { String::new };
    (@default $default:expr) => { || $default };
    (@when) => { $crate::config::declare::InIdentity::Never };
    (@when $when:ident) => { $crate::config::declare::InIdentity::$when };
    ($(#[$meta:meta])* $name:ident { $( $key:ident: $ty:ty, $value_name:literal, $help:literal, $alone:literal
        $(, default $default:expr)? $(, identity $when:ident)?; )+ }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Default, PartialEq, Eq)]
        pub struct $name { $( #[doc = $help] pub $key: Option<$ty>, )+ }

        impl $crate::config::declare::Keys for $name {
            const TABLE: &'static [$crate::config::declare::Key] = &[ $( $crate::config::declare::Key {
                name: stringify!($key),
                kind: <$ty as $crate::config::declare::WireValue>::KIND,
                value_name: $value_name,
                help: $help,
                help_alone: $alone,
                default: $crate::config::declare::keys!(@default $($default)?),
                in_identity: $crate::config::declare::keys!(@when $($when)?),
            }, )+ ];

            fn read<'de, D: serde::Deserializer<'de>>(&mut self, name: &str, value: D) -> Result<(), D::Error> {
                match name {
                    $( stringify!($key) => self.$key = Some(serde::Deserialize::deserialize(value)?), )+
                    other => unreachable!("{other} is in no table"),
                }
                Ok(())
            }

            fn write(&self) -> Vec<(&'static str, toml::Value)> {
                let given = [ $( (
                    stringify!($key),
                    self.$key.as_ref().map($crate::config::declare::WireValue::value),
                ), )+ ];
                let given = given.into_iter().filter_map(|(name, value)| Some((name, value?)));
                given.collect()
            }
        }
    };
}

/// Declares the keys of conditions, each with its place in them:
/// `key => place: type = default, "VALUE", "help";`, where `shown` says the default in other words, `in` gives the
/// range, and `identity` when and as what it decides a run.
macro_rules! conditions {
    (@text [$default:expr, $ty:ty] [$shown:literal]) => { $shown.to_owned() };
    (@entry [$value:expr] [$default:expr]) => { None };
    (@entry [$value:expr] [$default:expr] $when:ident $title:literal $($unit:literal)?) => {
        Some($crate::config::declare::Entry {
            title: $title,
            when: $crate::config::declare::InIdentity::$when,
            text: $crate::config::declare::Meaning::text(&$value) + concat!($(" ", $unit)?),
            is_default: $value == $default,
        })
    };
    (@text [$default:expr, $ty:ty] []) => { <$ty as $crate::config::declare::Meaning>::text(&$default) };
    ($(#[$meta:meta])* $name:ident of $conditions:ident {
        $( $key:ident => $($place:ident).+ : $ty:ty = $default:expr, $value_name:literal, $help:literal
           $(, shown $shown:literal)?
           $(, in $low:literal ..= $high:literal $words:literal)?
           $(, identity $when:ident $title:literal $($unit:literal)?)?; )+
    }) => {
        $crate::config::declare::keys! {
            $(#[$meta])*
            $name { $(
                $key: <$ty as $crate::config::declare::Meaning>::Wire, $value_name, $help, ""
                , default $crate::config::declare::conditions!(@text [$default, $ty] [$($shown)?])
                $(, identity $when)?;
            )+ }
        }

        impl Default for $conditions {
            fn default() -> Self {
                let mut conditions = $conditions::blank();
                $( conditions.$($place).+ = $default; )+
                conditions
            }
        }

        impl $conditions {
            /// What `keys` say, and the defaults.
            fn read(keys: &$name) -> Result<Self, $crate::config::ConfigError> {
                let mut conditions = $conditions::default();
                $( if let Some(value) = &keys.$key {
                    $( $crate::config::range::check_range(stringify!($key), *value, $low..=$high, $words)?; )?
                    conditions.$($place).+ = $crate::config::declare::Meaning::read(value)?;
                } )+
                Ok(conditions)
            }

            /// The keys that give these conditions again, every default written out.
            fn write(&self) -> $name {
                $name { $( $key: $crate::config::declare::Meaning::write(&self.$($place).+), )+ }
            }

            /// The entries of an identity, in order.
            fn entries(&self) -> Vec<$crate::config::declare::Entry> {
                let defaults = $conditions::default();
                let entries = [ $( $crate::config::declare::conditions!(
                    @entry [self.$($place).+] [defaults.$($place).+] $($when $title $($unit)?)?
                ), )+ ];
                entries.into_iter().flatten().collect()
            }
        }
    };
}

/// One entry of an identity.
pub(super) struct Entry {
    pub(super) title: &'static str,
    pub(super) when: InIdentity,
    pub(super) text: String,
    pub(super) is_default: bool,
}

pub(super) use {conditions, keys, written_as_name, written_as_text};
