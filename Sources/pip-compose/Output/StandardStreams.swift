import Foundation
import PipRig

/// The process's three standard streams.
enum StandardStreams {
    /// Opens those that the process was started without, so that no other file takes their numbers.
    ///
    /// Each is opened the wrong way round, as gnulib's `stdopen` does it: to use a stream that is not there stays an
    /// error.
    static func fillGaps() {
        let ways = [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        for (descriptor, flags) in ways where fcntl(descriptor, F_GETFD) < 0 {
            // It takes the lowest free number, and those below are open.
            _ = unsafe open("/dev/null", flags)
        }
    }
}
