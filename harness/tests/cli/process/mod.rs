//! Players that are other programs, as a user meets them.

mod again;
mod analysis;
mod faults;
mod foreign_text;
mod invalid;
#[cfg(target_os = "linux")]
mod killed;
mod late;
#[cfg(unix)]
mod machine;
mod players;
mod policies;
mod pondering;
mod remarks;
#[cfg(unix)]
mod scripts;
mod tuning;
mod words;

/// The engine of the test tree that does what these words say.
fn faulty(words: &str) -> String {
    format!(
        "usi:{} {words}",
        crate::engines::example("fault_engine").display()
    )
}
