package import PipFrames

/// Reads the sensors and assesses their samples, without a thread and without a clock.
package struct PressureSampler: Sendable {
    private var sensors: PressureSensors
    private var assessment = PressureAssessment()

    /// - Parameter root: The folder in place of `/`.
    package init(root: String = "/") { sensors = PressureSensors(root: root) }

    /// - Parameter files: The kernel's files.
    package init(files: any SensorFiles) { sensors = PressureSensors(files: files) }

    /// Reads all sensors once.
    ///
    /// - Parameters:
    ///   - load: The frame loop's deadline misses since the last sample.
    ///   - now: The present moment, later than the last one.
    /// - Returns: The machine's state, and the sensors that were set aside since the last sample.
    package mutating func sample(load: LoadSample, now: Timestamp) -> (PressureState, [SensorProblem]) {
        let (samples, problems) = sensors.read(now: now)
        return (assessment.assess(samples, load: load, now: now), problems)
    }

    /// True while a higher level awaits confirmation by a second sample.
    package var isUnsure: Bool { assessment.isUnsure }

    /// Sets the thresholds of thermometers from now on, keyed by the thermometers' names.
    package mutating func use(_ thresholds: [String: LevelThresholds]) { sensors.use(thresholds) }

    /// Enumerates sensors and limits again at the next sample.
    package mutating func rescan() { sensors.rescan() }
}
