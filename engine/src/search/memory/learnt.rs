//! What every table of the memory must be able to do.
//!
//! In: a configuration. Out: the trait [`Learnt`], and the declaration of a memory made of such tables.

use crate::config::SearchConfig;

/// What tables are made for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Setup<'a> {
    pub(crate) config: &'a SearchConfig,
    /// Size of the hash table.
    pub(crate) hash_mib: usize,
}

/// Something that searches learn and use again.
pub(crate) trait Learnt: Sized {
    /// Nothing learnt yet, and no room for anything that `setup` does not use.
    fn empty(setup: Setup<'_>) -> Self;

    /// Forgets all: another game begins. Takes no time that grows with the size of the table where that can be helped.
    fn new_game(&mut self);

    /// The next search of the game begins.
    fn new_search(&mut self, _: &SearchConfig) {}

    /// Forgets all, and is for another configuration from now on.
    fn reconfigure(&mut self, setup: Setup<'_>) {
        *self = Self::empty(setup);
    }
}

/// Declares the struct that owns all tables: one line a table.
macro_rules! memory {
    (
        $(#[$meta:meta])*
        $name:ident<$game:ident> { $( $(#[$field_meta:meta])+ $field:ident: $table:ty, )+ }
    ) => {
        $(#[$meta])*
        pub(super) struct $name<$game: $crate::eval::Evaluated> {
            $( $(#[$field_meta])+ pub(super) $field: $table, )+
        }

        impl<$game: $crate::eval::Evaluated> $name<$game> {
            /// Nothing learnt yet.
            pub(super) fn empty(setup: Setup<'_>) -> Self {
                $name { $( $field: Learnt::empty(setup), )+ }
            }

            /// Forgets everything learnt.
            pub(super) fn new_game(&mut self) {
                $( self.$field.new_game(); )+
            }

            /// The next search of the game begins.
            pub(super) fn new_search(&mut self, config: &$crate::config::SearchConfig) {
                $( self.$field.new_search(config); )+
            }

            /// Forgets everything learnt, and is for another configuration from now on.
            pub(super) fn reconfigure(&mut self, setup: Setup<'_>) {
                $( self.$field.reconfigure(setup); )+
            }
        }
    };
}

pub(super) use memory;
