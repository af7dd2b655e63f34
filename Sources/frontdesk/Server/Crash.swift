import Glibc

/// How the process ends when it must not go on.
enum Crash {
    /// Signals of a crash, for which the Swift runtime has handlers of its own.
    private static let signals = [SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP]

    /// Ends the process at once, which the store survives by design.
    ///
    /// No buffers are flushed and nothing is closed. It does not wait for a reader of the log that stalls either: what
    /// other threads acknowledge meanwhile would not be true.
    static func now(code: Int32) -> Never { _exit(code) }

    /// Keeps what is in memory, messages and secrets, out of core files and of what a crash prints.
    ///
    /// The runtime's account of a crash shows memory around the registers and goes where the log goes.
    /// It is left out unless `SWIFT_BACKTRACE` asks for one; the line that says what failed stays.
    static func keepMemoryPrivate() {
        var none = rlimit()
        // Cannot fail: a limit may always be lowered.
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        // A program that the kernel hands core files to is not held by that limit.
        let filter = unsafe open("/proc/self/coredump_filter", O_WRONLY | O_CLOEXEC)
        if filter >= 0 {
            unsafe write(filter, "0", 1)
            close(filter)
        }
        guard unsafe getenv("SWIFT_BACKTRACE") == nil else { return }
        for number in signals { signal(number, SIG_DFL) }
    }
}
