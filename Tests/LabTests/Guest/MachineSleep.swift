import Foundation

/// The guest's suspension, like a laptop's when its lid is closed: processes stop, and drivers suspend their devices.
enum MachineSleep {
    /// Suspends the guest until its clock's alarm goes off.
    ///
    /// Sleeping threads, timeouts and `CLOCK_MONOTONIC` stand still meanwhile.
    static func sleep(seconds: Int) throws {
        let alarm = "/sys/class/rtc/rtc0/wakealarm"
        // A present alarm would not be replaced.
        try write("0", to: alarm)
        try write("+\(seconds)", to: alarm)
        try write("mem", to: "/sys/power/state")
    }

    private static func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path))
    }
}
