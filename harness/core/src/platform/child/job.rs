//! Engines that end when this program is gone, however it ended.

use std::ffi::c_void;
use std::io;
use std::os::windows::io::{AsHandle, AsRawHandle, BorrowedHandle, FromRawHandle, OwnedHandle};
use std::process::{Child, Command};
use std::sync::{Arc, OnceLock};

use process_wrap::std::{CommandWrap, CommandWrapper};
use windows::Win32::Foundation::HANDLE;
use windows::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JobObjectExtendedLimitInformation, SetInformationJobObject,
};
use windows::core::PCWSTR;

/// A job around that of `process_wrap`, which does not do this. The system ends the process and all that it starts when it closes the handle.
#[derive(Debug, Clone, Default)]
pub(super) struct EndsWithUs(Arc<OnceLock<OwnedHandle>>);

impl CommandWrapper for EndsWithUs {
    /// Before the process runs: `process_wrap` starts it suspended.
    fn post_spawn(&mut self, _: &mut Command, child: &mut Child, _: &CommandWrap) -> io::Result<()> {
        if let Ok(job) = job_with(child.as_handle()) {
            drop(self.0.set(job));
        }
        Ok(())
    }
}

fn job_with(process: BorrowedHandle<'_>) -> io::Result<OwnedHandle> {
    // SAFETY: it takes no pointers.
    let job = unsafe { CreateJobObjectW(None, PCWSTR::null()) }?;
    // SAFETY: the handle is new, and nothing else closes it.
    let owned = unsafe { OwnedHandle::from_raw_handle(job.0) };
    let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
    limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
    let bytes = size_of_val(&limits) as u32;
    let limits: *const c_void = (&raw const limits).cast();
    // SAFETY: the pointer and the length are those of the limits, and both handles are open.
    unsafe {
        SetInformationJobObject(job, JobObjectExtendedLimitInformation, limits, bytes)?;
        AssignProcessToJobObject(job, HANDLE(process.as_raw_handle()))?;
    }
    Ok(owned)
}
