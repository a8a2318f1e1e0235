use std::path::Path;

use serde_json::{Value, json};

use crate::kinds::inspection::{Inspection, NamedFile, NamedProgram};

use crate::sanitize;

pub fn describe_inspection(inspection: &Inspection) -> String {
    let programs = inspection.programs.iter().map(program_text);
    let text: String = programs.chain(inspection.files.iter().map(file_text)).collect();
    if text.is_empty() {
        "  no program and no file\n".to_owned()
    } else {
        text
    }
}

fn program_text(program: &NamedProgram) -> String {
    format!(
        "  program {}\n    command  {}\n    path     {}\n    SHA-256  {}\n",
        sanitize::line(&program.label),
        sanitize::line(&program.command),
        program
            .path
            .as_deref()
            .map_or_else(|| "not found".to_owned(), path_text),
        digest_text(program.sha256.as_deref())
    )
}

fn file_text(file: &NamedFile) -> String {
    format!(
        "  file {}\n    path     {}\n    SHA-256  {}\n",
        sanitize::line(&file.what),
        path_text(&file.path),
        digest_text(file.sha256.as_deref())
    )
}

pub fn inspection_json(inspection: &Inspection) -> Value {
    let path = |path: &Path| path.to_string_lossy().into_owned();
    let programs = inspection.programs.iter().map(|program| {
        json!({
            "player": program.label,
            "command": program.command,
            "path": program.path.as_deref().map(path),
            "sha256": program.sha256,
        })
    });
    let files = inspection
        .files
        .iter()
        .map(|file| json!({ "what": file.what, "path": path(&file.path), "sha256": file.sha256 }));
    json!({ "programs": programs.collect::<Vec<_>>(), "files": files.collect::<Vec<_>>() })
}

fn path_text(path: &Path) -> String {
    sanitize::line(&path.to_string_lossy()).into_owned()
}

fn digest_text(digest: Option<&str>) -> &str {
    digest.unwrap_or("cannot be read")
}

#[cfg(test)]
mod tests {
    use crate::kinds::inspection_report::*;

    #[test]
    fn a_command_cannot_act_on_the_terminal_that_shows_it() {
        let inspection = Inspection {
            programs: vec![NamedProgram {
                label: "x\u{1b}[2J".to_owned(),
                command: "usi:sh -c \"rm\r\" a\u{202e}cod.exe".to_owned(),
                path: None,
                sha256: None,
            }],
            ..Inspection::default()
        };
        let text = describe_inspection(&inspection);
        assert!(!text.contains(['\u{1b}', '\r', '\u{202e}']), "{text:?}");
        assert!(
            text.contains(r"x\u001b[2J") && text.contains(r"a\u202ecod.exe") && text.contains("not found"),
            "{text}"
        );
    }
}
