import Foundation
import PipRig

/// The process's three standard streams.
enum StandardStreams {
    /// Opens standard streams that the process was started without, so that no other file gets their descriptors.
    ///
    /// Each stream is opened in the wrong direction, as gnulib's `stdopen` does, so that using it stays an error.
    static func fillGaps() {
        let ways = [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        for (descriptor, flags) in ways where fcntl(descriptor, F_GETFD) < 0 {
            // open() returns the lowest free descriptor, and all lower ones are open.
            _ = unsafe open("/dev/null", flags)
        }
    }
}
