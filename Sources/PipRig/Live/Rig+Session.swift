internal import PipCompose
internal import PipText

#if Media
internal import PipMedia
#endif

extension Rig {
    /// Adds the composition's settings to the session's options.
    ///
    /// - Parameter base: The options that a composition cannot set.
    /// - Returns: All options of the session.
    func options(_ base: SessionOptions) -> SessionOptions {
        var options = base
        options.cameraMatching = matching
        options.fuses = drawing.fuses
        options.renderer = drawing.renderer
        options.drawingThreads = drawing.threads
        options.bufferSharing = drawing.sharing
        options.captionSlates()
        #if Media
        options.decodeCameraVideo()
        #endif
        switch clock {
        case .rate(let rate)?: options.clock = .rate(rate)
        case .maximum?: options.pace = .maximum
        case .camera?: options.clock = .mainCamera
        case nil: options.clock = .mainRate
        }
        return options
    }

    /// Checks that the running composition `old` can change into this one without a restart.
    ///
    /// - Throws: ``RigError`` with the setting that needs a restart, or for a composition without pictures.
    func checkReachable(from old: Rig) throws(RigError) {
        func check(_ isSame: Bool, _ subject: String) throws(RigError) {
            guard !isSame else { return }
            throw RigError(.conflict, "\(subject) cannot change during a run: end the run, and start another")
        }
        try check(canvas == old.canvas, "the size of the canvas")
        try check(clock == old.clock, "the rate of the canvas")
        try check(sound.map(\.text) == old.sound.map(\.text), "the sources of sound")
        try check(
            telemetry.filter { $0.track != nil } == old.telemetry.filter { $0.track != nil }, "an old drive's track")
        if hasTrack {
            try check(pictures.map(\.source.text) == old.pictures.map(\.source.text), "the movie of an old drive")
        }
        try check(matching == old.matching, "the matching of cameras")
        try check(drawing == old.drawing, "the renderer's settings")
        guard !pictures.isEmpty else { throw RigError(.conflict, "the last picture cannot be removed") }
    }
}
