//! Keys of a specification as command-line arguments.
//!
//! In: a table of keys, and which of them a command has. Out: arguments, and the keys that were given. Must not: give a
//! key a meaning.

use std::fmt::Debug;
use std::marker::PhantomData;

use clap::builder::ValueParser;
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches, value_parser};
use toml::Value;

use crate::config::{ConditionKeys, Key, KeyKind, Keys, SeatKeys};

/// Which keys a command has, and what it calls them.
pub(in crate::cli) trait Usage: Debug + Clone {
    /// The player whose keys they are, if they are not for all.
    const PLAYER: Option<&'static str> = None;
    /// Keys that have no sense here.
    const LEFT_OUT: &'static [&'static str] = &[];
    /// Keys that are known only to be refused in words.
    const HIDDEN: &'static [&'static str] = &[];
    /// Help that is not that of the table.
    const WORDS: &'static [(&'static str, &'static str)] = &[];
    /// Other names.
    const ALIASES: &'static [(&'static str, &'static str)] = &[];
}

/// The keys of a table as arguments of a command.
#[derive(Debug, Clone)]
pub(in crate::cli) struct Arguments<K, U> {
    /// Those that were given.
    pub(in crate::cli) keys: K,
    usage: PhantomData<U>,
}

/// What the games of a command are played under.
pub(in crate::cli) type ConditionArgs<U> = Arguments<ConditionKeys, U>;
/// What players play by.
pub(in crate::cli) type SeatArgs<U> = Arguments<SeatKeys, U>;

fn keys_of<K: Keys, U: Usage>() -> impl Iterator<Item = (&'static Key, String)> {
    let keys = K::TABLE.iter().filter(|key| !U::LEFT_OUT.contains(&key.name));
    keys.map(|key| match U::PLAYER {
        None => (key, key.name.to_owned()),
        Some(player) => (key, format!("{}_{player}", key.name)),
    })
}

fn argument<U: Usage>(key: &Key, id: String) -> Arg {
    let words = |list: &[(&str, &'static str)]| {
        let found = list.iter().find(|(name, _)| *name == key.name);
        found.map(|(_, word)| *word)
    };
    let help = match (words(U::WORDS), U::PLAYER, key.default_text()) {
        (Some(help), ..) => help.to_owned(),
        (None, Some(player), _) => key.help_alone.replace("{}", &player.to_uppercase()),
        (None, None, default) if default.is_empty() => key.help.to_owned(),
        (None, None, default) => format!("{} ({default})", key.help),
    };
    let is_hidden = U::HIDDEN.contains(&key.name);
    let arg = Arg::new(id.clone())
        .long(id.replace('_', "-"))
        .help(help)
        .hide(is_hidden);
    let parser: ValueParser = match key.kind {
        KeyKind::Switch => return arg.action(ArgAction::SetTrue),
        KeyKind::Number(max) => value_parser!(u64).range(..=max).into(),
        KeyKind::Text => value_parser!(String),
    };
    let arg = arg.value_name(key.value_name).value_parser(parser);
    match words(U::ALIASES) {
        Some(alias) => arg.visible_alias(alias),
        None => arg,
    }
}

impl<K: Keys, U: Usage> Args for Arguments<K, U> {
    fn augment_args(command: Command) -> Command {
        command.args(keys_of::<K, U>().map(|(key, id)| argument::<U>(key, id)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<K: Keys, U: Usage> FromArgMatches for Arguments<K, U> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut keys = K::default();
        for (key, id) in keys_of::<K, U>() {
            let value = match key.kind {
                KeyKind::Switch => matches.get_flag(&id).then_some(Value::Boolean(true)),
                KeyKind::Number(_) => {
                    let number = matches.get_one::<u64>(&id);
                    number.map(|&number| Value::Integer(number as i64))
                }
                KeyKind::Text => matches.get_one::<String>(&id).cloned().map(Value::String),
            };
            if let Some(value) = value {
                let refuse = |error| Error::raw(ErrorKind::InvalidValue, format!("--{id}: {error}\n"));
                keys.read(key.name, value).map_err(refuse)?;
            }
        }
        Ok(Arguments {
            keys,
            usage: PhantomData,
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// What holds for all players, who have names of their own.
#[derive(Debug, Clone)]
pub(in crate::cli) struct OfAll;

impl Usage for OfAll {
    const LEFT_OUT: &'static [&'static str] = &["label"];
}

/// What holds for the one player there is.
#[derive(Debug, Clone)]
pub(in crate::cli) struct OfOne;

impl Usage for OfOne {}

/// What holds for A.
#[derive(Debug, Clone)]
pub(in crate::cli) struct OfA;

impl Usage for OfA {
    const PLAYER: Option<&'static str> = Some("a");
}

/// What holds for B.
#[derive(Debug, Clone)]
pub(in crate::cli) struct OfB;

impl Usage for OfB {
    const PLAYER: Option<&'static str> = Some("b");
}
