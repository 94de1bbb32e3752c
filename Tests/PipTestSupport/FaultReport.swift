internal import Glibc

/// Records measurements of a test of the fault matrix, which `make faults` prints in the matrix.
package enum FaultReport {
    /// The place where a test made its fault.
    package enum Place: String, Sendable {
        /// The test made the fault on this machine itself.
        case host
        /// A fake kernel, sensor or clock made the fault.
        case fake
        /// The test made the fault in the camera lab.
        case lab
    }

    /// Records a measurement for a row of the fault matrix; does nothing unless `make faults` runs the test.
    ///
    /// - Parameters:
    ///   - row: The row, which is the number in the test's name, such as `row 16: …`.
    ///   - figures: The measurement, such as `3 of 90 frames left out`. It is published, so it must not contain
    ///     paths or times of day.
    ///   - place: The place of the fault. Nil derives the place from the test's module: the lab for `LabTests`, a
    ///     fake for `PipCaptureTests`, otherwise this machine.
    package static func record(row: Int, figures: String, on place: Place? = nil) {
        guard let path = unsafe getenv("PIP_FAULT_FIGURES").map({ unsafe String(cString: $0) }) else { return }
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { return }
        // One call of `write` keeps the line whole beside those of concurrent tests.
        let line = Array("\(row)\t\(place?.rawValue ?? "-")\t\(figures)\n".utf8)
        _ = unsafe line.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
        close(descriptor)
    }
}
