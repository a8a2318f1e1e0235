//! What the machine lacks, a process that does not run, a program that is replaced: none of it is a player's result.

mod capacity;
mod lack;
mod programs;
mod running;
mod suspension;
