import Foundation

/// Suspends the guest, like a laptop whose lid is closed: processes stop, and drivers suspend their devices.
enum MachineSleep {
    /// Suspends the guest until an alarm of its real-time clock.
    ///
    /// Sleeping threads, timeouts and `CLOCK_MONOTONIC` stand still while the guest is suspended.
    static func sleep(seconds: Int) throws {
        let alarm = "/sys/class/rtc/rtc0/wakealarm"
        // The kernel refuses a new alarm while one is set.
        try write("0", to: alarm)
        try write("+\(seconds)", to: alarm)
        try write("mem", to: "/sys/power/state")
    }

    private static func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path))
    }
}
