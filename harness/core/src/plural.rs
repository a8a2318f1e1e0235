//! A count and its noun.

/// `1 pair`, `2 batches`, `3 losses`
pub fn plural(count: u64, noun: &str) -> String {
    let end = match count {
        1 => "",
        _ if noun.ends_with("ch") || noun.ends_with("ss") => "es",
        _ => "s",
    };
    format!("{count} {noun}{end}")
}
