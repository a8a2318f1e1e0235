//! The window of a node.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) alpha: i32,
    pub(crate) beta: i32,
}

impl Window {
    /// The window of one value that asks "more than `alpha`?".
    #[inline]
    pub(crate) fn zero(alpha: i32) -> Self {
        Window {
            alpha,
            beta: alpha + 1,
        }
    }

    /// The same window from the opponent's view.
    #[inline]
    pub(crate) fn flipped(self) -> Self {
        Window {
            alpha: -self.beta,
            beta: -self.alpha,
        }
    }

    #[inline]
    pub(crate) fn is_zero(self) -> bool {
        self.beta - self.alpha == 1
    }
}
