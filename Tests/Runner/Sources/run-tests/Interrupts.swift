internal import Glibc

/// The signals by which a person ends the program.
///
/// They are held back, so that the program can end what it has started first.
enum Interrupts {
    private static var signals: sigset_t {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        for signal in [SIGINT, SIGTERM, SIGHUP] { unsafe sigaddset(&signals, signal) }
        return signals
    }

    /// Holds the signals back from now on.
    ///
    /// Call it before any other thread is started.
    static func hold() {
        var signals = signals
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Takes a signal that has come.
    ///
    /// - Returns: Its number; nil when none has come.
    static func next() -> Int32? {
        var signals = signals
        var now = timespec()
        let signal = unsafe sigtimedwait(&signals, nil, &now)
        return signal > 0 ? signal : nil
    }
}
