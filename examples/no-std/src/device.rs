//! The program: it links without an allocator, so nothing in it, the runtime included, can allocate.
#![no_std]
#![no_main]

use core::hint::black_box;
use core::panic::PanicInfo;

/// Where the device starts.
// The name is what the linker looks for.
#[unsafe(no_mangle)]
pub extern "C" fn _start() -> ! {
    // Hides the URL from the optimizer, which would otherwise compute the verdict at compile time.
    let url = black_box(b"https://devices.example/firmware/pump-2.bin".as_slice());
    loop {
        black_box(no_std_rules::may_fetch(url));
    }
}

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    loop {}
}
