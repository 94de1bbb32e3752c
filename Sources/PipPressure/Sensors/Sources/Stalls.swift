internal import PipFrames

/// Reads pressure stall information (PSI): the share of time in which tasks wait for processors, memory and disks.
///
/// In a container, the information comes from the container's control group. Elsewhere, it comes from the machine and
/// from this process's control group, which may have a limit of its own.
///
/// Source: the kernel's "PSI - Pressure Stall Information".
struct Stalls: SensorReader {
    private static let groups = "sys/fs/cgroup"

    /// A PSI file, with the resource that it describes.
    struct File: Sendable, Hashable {
        let resource: StallResource
        let source: String
        let path: String
    }
    /// The PSI files that are read.
    private(set) var found: [File] = []

    mutating func scan(_ files: some SensorFiles) {
        found = []
        for resource in StallResource.allCases {
            let own = Self.ownGroup(files).map { "\($0)/\(resource.rawValue).pressure" }
            // The root of the machine's control groups has no type; the root that a container sees has one.
            let isContained = (try? files.text(of: "\(Self.groups)/cgroup.type")) != nil
            if !isContained {
                add(resource, "\(resource.rawValue) stalls", "proc/pressure/\(resource.rawValue)", files)
            }
            if let own { add(resource, "\(resource.rawValue) stalls of the control group", own, files) }
        }
    }

    func read(_ files: some SensorFiles, now: Timestamp, into samples: inout [RawSample]) {
        for file in found {
            samples.append(
                files.sample(file.source, at: file.path) { text in
                    guard let some = Self.average(of: "some", in: text) else { return nil }
                    return .stall(file.resource, some: some, full: Self.average(of: "full", in: text) ?? 0)
                })
        }
    }

    private mutating func add(_ resource: StallResource, _ source: String, _ path: String, _ files: some SensorFiles) {
        // Kernels without PSI have no such files, or reading them fails.
        guard let text = try? files.text(of: path), Self.average(of: "some", in: text) != nil else { return }
        found.append(File(resource: resource, source: source, path: path))
    }

    /// The folder of this process's control group; nil for the machine's root group, or without cgroup v2.
    private static func ownGroup(_ files: some SensorFiles) -> String? {
        guard let text = try? files.text(of: "proc/self/cgroup"),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("0::") })
        else { return nil }
        let path = line.dropFirst("0::".count)
        if path == "/" { return (try? files.text(of: "\(groups)/cgroup.type")) != nil ? groups : nil }
        let candidates = ["\(groups)\(path)", "\(groups)/unified\(path)"]
        return candidates.first { (try? files.text(of: "\($0)/cgroup.type")) != nil }
    }

    /// The ten-second average, in percent, in a line such as `some avg10=1.50 avg60=0.90 avg300=0.20 total=12345`; nil
    /// when `text` has no such line of that kind.
    static func average(of kind: String, in text: String) -> Double? {
        let name = "avg10="
        for line in text.split(separator: "\n") where line.hasPrefix(kind) {
            guard let word = line.split(separator: " ").first(where: { $0.hasPrefix(name) }),
                let value = Double(word.dropFirst(name.count)), (0...100).contains(value)
            else { continue }
            return value
        }
        return nil
    }
}
