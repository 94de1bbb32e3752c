import Logging
import PipCompose
import PipRig

/// A composition to run, and the file to read again at SIGHUP.
struct RunRequest {
    let file: RigFile
    /// The part of a sharded composition to compose; nil composes the whole composition.
    var shard: Shard?
    /// True to start without missing cameras, and to open each camera when it appears; false to refuse the start.
    ///
    /// Nil means true in a service, and false otherwise.
    let waitsForCameras: Bool?
    let origin: Origin

    /// The file that the run reads again at SIGHUP.
    enum Origin: Sendable {
        case none
        /// The path of a policy's file, and the option `--pressure-wait`.
        case policy(String, waits: Bool)
        /// The path of a configuration, and its content at the start. If `watches`, each change of the file also
        /// reloads the configuration.
        case configuration(path: String, RigFile, watches: Bool)
    }
}

extension RunRequest {
    /// The advice to a user whose run a missing camera has ended; nil when the run waits for cameras.
    var missingCameraAdvice: String? {
        switch (waitsForCameras, origin) {
        case (nil, _): "to wait, add --wait"
        case (true?, _): nil
        case (false?, .configuration): "to wait, remove require-both from the configuration"
        case (false?, _): "to wait, write --wait in place of --require-both"
        }
    }

    /// The pace of the session.
    ///
    /// The session runs as fast as possible if the composition ends, has no panel, and reads and writes files as
    /// ``RigPace/isOfFiles`` says. Otherwise, and on request, the session runs in real time. The output clock
    /// ``ClockArgument/maximum`` overrides this pace.
    var pace: OutputPace {
        let files = RigPace(of: file.rig)
        let ends = file.run.duration != nil || file.run.frames != nil || files.endsByItself
        return !file.run.isRealTime && file.panel == nil && ends && files.isOfFiles ? .maximum : .realTime
    }

    /// The length of the output; nil if no option limits it, and no files of known length do.
    func length(of session: Session) -> Duration? {
        [session.fileLength, file.run.duration, file.run.frames.map { session.outputRate.offset(ofFrame: $0) }]
            .compactMap(\.self).min()
    }

    /// Makes the request of a configuration file, in which `panel` and `broker` override the file's settings.
    init(
        _ file: RigFile, path: String, watches: Bool, panel: PanelArgumentOptions, broker: BrokerArgumentOptions
    ) {
        var asked = file
        asked.panel = panel.settings(over: file.panel)
        asked.broker = broker.mqtt ?? file.broker
        self.init(
            file: asked, waitsForCameras: !file.run.requiresCameras,
            origin: .configuration(path: path, file, watches: watches))
    }

    /// Makes the request of the options of `compose`.
    ///
    /// Looks for cameras if no source is named, and reads the policy's file, if there is one.
    ///
    /// - Throws: ``UsageError`` without an output and a panel, for an output to a terminal, and for invalid options;
    ///   ``ConfigurationError`` for a mistake in a policy's file.
    init(_ command: ComposeCommand, _ console: Console) throws {
        let (composition, pressure) = (command.composition, command.pressure)
        guard !composition.output.isEmpty || command.panel.panel != nil else { throw composition.missingOutput }
        if composition.output.contains(where: \.writesStandardOutput), Terminal.standardOutput.isInteractive {
            throw UsageError("--output -: standard output is a terminal; pipe it, as in: … --output - | ffplay -")
        }
        let (file, note) = try RigFile.asking(
            composition: composition, running: command.running, pressure: pressure, panel: command.panel,
            broker: command.broker)
        if let note { console.write(note, .warning, event: "test-pattern") }
        composition.warnOfEffects(on: console)
        try PressureArgumentOptions.check(root: file.pressure.root)
        var origin = Origin.none
        if let path = file.pressure.policyPath { origin = .policy(path, waits: pressure.pressureWait) }
        self.init(
            file: file, shard: command.sharding.shard, waitsForCameras: command.running.waitsForCameras, origin: origin)
    }
}
