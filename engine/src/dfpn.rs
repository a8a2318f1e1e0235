//! df-pn: proof-number search, depth first, for a mate by checks alone (A. Nagai (2002)).
//!
//! A node has two numbers for its mover: `phi`, how much there is to show until it has won, and `delta`, until it has lost. `phi` is the
//! least `delta` of its children; `delta` is the greatest `phi` plus one for each other child that is open (weak proof numbers), so
//! that a position reached in many ways, as by interpositions, is not counted as often.
//!
//! A position that repeats one on the way to it is no mate. What is refuted by that alone holds on this way only, and is stored for it
//! alone (A. Kishimoto, M. Müller (2004)).

use std::collections::HashMap;

use crate::game::{MoveList, Path, Position};

/// The plies up to which a mate is found.
const PLIES_MAX: u32 = 2000;
/// The number of what cannot be shown.
const NEVER: u32 = 1 << 30;
const POLL_NODES: u64 = 256;
const CLUSTER_ENTRIES: usize = 4;

/// What is known of a mate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict<M> {
    /// A line that mates, with answers that last long. Not every mate is the shortest.
    Mate(Vec<M>),
    /// No sequence of checks mates.
    NoMate,
    /// The search was stopped, or a mate would be longer than it looks.
    Unknown,
}

/// A verdict and what it took.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solution<M> {
    /// What was found.
    pub verdict: Verdict<M>,
    /// Positions that were searched.
    pub nodes: u64,
}

/// Looks for a mate by the side to move, which `path` leads to, with a table of `table_mib` MiB, until `is_over` says so.
pub fn solve<P: Position>(
    position: &P,
    path: &Path,
    table_mib: usize,
    is_over: &dyn Fn() -> bool,
) -> Solution<P::Move> {
    let clusters = (table_mib.max(1) << 20) / size_of::<[PackedEntry; CLUSTER_ENTRIES]>();
    let mut solver = Solver {
        position: position.clone(),
        table: vec![[PackedEntry::default(); CLUSTER_ENTRIES]; clusters],
        way: path.worn_out::<P>().into_iter().map(|key| (key, 0)).collect(),
        way_hash: 0,
        nodes: 0,
        is_over,
        is_stopped: false,
        is_cut: false,
    };
    solver.way.remove(&position.key());
    let value = solver.search(Node::ROOT, NEVER, NEVER);
    let verdict = match value {
        _ if solver.is_stopped => Verdict::Unknown,
        Value { phi: 0, .. } => solver.line().map_or(Verdict::Unknown, Verdict::Mate),
        Value { delta: 0, .. } if !solver.is_cut => Verdict::NoMate,
        _ => Verdict::Unknown,
    };
    Solution {
        verdict,
        nodes: solver.nodes,
    }
}

/// What is known of a node, for its mover.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Value {
    phi: u32,
    delta: u32,
    /// Of a mate: how long the proof takes.
    plies: u32,
    /// Of a refutation: the first ply on the way that it needs a repetition of.
    needs: u32,
}

const NOTHING: u32 = u32::MAX;

impl Value {
    const fn open(phi: u32, delta: u32) -> Value {
        Value {
            phi,
            delta,
            plies: 0,
            needs: NOTHING,
        }
    }

    /// The defender is mated.
    const MATED: Value = Value::open(NEVER, 0);

    /// The attack fails, at a node of the attacker or of the defender.
    const fn refuted(is_attack: bool, needs: u32) -> Value {
        let (phi, delta) = if is_attack { (NEVER, 0) } else { (0, NEVER) };
        Value {
            phi,
            delta,
            plies: 0,
            needs,
        }
    }

    const fn is_refuted(self, is_attack: bool) -> bool {
        if is_attack { self.delta == 0 } else { self.phi == 0 }
    }

    const fn is_proved(self, is_attack: bool) -> bool {
        if is_attack { self.phi == 0 } else { self.delta == 0 }
    }
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    /// 0 for none.
    key: u64,
    phi: u32,
    delta: u32,
    /// `plies` of a mate, `needs` of a refutation.
    detail: u32,
    /// Nodes that were searched for it.
    work: u32,
}

/// An [`Entry`] in the table. Of plain numbers, since a table of zeros is then not written before it is used.
type PackedEntry = [u64; 3];

impl Entry {
    fn unpacked([key, numbers, rest]: PackedEntry) -> Entry {
        let [phi, delta] = [numbers as u32, (numbers >> 32) as u32];
        let [detail, work] = [rest as u32, (rest >> 32) as u32];
        Entry {
            key,
            phi,
            delta,
            detail,
            work,
        }
    }

    fn packed(self) -> PackedEntry {
        let both = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
        [self.key, both(self.phi, self.delta), both(self.detail, self.work)]
    }
}

#[derive(Debug, Clone, Copy)]
struct Node {
    ply: u32,
    is_attack: bool,
}

impl Node {
    const ROOT: Node = Node {
        ply: 0,
        is_attack: true,
    };

    fn child(self) -> Node {
        Node {
            ply: self.ply + 1,
            is_attack: !self.is_attack,
        }
    }
}

struct Child<M> {
    mv: M,
    value: Value,
}

/// What the children of a node make of it.
struct Summary {
    value: Value,
    /// The child to search.
    best: usize,
    /// The least `delta` of the others.
    second: u32,
    /// Children that are open.
    open: u32,
}

struct Solver<'a, P: Position> {
    position: P,
    table: Vec<[PackedEntry; CLUSTER_ENTRIES]>,
    /// The keys on the way to the node, each with its ply, and what the game forbids to repeat.
    way: HashMap<u64, u32>,
    way_hash: u64,
    nodes: u64,
    is_over: &'a dyn Fn() -> bool,
    is_stopped: bool,
    /// Was anything left out for its length?
    is_cut: bool,
}

impl<P: Position> Solver<'_, P> {
    /// Searches the node until one of its numbers reaches its limit.
    fn search(&mut self, node: Node, phi_max: u32, delta_max: u32) -> Value {
        if self.nodes.is_multiple_of(POLL_NODES) {
            self.is_stopped |= (self.is_over)();
        }
        self.nodes += 1;
        if node.ply >= PLIES_MAX {
            self.is_cut = true;
            return Value::refuted(node.is_attack, 0);
        }
        let (key, before) = (self.position.key(), self.nodes);
        let way_hash = self.way_hash;
        self.enter(key, node.ply);
        let mut children = self.children(node);
        let value = loop {
            let Summary {
                value,
                best,
                second,
                open,
            } = summary(node, &children);
            if value.phi >= phi_max || value.delta >= delta_max || self.is_stopped {
                break value;
            }
            let phi = delta_max - (open - 1);
            // More than one above the second, so that the search does not go to and fro.
            let delta = phi_max.min(second.saturating_add(1 + second / 4));
            let mv = children[best].mv;
            let undo = self.position.make(mv);
            children[best].value = self.search(node.child(), phi, delta);
            self.position.unmake(mv, undo);
        };
        self.way.remove(&key);
        self.way_hash = way_hash;
        if !self.is_stopped {
            self.store(node, key, value, self.nodes - before);
        }
        value
    }

    fn enter(&mut self, key: u64, ply: u32) {
        self.way.insert(key, ply);
        self.way_hash = (self.way_hash ^ key)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(29);
    }

    /// The moves of the node: checks of the attacker, all moves of the defender.
    #[inline(never)] // The list stays off the stack of the recursion.
    fn children(&mut self, node: Node) -> Vec<Child<P::Move>> {
        let mut moves = MoveList::new();
        self.position.legal_all(&mut moves);
        moves.retain(|mv| !node.is_attack || self.position.gives_check(*mv));
        let mut children = Vec::with_capacity(moves.len());
        for mv in moves {
            let undo = self.position.make(mv);
            let value = self.first_value(node.child());
            self.position.unmake(mv, undo);
            children.push(Child { mv, value });
        }
        children
    }

    /// What is known of a node before it is searched.
    fn first_value(&self, node: Node) -> Value {
        let key = self.position.key();
        if let Some(&ply) = self.way.get(&key) {
            return Value::refuted(node.is_attack, ply);
        }
        if node.is_attack {
            return self.load(node, key).unwrap_or(Value::open(1, 1));
        }
        match self.position.count_legal_all() {
            0 => Value::MATED,
            answers => self.load(node, key).unwrap_or(Value::open(1, answers as u32)),
        }
    }

    fn cluster(&self, key: u64) -> usize {
        ((u128::from(key) * self.table.len() as u128) >> 64) as usize
    }

    fn load(&self, node: Node, key: u64) -> Option<Value> {
        let of = |key: u64| {
            let entries = self.table[self.cluster(key)].iter();
            entries
                .map(|&entry| Entry::unpacked(entry))
                .find(|entry| entry.key == key)
        };
        let entry = of(key ^ self.way_hash).or_else(|| of(key))?;
        let mut value = Value::open(entry.phi, entry.delta);
        if value.is_refuted(node.is_attack) {
            value.needs = entry.detail;
        } else {
            value.plies = entry.detail;
        }
        Some(value)
    }

    fn store(&mut self, node: Node, key: u64, value: Value, work: u64) {
        let (key, detail) = match value.is_refuted(node.is_attack) {
            true if value.needs == NOTHING => (key, NOTHING),
            true => (key ^ self.way_hash, value.needs),
            false => (key, value.plies),
        };
        let cluster = self.cluster(key);
        let entries = self.table[cluster].map(Entry::unpacked);
        let same = entries.iter().position(|entry| entry.key == key);
        let victim = same.unwrap_or_else(|| {
            let works = (0..CLUSTER_ENTRIES).map(|at| (entries[at].work, at));
            works.min().map_or(0, |(_, at)| at)
        });
        let entry = Entry {
            key,
            phi: value.phi,
            delta: value.delta,
            detail,
            work: u32::try_from(work).unwrap_or(u32::MAX),
        };
        self.table[cluster][victim] = entry.packed();
    }

    /// A line of the proof. What the table lost of it is proved again.
    fn line(&mut self) -> Option<Vec<P::Move>> {
        let mut line = Vec::new();
        let mut node = Node::ROOT;
        loop {
            self.enter(self.position.key(), node.ply);
            let mut children = self.children(node);
            let is_known = |child: &Child<P::Move>| child.value.is_proved(!node.is_attack);
            // One proof is enough for the attacker; the defender's answers are all proved.
            while let Some(open) = children
                .iter()
                .position(|child| !is_known(child))
                .filter(|_| !node.is_attack || !children.iter().any(is_known))
            {
                let best = if node.is_attack {
                    summary(node, &children).best
                } else {
                    open
                };
                let mv = children[best].mv;
                let undo = self.position.make(mv);
                children[best].value = self.search(node.child(), NEVER, NEVER);
                self.position.unmake(mv, undo);
                if self.is_stopped || !is_known(&children[best]) {
                    return None;
                }
            }
            let proved = children.iter().filter(|child| is_known(child));
            let next = if node.is_attack {
                proved.min_by_key(|child| child.value.plies)
            } else {
                proved.max_by_key(|child| child.value.plies)
            };
            let Some(next) = next else {
                let is_mate = !node.is_attack && self.position.in_check();
                return is_mate.then_some(line);
            };
            line.push(next.mv);
            self.position.make(next.mv);
            node = node.child();
        }
    }
}

fn summary<M>(node: Node, children: &[Child<M>]) -> Summary {
    let (mut best, mut second) = (0, NEVER);
    let (mut phi, mut greatest, mut open) = (NEVER, 0, 0);
    for (at, Child { value, .. }) in children.iter().enumerate() {
        if value.delta < phi {
            (best, second, phi) = (at, phi, value.delta);
        } else {
            second = second.min(value.delta);
        }
        greatest = greatest.max(value.phi);
        open += u32::from(value.phi != 0);
    }
    let delta = match (greatest, open) {
        (NEVER, _) => NEVER,
        (_, 0) => 0,
        _ => (greatest + open - 1).min(NEVER - 1),
    };
    let mut value = Value::open(phi, delta);
    let decisive = children
        .iter()
        .map(|child| child.value)
        .filter(|child| phi != 0 || child.delta == 0);
    if value.is_proved(node.is_attack) {
        let plies = decisive.map(|child| child.plies + 1);
        value.plies = if node.is_attack { plies.min() } else { plies.max() }.unwrap_or(0);
    } else if value.is_refuted(node.is_attack) {
        let needs = decisive.map(|child| child.needs);
        let needs = if node.is_attack { needs.min() } else { needs.max() };
        // What repeats this node or one below it holds on every way.
        value.needs = needs.filter(|&ply| ply < node.ply).unwrap_or(NOTHING);
    }
    Summary {
        value,
        best,
        second,
        open,
    }
}
