/// Commands for the program made of `OpenCV/compose.cpp`.
struct OpenCV: Sendable {
    /// The style of processing a picture.
    enum Style: String, Sendable {
        /// BGR, the format of most scripts.
        case bgr
        /// Plane by plane, if the work allows it.
        case planes
    }

    var site: Site
    var sources = 2
    var input = PixelLayout.i420
    /// The workload's name, which selects the program's work.
    var workload: String
    var styles: [Style] = [.planes, .bgr]
    /// The part of the workload that it omits; nil for none.
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
