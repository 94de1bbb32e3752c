import Glibc
import PipRig

/// The standard input, output and error of the process.
enum StandardStreams {
    /// Opens `/dev/null` for standard streams that were closed at the start, so that no other file gets their
    /// descriptors.
    ///
    /// As in gnulib's `stdopen`, each stream is opened in the wrong direction, so that using it stays an error.
    static func fillGaps() {
        let ways = [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        for (descriptor, flags) in ways where fcntl(descriptor, F_GETFD) < 0 {
            // `open` returns the lowest free descriptor: `descriptor`, because all lower descriptors are open.
            _ = unsafe open("/dev/null", flags)
        }
    }
}
