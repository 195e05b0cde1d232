//! The exports and the import of the WebAssembly module.
#![expect(unsafe_code, reason = "memory that the host writes and reads")]

use std::cell::RefCell;
use std::panic;
use std::ptr;
use std::slice;

use serde_json::json;

use crate::Engine;
use crate::message::Blocks;

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// Receives an event; nonzero to cancel.
    safe fn event(message: *const u8, length: usize) -> i32;
}

thread_local! {
    static ENGINE: RefCell<Engine> = RefCell::default();
}

/// Allocates `length` bytes for a request.
#[unsafe(no_mangle)]
extern "C" fn alloc(length: usize) -> *mut u8 {
    Box::into_raw(vec![0_u8; length].into_boxed_slice()).cast()
}

/// Frees a message of `length` bytes, made by [`alloc`] or returned by [`call`].
///
/// # Safety
///
/// It must be such a message, and must not be used afterwards.
#[unsafe(no_mangle)]
unsafe extern "C" fn release(message: *mut u8, length: usize) {
    // SAFETY: the caller's promise; messages are boxed slices of this length.
    drop(unsafe { Box::from_raw(ptr::slice_from_raw_parts_mut(message, length)) });
}

/// Answers the request of `length` bytes; returns the answer, whose length is its second
/// `u32`.
///
/// # Safety
///
/// The request must be `length` bytes made by [`alloc`].
#[unsafe(no_mangle)]
unsafe extern "C" fn call(request: *const u8, length: usize) -> *mut u8 {
    // SAFETY: the caller's promise.
    let request = unsafe { slice::from_raw_parts(request, length) };
    let mut forward = |bytes: &[u8]| event(bytes.as_ptr(), bytes.len()) != 0;
    let answer = ENGINE.with_borrow_mut(|engine| engine.call(request, &mut forward));
    Box::into_raw(answer.into_boxed_slice()).cast()
}

/// Sends the sentence of a panic as an event `panic` before the module traps.
#[unsafe(no_mangle)]
extern "C" fn start() {
    panic::set_hook(Box::new(|information| {
        let message = json!({ "type": "panic", "message": information.to_string() });
        let bytes = Blocks::default().with_header(&message);
        event(bytes.as_ptr(), bytes.len());
    }));
}
