/// A defect that a GStreamer plug-in has in some versions.
struct KnownDefect {
    /// The plug-in's name in GStreamer's registry.
    let plugin: String
    /// The plug-in's name in messages.
    let name: String
    /// The first two numbers of the first version with the defect.
    var first = (0, 0)
    /// The first two numbers of the first version without the defect again; nil while none is known.
    let fixed: (Int, Int)?
    let consequence: String
    let remedy: String

    static let all: [KnownDefect] = [
        KnownDefect(
            plugin: "libav", name: "gst-libav", fixed: (1, 24),
            consequence: "may crash when a movie is rewound or repeated while it is decoded",
            remedy: "update gst-libav to 1.24 or newer"),
        KnownDefect(
            plugin: "libcamera", name: "libcamera", fixed: (0, 7),
            consequence: "may crash when its USB camera is unplugged",
            remedy: "update libcamera to 0.7 or newer, or open USB cameras as /dev/videoN"),
        // Since "tsdemux: Fix Continuity Counter handling" a packet out of order takes the next picture with it.
        KnownDefect(
            plugin: "mpegtsdemux", name: "tsdemux", first: (1, 28), fixed: nil,
            consequence: "drops pictures up to the next key frame where transport streams were joined by cat",
            remedy: "join them by pip-compose join"),
    ]

    /// True when a version has the defect; false for a text that is no version.
    func affects(_ version: String) -> Bool {
        let numbers = version.split(separator: ".").prefix(2).map { Int($0) }
        guard numbers.count == 2, let major = numbers[0], let minor = numbers[1] else { return false }
        return (major, minor) >= first && fixed.map { (major, minor) < $0 } ?? true
    }

    /// Compares the installed plug-ins with the known defects.
    ///
    /// - Parameter version: Returns the version of the plug-in with a name; nil when it is not installed.
    /// - Returns: One note for each defect that an installed plug-in has.
    static func findings(_ version: (String) -> String?) -> [Finding] {
        var findings: [Finding] = []
        for defect in all {
            guard let installed = version(defect.plugin), defect.affects(installed) else { continue }
            findings.append(
                Finding(
                    subject: "GStreamer", severity: .note,
                    detail: "\(defect.name) \(installed) \(defect.consequence)", remedy: defect.remedy))
        }
        return findings
    }
}
