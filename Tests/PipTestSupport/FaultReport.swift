internal import Glibc

/// Notes what was measured in the test of a fault, for the line that `make faults` prints of its row.
package enum FaultReport {
    /// Where a fault was made.
    package enum Place: String, Sendable {
        /// On this machine as it is.
        case host
        /// By a fake of the kernel, of sensors, of a clock.
        case fake
        /// In the camera lab.
        case lab
    }

    /// Notes figures for a row of the fault matrix; does nothing unless `make faults` runs the test.
    ///
    /// - Parameters:
    ///   - row: The number in the test's name: `row 16: …`.
    ///   - figures: The measurement, as `3 of 90 frames left out`; without paths and times of day, since it is kept.
    ///   - place: The place of the fault; nil derives it from the test's module: `LabTests` is the lab,
    ///     `PipCaptureTests` a fake.
    package static func record(row: Int, figures: String, on place: Place? = nil) {
        guard let path = unsafe getenv("PIP_FAULT_FIGURES").map({ unsafe String(cString: $0) }) else { return }
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { return }
        // One write, so that lines of tests that run at the same time stay whole.
        let line = Array("\(row)\t\(place?.rawValue ?? "-")\t\(figures)\n".utf8)
        _ = unsafe line.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
        close(descriptor)
    }
}
