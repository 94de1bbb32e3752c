internal import Glibc

/// Records the measurements of a fault's test, for the line that `make faults` prints of its row.
package enum FaultReport {
    /// The place where a fault was made.
    package enum Place: String, Sendable {
        /// The fault was made on this machine itself.
        case host
        /// A fake of the kernel, a sensor or a clock made the fault.
        case fake
        /// The fault was made in the camera lab.
        case lab
    }

    /// Records figures for a row of the fault matrix; does nothing unless `make faults` runs the test.
    ///
    /// - Parameters:
    ///   - row: The number in the test's name: `row 16: …`.
    ///   - figures: The measurement, such as `3 of 90 frames left out`. It is stored, so it must not contain paths or
    ///     times of day.
    ///   - place: The place of the fault; nil derives it from the test's module: `LabTests` is the lab,
    ///     `PipCaptureTests` a fake.
    package static func record(row: Int, figures: String, on place: Place? = nil) {
        guard let path = unsafe getenv("PIP_FAULT_FIGURES").map({ unsafe String(cString: $0) }) else { return }
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { return }
        // A single write keeps lines of concurrent tests whole.
        let line = Array("\(row)\t\(place?.rawValue ?? "-")\t\(figures)\n".utf8)
        _ = unsafe line.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
        close(descriptor)
    }
}
