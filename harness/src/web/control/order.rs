//! What somebody orders from a page.
//!
//! In: a name, the plan of a file. Out: what is wrong with the name, whether the plan starts programs. Must not: look at files.

use serde_json::Value;

const NAME_BYTES_MAX: usize = 64;

/// Is this the name of a folder of one level?
pub(super) fn check_name(name: &str) -> Result<(), String> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    if name.is_empty() || name.len() > NAME_BYTES_MAX || name.starts_with('.') || !name.bytes().all(is_plain)
    {
        return Err(format!(
            "a name is 1 to {NAME_BYTES_MAX} letters, digits, '-', '_' and '.', and does not begin with '.'"
        ));
    }
    Ok(())
}

/// Is a program of this machine to be started by anything in a plan?
pub(super) fn names_programs(plan: &Value) -> bool {
    match plan {
        Value::Object(object) => object.iter().any(|(key, value)| {
            key == "programs" && value.as_array().is_some_and(|programs| !programs.is_empty())
                || names_programs(value)
        }),
        Value::Array(values) => values.iter().any(names_programs),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn names_are_folders_of_one_level() {
        for good in ["night", "a-1_b.c"] {
            assert!(check_name(good).is_ok(), "{good}");
        }
        for bad in [
            "",
            ".",
            "..",
            ".tanren",
            "a/b",
            "a\\b",
            "a b",
            "対局",
            &"x".repeat(65),
        ] {
            assert!(check_name(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_program_is_found_wherever_it_stands_in_a_plan() {
        assert!(!names_programs(
            &json!([{ "programs": [], "files": [{ "path": "x" }] }])
        ));
        assert!(names_programs(
            &json!({ "jobs": [{ "inspection": { "programs": [{ "command": "x" }] } }] })
        ));
    }
}
