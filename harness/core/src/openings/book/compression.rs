//! Files as they are handed on: gzip, Zstandard, bzip2.

use std::io::{Error, ErrorKind, Read, Result};

use bzip2::read::MultiBzDecoder;
use flate2::read::MultiGzDecoder;
use ruzstd::decoding::StreamingDecoder;

pub(super) const BYTES_MAX: u64 = 1 << 30;

const GZIP: &[u8] = &[0x1f, 0x8b];
const ZSTANDARD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];
const BZIP2: &[u8] = b"BZh";
/// A frame without content; its first byte has a number in its lower half.
const SKIPPED: &[u8] = &[0x2a, 0x4d, 0x18];

pub(super) fn decompressed(bytes: Vec<u8>) -> Result<Vec<u8>> {
    decompressed_to(bytes, BYTES_MAX)
}

pub(super) fn decompressed_to(bytes: Vec<u8>, bytes_max: u64) -> Result<Vec<u8>> {
    if bytes.starts_with(GZIP) {
        read("gzip", &mut MultiGzDecoder::new(bytes.as_slice()), bytes_max)
    } else if bytes.starts_with(BZIP2) && bytes.get(3).is_some_and(u8::is_ascii_digit) {
        read("bzip2", &mut MultiBzDecoder::new(bytes.as_slice()), bytes_max)
    } else if is_zstandard(&bytes) {
        read_frames(&bytes, bytes_max)
    } else {
        Ok(bytes)
    }
}

fn is_zstandard(bytes: &[u8]) -> bool {
    bytes.starts_with(ZSTANDARD) || is_skipped(bytes)
}

fn is_skipped(bytes: &[u8]) -> bool {
    bytes.len() >= 8 && bytes[0] & 0xf0 == 0x50 && bytes[1..].starts_with(SKIPPED)
}

fn read_frames(mut bytes: &[u8], bytes_max: u64) -> Result<Vec<u8>> {
    let mut all = Vec::new();
    while !bytes.is_empty() {
        if is_skipped(bytes) {
            let length = u32::from_le_bytes([bytes[4], bytes[5], bytes[6], bytes[7]]);
            let end = 8 + length as usize;
            bytes = bytes
                .get(end..)
                .ok_or_else(|| damaged("Zstandard", &"it ends too early"))?;
            continue;
        }
        let mut frame = StreamingDecoder::new(&mut bytes).map_err(|error| damaged("Zstandard", &error))?;
        all.extend(read("Zstandard", &mut frame, bytes_max - all.len() as u64)?);
    }
    Ok(all)
}

fn read(format: &str, input: &mut dyn Read, bytes_max: u64) -> Result<Vec<u8>> {
    let mut output = Vec::new();
    let read = input.take(bytes_max + 1).read_to_end(&mut output);
    read.map_err(|error| damaged(format, &error))?;
    if output.len() as u64 > bytes_max {
        let message = format!(
            "it is {format} of more than {} MiB: decompress and divide it",
            BYTES_MAX >> 20
        );
        return Err(Error::new(ErrorKind::InvalidData, message));
    }
    Ok(output)
}

fn damaged(format: &str, error: &dyn std::fmt::Display) -> Error {
    Error::new(
        ErrorKind::InvalidData,
        format!("it is {format}, but damaged: {error}"),
    )
}

#[cfg(test)]
pub(super) mod tests {
    use std::io::Write;

    use super::*;

    pub fn compressed(text: &[u8]) -> [(&'static str, Vec<u8>); 3] {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        gzip.write_all(text).unwrap();
        let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::best());
        bzip2.write_all(text).unwrap();
        let zstandard = ruzstd::encoding::compress_to_vec(text, ruzstd::encoding::CompressionLevel::Fastest);
        [
            ("gz", gzip.finish().unwrap()),
            ("bz2", bzip2.finish().unwrap()),
            ("zst", zstandard),
        ]
    }

    #[test]
    fn what_was_compressed_comes_out_again_also_in_several_parts_and_what_is_damaged_is_called_so() {
        let text = b"a line of an opening\n".repeat(1000);
        for (name, bytes) in compressed(&text) {
            assert!(bytes.len() < text.len(), "{name}");
            assert_eq!(decompressed(bytes.clone()).unwrap(), text, "{name}");
            let error = decompressed(bytes[..bytes.len() - 9].to_vec())
                .unwrap_err()
                .to_string();
            assert!(error.contains("damaged"), "{name}: {error}");
            let twice = [bytes.clone(), bytes].concat();
            assert_eq!(decompressed(twice).unwrap(), text.repeat(2), "{name}");
        }
        for plain in [text, b"BZh, no line of bzip2".to_vec()] {
            assert_eq!(decompressed(plain.clone()).unwrap(), plain);
        }
    }

    #[test]
    fn frames_of_zstandard_without_content_are_passed_over() {
        let [.., (_, bytes)] = compressed(b"text");
        let skipped = [&[0x5a, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 9, 9][..], &bytes].concat();
        assert_eq!(decompressed(skipped).unwrap(), b"text");
        assert!(decompressed(vec![0x5a, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 9]).is_err());
    }

    #[test]
    fn a_file_that_holds_too_much_is_refused_before_it_is_all_there() {
        for (name, bytes) in compressed(&vec![0; 1 << 20]) {
            assert!(bytes.len() < 10_000, "{name}");
            let error = decompressed_to(bytes.clone(), (1 << 20) - 1)
                .unwrap_err()
                .to_string();
            assert!(error.contains("more than"), "{name}: {error}");
            assert_eq!(decompressed_to(bytes, 1 << 20).unwrap().len(), 1 << 20);
        }
    }
}
