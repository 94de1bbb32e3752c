package import PipCompose
internal import PipPatterns

/// The sources of a command line that names none: the first two cameras.
///
/// Test patterns replace missing cameras.
package struct DefaultSources {
    package let main: SourceArgument
    package let inset: SourceArgument
    /// Tells the user why test patterns are used; nil when there are at least two cameras.
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

    /// The test patterns that replace missing cameras.
    package static let patterns = [0, 1].map { seed in
        var options = SourceArgument.PatternOptions()
        options.seed = seed
        return SourceArgument(
            .pattern(.scene, options), text: seed == 0 ? "pattern:scene" : "pattern:scene?seed=\(seed)")
    }

    /// The end of the note: why a camera node cannot be used, or a hint if there is no such node.
    private static func trouble(_ directory: CameraDirectory) -> String {
        directory.unusableNodes().first.map { "; \($0)" } ?? " (`pip-compose devices` says how to find one)"
    }
}
