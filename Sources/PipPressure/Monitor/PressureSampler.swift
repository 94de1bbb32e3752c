package import PipFrames

/// Reads the sensors and assesses their samples, without a thread and without a clock.
package struct PressureSampler: Sendable {
    private var sensors: PressureSensors
    private var assessment = PressureAssessment()

    /// Creates a sampler of the machine's sensors.
    ///
    /// - Parameter root: The folder in place of `/`.
    package init(root: String = "/") { sensors = PressureSensors(root: root) }

    /// Creates a sampler that reads sensor files only.
    ///
    /// - Parameter files: The kernel's sensor files, or a test's.
    package init(files: any SensorFiles) { sensors = PressureSensors(files: files) }

    /// Reads all sensors once.
    ///
    /// - Parameters:
    ///   - load: The frame loop's due frames and missed deadlines since the last sample.
    ///   - now: The present time, later than the last sample's.
    /// - Returns: The machine's state, and the problems found since the last sample.
    package mutating func sample(load: LoadSample, now: Timestamp) -> (PressureState, [SensorProblem]) {
        let (samples, problems) = sensors.read(now: now)
        return (assessment.assess(samples, load: load, now: now), problems)
    }

    /// True while a higher level waits for confirmation by a second sample.
    package var isUnsure: Bool { assessment.isUnsure }

    /// Sets thresholds for thermometers from now on, keyed by the thermometers' names.
    package mutating func use(_ thresholds: [String: LevelThresholds]) { sensors.use(thresholds) }

    /// Makes the next sample enumerate the sensors and their limits again.
    package mutating func rescan() { sensors.rescan() }
}
