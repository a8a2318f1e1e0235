//! What follows from a fault of a player.

use std::fmt;
use std::str::FromStr;

use crate::record::Reason;

/// How often a pair is played again where no number is given.
const REPLAYS: u8 = 3;
const ALL: &str = "all";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultAction {
    /// Whoever is at fault loses the game.
    Loss,
    /// The pair is played again, so many times at most; then it is a loss.
    Replay(u8),
    /// The run stops before the pair, which the same command plays when it resumes.
    Stop,
}

impl FaultAction {
    fn parse(text: &str) -> Option<FaultAction> {
        match text.split_once(':') {
            None if text == "loss" => Some(FaultAction::Loss),
            None if text == "replay" => Some(FaultAction::Replay(REPLAYS)),
            None if text == "stop" => Some(FaultAction::Stop),
            Some(("replay", times)) => {
                let times = times.parse().ok().filter(|&times| times > 0);
                times.map(FaultAction::Replay)
            }
            _ => None,
        }
    }
}

impl fmt::Display for FaultAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FaultAction::Loss => f.write_str("loss"),
            FaultAction::Replay(REPLAYS) => f.write_str("replay"),
            FaultAction::Replay(times) => write!(f, "replay:{times}"),
            FaultAction::Stop => f.write_str("stop"),
        }
    }
}

/// What follows from each kind of fault, as far as somebody said so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FaultPolicy {
    /// The action for each kind of fault, in the order of [`FaultPolicy::KINDS`].
    actions: [Option<FaultAction>; FaultPolicy::KINDS.len()],
}

impl FaultPolicy {
    pub const KINDS: [Reason; 11] = [
        Reason::Crash,
        Reason::Disconnect,
        Reason::Stall,
        Reason::TimeLoss,
        Reason::IllegalMove,
        Reason::MalformedBestmove,
        Reason::WrongDeclaration,
        Reason::StartFailure,
        Reason::RefusedOption,
        Reason::Memory,
        Reason::Nonsense,
    ];
    /// Kinds that are as another where nothing is said of them: policies that were stored before them stay what they were.
    const LIKE: [(Reason, Reason); 2] = [
        (Reason::Memory, Reason::Crash),
        (Reason::Nonsense, Reason::MalformedBestmove),
    ];
    /// Nothing is said: every fault is a loss.
    pub const UNSAID: FaultPolicy = FaultPolicy {
        actions: [None; FaultPolicy::KINDS.len()],
    };

    /// What is said of `reason`; nothing if it is no fault.
    pub fn action(&self, reason: Reason) -> Option<FaultAction> {
        let kind = FaultPolicy::KINDS.iter().position(|kind| *kind == reason)?;
        self.actions[kind].or_else(|| self.action(FaultPolicy::elder(reason)?))
    }

    /// The kind that `reason` is like where nothing is said of it.
    fn elder(reason: Reason) -> Option<Reason> {
        let found = FaultPolicy::LIKE.iter().find(|(kind, _)| *kind == reason);
        found.map(|(_, elder)| *elder)
    }

    /// This policy, and `common` for what it does not say.
    #[must_use]
    pub fn or(self, common: FaultPolicy) -> FaultPolicy {
        let mut actions = self.actions;
        for (action, common) in actions.iter_mut().zip(common.actions) {
            *action = action.or(common);
        }
        FaultPolicy { actions }
    }

    pub fn is_unsaid(&self) -> bool {
        *self == FaultPolicy::UNSAID
    }
}

impl fmt::Display for FaultPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let said = FaultPolicy::KINDS.iter().zip(self.actions);
        let mut separator = "";
        for (kind, action) in said {
            let Some(action) = action else { continue };
            write!(f, "{separator}{}={action}", kind.name())?;
            separator = ",";
        }
        Ok(())
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FaultPolicyError {
    #[error("on_fault: unknown fault '{kind}' (faults: {}, all)", kind_names())]
    Kind { kind: String },
    #[error("on_fault: unknown action '{0}' (actions: loss, replay, replay:TIMES with 1 to 255 times, stop)")]
    Action(String),
    #[error("on_fault: {0} needs an action, such as {0}=replay")]
    NoAction(String),
    #[error("on_fault: {0} is given twice")]
    Twice(String),
}

fn kind_names() -> String {
    FaultPolicy::KINDS.map(Reason::name).join(", ")
}

impl FromStr for FaultPolicy {
    type Err = FaultPolicyError;

    /// `all`, or an action alone, stands for every kind that is not named.
    fn from_str(text: &str) -> Result<FaultPolicy, FaultPolicyError> {
        let mut policy = FaultPolicy::UNSAID;
        let mut rest = None;
        for part in text.split(',').map(str::trim) {
            let of_name = |name: &str| FaultPolicy::KINDS.iter().position(|known| known.name() == name);
            let (kind, action) = match part.split_once('=') {
                Some(of_kind) => of_kind,
                None if part == ALL || of_name(part).is_some() => {
                    return Err(FaultPolicyError::NoAction(part.to_owned()));
                }
                None => (ALL, part),
            };
            let action =
                FaultAction::parse(action).ok_or_else(|| FaultPolicyError::Action(action.to_owned()))?;
            let place = if kind == ALL {
                &mut rest
            } else {
                let place = of_name(kind).ok_or_else(|| FaultPolicyError::Kind {
                    kind: kind.to_owned(),
                })?;
                &mut policy.actions[place]
            };
            if place.replace(action).is_some() {
                return Err(FaultPolicyError::Twice(kind.to_owned()));
            }
        }
        Ok(policy.or(FaultPolicy {
            actions: FaultPolicy::KINDS.map(|kind| rest.filter(|_| FaultPolicy::elder(kind).is_none())),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn policy(text: &str) -> FaultPolicy {
        text.parse().unwrap()
    }

    #[test]
    fn a_policy_says_what_follows_from_each_kind_of_fault() {
        use FaultAction::{Loss, Replay, Stop};
        let some = "crash=replay,stall=stop,time_loss=replay:7";
        let common = "all=stop,crash=replay";
        assert_eq!(policy("stop,crash=replay"), policy(common));
        for (text, reason, expected) in [
            (some, Reason::Crash, Some(Replay(3))),
            (some, Reason::Stall, Some(Stop)),
            (some, Reason::TimeLoss, Some(Replay(7))),
            (some, Reason::Disconnect, None),
            (some, Reason::Resignation, None),
            (common, Reason::Crash, Some(Replay(3))),
            (common, Reason::IllegalMove, Some(Stop)),
            // Kinds that came later are like their elders until they are named.
            (common, Reason::Memory, Some(Replay(3))),
            (common, Reason::Nonsense, Some(Stop)),
            ("crash=replay,memory=loss", Reason::Memory, Some(Loss)),
        ] {
            assert_eq!(policy(text).action(reason), expected, "{text}: {}", reason.name());
            assert_eq!(policy(&policy(text).to_string()), policy(text));
        }
        let shown = policy(common).to_string();
        assert!(
            !shown.contains("memory") && !shown.contains("nonsense"),
            "{shown}"
        );
        // A player comes before the match.
        let both = policy("crash=loss").or(policy(common));
        assert_eq!(both.action(Reason::Crash), Some(Loss));
        assert_eq!(both.action(Reason::Stall), Some(Stop));
        assert!(!both.is_unsaid() && FaultPolicy::default().is_unsaid());
    }

    #[test]
    fn every_kind_but_a_loss_on_time_is_counted_as_a_fault() {
        let kinds = |reason: &Reason| FaultPolicy::KINDS.contains(reason);
        for reason in Reason::ALL {
            let is_kind = kinds(&reason) && reason != Reason::TimeLoss;
            assert_eq!(reason.is_fault(), is_kind, "{}", reason.name());
        }
    }
}
