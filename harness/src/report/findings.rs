//! What an engine does of its protocol, as lines.

use serde_json::{Value, json};

use crate::player::Finding;

pub fn findings(findings: &[Finding]) -> String {
    let line = |finding: &Finding| {
        let verdict = if finding.is_passed { "pass" } else { "FAIL" };
        format!("{verdict}  {}: {}\n", finding.check, finding.detail)
    };
    findings.iter().map(line).collect()
}

pub fn findings_json(findings: &[Finding]) -> Value {
    let row = |finding: &Finding| json!({"check": finding.check, "passed": finding.is_passed, "detail": finding.detail});
    findings.iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_is_a_line_that_begins_with_its_verdict() {
        let finding = |is_passed| Finding {
            check: "stops when told",
            is_passed,
            detail: "within 3 ms".to_owned(),
        };
        let text = findings(&[finding(true), finding(false)]);
        assert_eq!(
            text,
            "pass  stops when told: within 3 ms\nFAIL  stops when told: within 3 ms\n"
        );
    }
}
