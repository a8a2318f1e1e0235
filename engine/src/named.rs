//! Enums whose variants have names, in settings and in files.

/// Declares enums of which each variant has a name and a line of documentation.
macro_rules! named {
    ($(
        $(#[$meta:meta])*
        $enum:ident { $($(#[$of_variant:meta])* $variant:ident $(($code:literal))? = $name:literal, $doc:literal;)+ }
    )+) => { $(
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $enum { $(#[doc = $doc] $(#[$of_variant])* $variant $(= $code)?),+ }

        impl $enum {
            /// All, in order.
            pub const ALL: [$enum; [$($name),+].len()] = [$($enum::$variant),+];
            /// Their names, in the same order.
            pub const NAMES: [&'static str; [$($name),+].len()] = [$($name),+];

            /// The name in settings and files.
            pub fn name(self) -> &'static str {
                match self { $($enum::$variant => $name),+ }
            }

            /// The one of this name.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|one| one.name() == name)
            }
        }
    )+ };
}

pub(crate) use named;
