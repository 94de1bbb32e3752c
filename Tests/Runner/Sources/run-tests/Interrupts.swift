internal import Glibc

/// The signals by which a person ends the program.
///
/// They are blocked, so that the program can first end the programs that it has started.
enum Interrupts {
    private static var signals: sigset_t {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        for signal in [SIGINT, SIGTERM, SIGHUP] { unsafe sigaddset(&signals, signal) }
        return signals
    }

    /// Blocks the signals from now on.
    ///
    /// Must be called before another thread is started.
    static func hold() {
        var signals = signals
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Takes a pending signal.
    ///
    /// - Returns: Its number; nil when none is pending.
    static func next() -> Int32? {
        var signals = signals
        var now = timespec()
        let signal = unsafe sigtimedwait(&signals, nil, &now)
        return signal > 0 ? signal : nil
    }
}
