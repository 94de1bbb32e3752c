/// Commands for the program made of `OpenCV/compose.cpp`.
struct OpenCV: Sendable {
    /// The style of processing a picture.
    enum Style: String, Sendable {
        /// As most scripts do: BGR inside.
        case bgr
        /// Plane by plane, where the work allows it.
        case planes
    }

    var site: Site
    var sources = 2
    var input = PixelLayout.i420
    /// The workload's name, which selects the program's work.
    var workload: String
    var styles: [Style] = [.planes, .bgr]
    /// What it leaves out of the work; then it is no target.
    var lacks: String?

    var contender: Contender {
        Contender(
            name: Name.openCV, program: site.openCV, lacks: lacks,
            ways: styles.flatMap { style in
                [1, 0].map { threads in
                    Contender.Way(
                        name: "\(style.rawValue), \(threads == 1 ? "1 thread" : "default threads")"
                    ) { frames in
                        Command(
                            [
                                site.openCV, workload, style.rawValue, input.rawValue, "\(site.size)", "\(threads)",
                                "\(frames)",
                            ] + (0..<sources).map { site.inputs.path($0, input) })
                    }
                }
            })
    }
}
