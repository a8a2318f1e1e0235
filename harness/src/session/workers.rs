//! Who plays the pairs of a run.

#[cfg(feature = "cluster")]
use crate::fleet::FleetExecutor;
use crate::runner::{Executor, LocalExecutor};

pub(crate) enum Workers {
    Here(LocalExecutor),
    #[cfg(feature = "cluster")]
    Fleet(Box<FleetExecutor>),
}

impl Workers {
    pub(crate) fn executor(&self) -> &dyn Executor {
        match self {
            Workers::Here(here) => here,
            #[cfg(feature = "cluster")]
            Workers::Fleet(fleet) => &**fleet,
        }
    }
}
