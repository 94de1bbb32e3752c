/// A defect of a GStreamer plug-in, which one series of its versions has.
struct KnownDefect {
    /// The plug-in's name in GStreamer's registry.
    let plugin: String
    /// The plug-in's name in messages.
    let name: String
    /// The first numbers of the versions that have the defect, such as `1.22` for 1.22.0 and 1.22.12.
    let series: String
    let consequence: String
    let remedy: String

    static let all: [KnownDefect] = [
        KnownDefect(
            plugin: "libav", name: "gst-libav", series: "1.22",
            consequence: "may crash when a movie is rewound or repeated while it is decoded",
            remedy: "update gst-libav to 1.24 or newer"),
        KnownDefect(
            plugin: "libcamera", name: "libcamera", series: "0.0",
            consequence: "may crash when its USB camera is unplugged",
            remedy: "update libcamera to 0.1 or newer, or open USB cameras as /dev/videoN"),
    ]

    /// True when a version belongs to the series.
    ///
    /// A text that is not a version belongs to no series.
    func affects(_ version: String) -> Bool {
        version == series || version.hasPrefix(series + ".")
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
