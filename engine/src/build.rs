//! What this program was built for, and what its processor could run.

use std::env::consts;

/// The level of x86-64 that this program was built for, and the largest that this processor has.
#[cfg(target_arch = "x86_64")]
fn instruction_sets() -> [&'static str; 2] {
    macro_rules! has {
        ($($feature:tt)*) => {
            [
                [$(cfg!(target_feature = $feature)),*].iter().all(|is_there| *is_there),
                [$(is_x86_feature_detected!($feature)),*].iter().all(|is_there| *is_there),
            ]
        };
    }
    let levels = [
        ("x86-64-v2", has!("popcnt" "sse4.2" "ssse3")),
        (
            "x86-64-v3",
            has!("avx2" "bmi1" "bmi2" "f16c" "fma" "lzcnt" "movbe"),
        ),
        (
            "x86-64-v4",
            has!("avx512f" "avx512bw" "avx512cd" "avx512dq" "avx512vl"),
        ),
    ];
    [0, 1].map(|of| {
        let reached = levels.iter().take_while(|(_, has)| has[of]);
        reached.last().map_or("x86-64", |(name, _)| *name)
    })
}

/// Elsewhere the architecture is all there is to say.
#[cfg(not(target_arch = "x86_64"))]
fn instruction_sets() -> [&'static str; 2] {
    [consts::ARCH; 2]
}

/// The lines of `--version` below the first, each with what it begins with: the `commit` this was built from, its `features`, what it
/// was built for, and `processor`, the name of that which runs it. What is empty is left out.
pub fn lines(commit: &str, features: &[&str], processor: &str) -> String {
    let [used, available] = instruction_sets();
    let library = match () {
        () if cfg!(target_env = "musl") => " musl",
        () if cfg!(target_env = "gnu") => " gnu",
        () if cfg!(target_env = "msvc") => " msvc",
        () => "",
    };
    let of_processor = [processor, available].join(" ");
    let lines = [
        ("commit", commit.to_owned()),
        ("features", features.join(", ")),
        ("built for", format!("{}{library}, {used}", consts::OS)),
        ("processor", of_processor.trim().to_owned()),
    ];
    let shown = lines.iter().filter(|(_, value)| !value.is_empty());
    shown.map(|(name, value)| format!("{name}: {value}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_runs_what_its_processor_has() {
        let [used, available] = instruction_sets();
        assert!(used <= available, "{used}, {available}");
        let text = lines("0123 2026-11-27", &["a", "b"], "");
        assert!(
            text.starts_with("commit: 0123 2026-11-27\nfeatures: a, b\nbuilt for: "),
            "{text}"
        );
        assert!(!lines("", &[], "x").contains("commit"));
    }
}
