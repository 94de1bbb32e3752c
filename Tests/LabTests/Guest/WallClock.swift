import CPlatform
import Foundation

/// The wall clock of the guest.
enum WallClock {
    /// Sets the clock forward by a number of seconds, or back.
    static func set(by seconds: Int) throws {
        var time = timeval()
        unsafe gettimeofday(&time, nil)
        time.tv_sec += seconds
        guard unsafe settimeofday(&time, nil) == 0 else {
            throw ProgramFailure(command: "settimeofday", said: "errno \(errno)")
        }
    }
}
