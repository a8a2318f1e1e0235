//! A package of PyPI: programs that `pip` puts beside its own.
//!
//! The format: <https://packaging.python.org/en/latest/specifications/binary-distribution-format/>.

use std::fmt::Write as _;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

use crate::pack::{self, Entry};
use crate::release::ADDRESSES;
use crate::{Result, VERSION};

/// What a wheel of this version is called for these platforms.
pub(crate) fn name(platforms: &str) -> String {
    format!("tanren-{VERSION}-py3-none-{platforms}.whl")
}

/// Writes a wheel of files named below `scripts/`, `data/` and `dist-info/`.
pub(crate) fn write(path: &Path, platforms: &str, readme: &str, files: Vec<Entry>) -> Result<()> {
    let info = format!("tanren-{VERSION}.dist-info");
    let mut entries = vec![
        Entry::text(format!("{info}/METADATA"), metadata(readme)),
        Entry::text(format!("{info}/WHEEL"), tags(platforms)),
    ];
    for mut file in files {
        file.name = match file.name.strip_prefix("dist-info/") {
            Some(name) => format!("{info}/{name}"),
            None => format!("tanren-{VERSION}.data/{}", file.name),
        };
        entries.push(file);
    }
    let mut record = String::new();
    for entry in &entries {
        let sum = URL_SAFE_NO_PAD.encode(Sha256::digest(&entry.bytes));
        writeln!(record, "{},sha256={sum},{}", entry.name, entry.bytes.len())?;
    }
    writeln!(record, "{info}/RECORD,,")?;
    entries.push(Entry::text(format!("{info}/RECORD"), record));
    pack::zip(path, "", &entries)
}

fn metadata(readme: &str) -> String {
    let addresses: String = ADDRESSES
        .iter()
        .filter(|(_, address)| !address.is_empty())
        .map(|(name, address)| format!("Project-URL: {name}, {address}\n"))
        .collect();
    format!(
        "Metadata-Version: 2.4\nName: tanren\nVersion: {VERSION}\n{addresses}\
         Summary: Self-play tournaments and tuning for shogi and chess engines\n\
         License-Expression: MIT OR Apache-2.0\nLicense-File: LICENSE-APACHE\nLicense-File: LICENSE-MIT\n\
         Classifier: Environment :: Console\nClassifier: Programming Language :: Rust\n\
         Classifier: Topic :: Games/Entertainment :: Board Games\n\
         Requires-Python: >=3.8\nDescription-Content-Type: text/markdown\n\n{readme}"
    )
}

fn tags(platforms: &str) -> String {
    let mut text = "Wheel-Version: 1.0\nGenerator: cargo xtask dist\nRoot-Is-Purelib: false\n".to_owned();
    for platform in platforms.split('.') {
        text += &format!("Tag: py3-none-{platform}\n");
    }
    text
}
