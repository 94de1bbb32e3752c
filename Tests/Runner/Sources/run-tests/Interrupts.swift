internal import Glibc

/// The signals with which a user ends the program: SIGINT, SIGTERM and SIGHUP.
///
/// The signals are blocked and polled, so that this program can first end the programs that it has started.
enum Interrupts {
    private static var signals: sigset_t {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        for signal in [SIGINT, SIGTERM, SIGHUP] { unsafe sigaddset(&signals, signal) }
        return signals
    }

    /// Blocks the signals.
    ///
    /// Must be called before any other thread starts.
    static func hold() {
        var signals = signals
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Takes a pending signal.
    ///
    /// - Returns: The number of the signal; nil if no signal is pending.
    static func next() -> Int32? {
        var signals = signals
        var now = timespec()
        let signal = unsafe sigtimedwait(&signals, nil, &now)
        return signal > 0 ? signal : nil
    }
}
