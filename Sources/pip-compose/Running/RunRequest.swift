import Logging
import PipCompose
import PipRig

/// What is composed, how long, and what it says again when it is asked to.
struct RunRequest {
    let rig: Rig
    let pressure: PressureOptions
    var duration: Duration?
    var frames: Int?
    /// The part that is made; nil makes the whole.
    var shard: Shard?
    /// True when frames are made in real time, also where nobody looks.
    var isRealTime = false
    /// True to start without the cameras that are missing; nil where only a service does.
    let waitsForCameras: Bool?
    /// The panel; nil for none.
    let panel: RigFile.PanelWish?
    /// What is read again at SIGHUP.
    let origin: Origin

    /// What is read again.
    enum Origin: Sendable {
        case none
        /// A policy's file.
        case policy(String, waits: Bool)
        /// A whole configuration, with what it said at the start; `watches` reads it when it changes, too.
        case configuration(path: String, RigFile, watches: Bool)
    }
}

extension RunRequest {
    /// Real time where somebody looks, or nothing ends it; files become files as fast as the machine can.
    var pace: OutputPace {
        let files = RigPace(of: rig)
        let ends = duration != nil || frames != nil || files.endsByItself
        return !isRealTime && panel == nil && ends && files.isOfFiles ? .maximum : .realTime
    }

    /// How long what a session makes will be; nil where that is not known.
    func length(of session: Session) -> Duration? {
        [session.fileLength, duration, frames.map { session.outputRate.offset(ofFrame: $0) }].compactMap(\.self).min()
    }

    /// What a configuration file asks for.
    init(_ file: RigFile, path: String, watches: Bool, panel: PanelArgumentOptions) {
        self.init(
            rig: file.rig, pressure: file.pressure.options, duration: file.run.duration, frames: file.run.frames,
            isRealTime: file.run.isRealTime, waitsForCameras: !file.run.requiresCameras,
            panel: panel.wish(over: file.panel),
            origin: .configuration(path: path, file, watches: watches))
    }

    /// What options ask for.
    ///
    /// Looks for cameras when no source is named, and reads the policy's file.
    ///
    /// - Throws: ``UsageError`` without an output, and what is wrong with a policy's file.
    init(
        _ composition: CompositionOptions, _ options: RunOptions, _ pressure: PressureArgumentOptions,
        _ panel: PanelArgumentOptions, _ console: Console
    ) throws {
        guard !composition.output.isEmpty || panel.panel != nil else { throw composition.missingOutput }
        if composition.output.contains(where: \.writesStandardOutput), Terminal.standardOutput.isInteractive {
            throw UsageError("--output -: standard output is a terminal; pipe it, as in: … --output - | ffplay -")
        }
        let (rig, note) = try composition.rig()
        if let note { console.write(note, .warning, event: "test-pattern") }
        composition.warnOfEffects(on: console)
        var origin = Origin.none
        if case .file(let path) = pressure.pressurePolicy { origin = .policy(path, waits: pressure.pressureWait) }
        self.init(
            rig: rig, pressure: try pressure.pressure(), duration: options.duration, frames: options.frames,
            isRealTime: options.realtime, waitsForCameras: options.waitsForCameras, panel: panel.wish(over: nil),
            origin: origin)
    }
}
