package import PipCompose
internal import PipPatterns

/// The sources of a command line that names none: the first two cameras, with test patterns in place of missing ones.
package struct DefaultSources {
    package let main: SourceArgument
    package let inset: SourceArgument
    /// Tells the user why there are test patterns; nil when there are two cameras.
    package let note: String?

    package init(_ directory: CameraDirectory) {
        let cameras = directory.cameras()
        main = cameras.first.map(Self.source) ?? Self.patterns[0]
        inset = cameras.count > 1 ? Self.source(cameras[1]) : Self.patterns[1]
        switch cameras.count {
        case 0:
            note = "no camera found, so two test patterns are composed" + Self.trouble(directory)
        case 1:
            note = "one camera found (\(cameras[0])), so the inset is a test pattern" + Self.trouble(directory)
        default: note = nil
        }
    }

    private static func source(_ camera: CameraDevice) -> SourceArgument {
        SourceArgument(.camera(.path(camera.path), CameraWish()), text: camera.path)
    }

    /// The test patterns that stand in for missing cameras.
    package static let patterns = [0, 1].map { seed in
        var options = SourceArgument.PatternOptions()
        options.seed = seed
        return SourceArgument(
            .pattern(.scene, options), text: seed == 0 ? "pattern:scene" : "pattern:scene?seed=\(seed)")
    }

    /// The reason why no other camera is usable.
    private static func trouble(_ directory: CameraDirectory) -> String {
        directory.unusableNodes().first.map { "; \($0)" } ?? " (`pip-compose devices` says what was looked for)"
    }
}
