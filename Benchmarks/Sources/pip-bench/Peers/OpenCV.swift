/// Builds commands for the program that `OpenCV/compose.cpp` is compiled to.
struct OpenCV: Sendable {
    /// The pixel format in which the program works.
    enum Style: String, Sendable {
        /// Works in BGR, the format of most scripts.
        case bgr
        /// Works plane by plane, where the workload allows that.
        case planes
    }

    var site: Site
    var sources = 2
    var input = PixelLayout.i420
    /// The name of the workload, which selects what the program does.
    var workload: String
    var styles: [Style] = [.planes, .bgr]
    /// The part of the workload that the program omits; nil for none.
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
