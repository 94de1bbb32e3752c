import Logging
import PipCompose
import PipText

extension CompositionOptions {
    /// The graph that the options ask for, and what the user should know of it.
    ///
    /// Looks for cameras when no source is named.
    func scene() throws -> (scene: Scene, note: String?) {
        guard let main else {
            let sources = DefaultSources(CameraDirectory())
            return (try Scene(main: sources.main, insets: [sources.inset], options: self), sources.note)
        }
        return (try Scene(main: main, insets: inset, options: self), nil)
    }

    /// Warns of each chain of effects that changes nothing.
    func warnOfIdleEffects(on console: Console) {
        for note in effect.compactMap(\.note) { console.write(note, .warning, event: "effect-changes-nothing") }
    }

    /// A session that is ready to run.
    ///
    /// A missing camera is an error when `requiresCameras` is true. `service` receives the frame loop's signs of life.
    func session(
        _ scene: Scene, pressure: PressureOptions, requiresCameras: Bool, logger: Logger,
        service: ServiceNotifier? = nil
    ) async throws -> Session {
        var options = SessionOptions()
        options.pressure = pressure
        options.startsWithoutCameras = !requiresCameras
        options.endsWithHungDrivers = service?.isManaged ?? false
        options.cameraMatching = matchCameras
        options.fuses = !noFuse
        options.captionSlates()
        options.renderer = renderer.choice
        options.drawingThreads = threads
        options.bufferSharing = shareBuffers.sharing
        options.logger = logger
        if let service, service.hasWatchdog { options.heartbeat = { service.live($0) } }
        switch fps {
        case .rate(let rate)?: options.clock = .rate(rate)
        case .maximum?: options.clock = .maximum
        case nil: options.clock = .mainRate
        }
        let session = try await Session(scene.picture, options: options)
        if scene.needsArranging {
            let canvas = session.statistics.output.size
            try await session.configure { try scene.arrange(on: canvas) }
        }
        return session
    }

    /// The error for a command line without output, with an example of one.
    var missingOutput: UsageError {
        let sources =
            main == nil
            ? ""
            : ([main].compactMap(\.self).map { "--main \($0.text) " } + inset.map { "--inset \($0.text) " }).joined()
        return UsageError(
            """
            nothing says where the frames go: add --output SINK

              frames/%05d.png, frames/%05d.jpg   one picture a frame
              out.y4m                            video, uncompressed, for any player
              -                                  the same on standard output, for a pipe
              out.nv12, out.i420, out.rgba       bare pixels
              /dev/video10, virtual-camera:NAME  a camera for browsers and video calls
              null:                              nothing: for measuring

            For example: pip-compose \(sources)--output out.y4m --duration 3s
            """)
    }
}
