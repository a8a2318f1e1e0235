//! Memory that is read all over: asked of the system in large pages, so that a read seldom waits for the address as well.

/// Below this there is nothing to be gained: a large page of x86-64.
#[cfg(target_os = "linux")]
const LARGE_PAGE: usize = 2 << 20;

/// `len` times what `value` makes, in large pages where the system has them.
pub(crate) fn filled<T>(len: usize, value: impl FnMut() -> T) -> Vec<T> {
    let mut values = Vec::with_capacity(len);
    prefer(values.spare_capacity_mut());
    values.resize_with(len, value);
    values
}

/// `len` zeros, which are not written before they are used.
pub(crate) fn zeros(len: usize) -> Vec<i16> {
    let mut values = vec![0; len];
    prefer(&mut values);
    values
}

/// Asks for large pages from the first page that begins in `memory` on. They come when a page is written first.
#[cfg(target_os = "linux")]
fn prefer<T>(memory: &mut [T]) {
    const PAGE: usize = 4096;
    let bytes = size_of_val(memory);
    if bytes < LARGE_PAGE {
        return;
    }
    let start = memory.as_mut_ptr().cast::<u8>();
    let skipped = start.align_offset(PAGE);
    // SAFETY: the range lies within `memory`, and the advice changes nothing of what it holds.
    unsafe { libc::madvise(start.add(skipped).cast(), bytes - skipped, libc::MADV_HUGEPAGE) };
}

#[cfg(not(target_os = "linux"))]
fn prefer<T>(_: &mut [T]) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_holds_the_value_everywhere_whatever_its_size() {
        for len in [0, 1, 5000, 3 << 20] {
            let values = filled(len, || 7_u8);
            assert_eq!(values.len(), len);
            assert!(values.iter().all(|&value| value == 7));
        }
    }
}
