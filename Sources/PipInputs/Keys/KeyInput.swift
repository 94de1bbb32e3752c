internal import CPlatform
internal import PipFrames
internal import SystemPackage

/// The open event devices of a ``KeyRequest``.
///
/// Keyboards and receivers often have several event devices of one name, and some of those claim keys that they never
/// send. All that have a requested key are read.
struct KeyInput: OpenInput {
    private struct Node {
        let path: String
        let device: InputDescriptor
    }

    /// The time from one search for missing keys to the next.
    private static let searchInterval = Duration.seconds(1)
    /// The limits of one reading: records at once, and reads.
    private static let (mostRecords, mostReads) = (64, 16)

    private let request: KeyRequest
    private let devices: any InputDevices
    private var nodes: [Node] = []
    private var missingKeys: Set<KeyCode>
    private var lastSearch: Timestamp?
    private(set) var missing: InputProblem?

    var descriptors: [CInt] { nodes.map(\.device.number) }
    var interval: Duration? { missingKeys.isEmpty ? nil : Self.searchInterval }

    /// Opens the devices.
    ///
    /// - Throws: The reason why none has a requested key.
    init(_ request: KeyRequest, _ devices: any InputDevices) throws(InputProblem) {
        (self.request, self.devices, missingKeys) = (request, devices, request.keys)
        try search()
        guard let missing, nodes.isEmpty else { return }
        throw missing
    }

    mutating func read(at now: Timestamp, _ take: (InputReading, Timestamp) -> Void) throws(InputProblem) {
        for node in nodes {
            for _ in 0..<Self.mostReads {
                let events: [input_event]
                do { events = try node.device.read(input_event.self, limit: Self.mostRecords) } catch {
                    throw InputProblem(node.path, .keys, error)
                }
                for event in events { tell(event, now, take) }
                guard events.count == Self.mostRecords else { break }
            }
        }
        guard !missingKeys.isEmpty, lastSearch?.duration(to: now) ?? Self.searchInterval >= Self.searchInterval else {
            return
        }
        lastSearch = now
        try search()
    }

    private func tell(_ event: input_event, _ now: Timestamp, _ take: (InputReading, Timestamp) -> Void) {
        let key = KeyCode(number: event.code)
        // A value of 0 is a release, and 2 a repetition while the key is held.
        guard CInt(event.type) == EV_KEY, event.value == 1, request.keys.contains(key) else { return }
        // A driver's time may be anything, and one in the future would keep a trigger from firing until then.
        let seconds = min(max(0, Int64(event.time.tv_sec)), 1 << 32)
        let microseconds = min(max(0, Int64(event.time.tv_usec)), 999_999)
        take(.pressed(key), min(now, Timestamp(nanoseconds: seconds * 1_000_000_000 + microseconds * 1000)))
    }

    // MARK: Opening

    /// Opens the devices that are not open yet and have a requested key.
    private mutating func search() throws(InputProblem) {
        var (problem, seen): (InputProblem?, String?)
        for candidate in try candidates() where !nodes.contains(where: { $0.path == candidate.path }) {
            do throws(Errno) {
                let device = try devices.open(candidate.path)
                seen = candidate.title
                let keys = try devices.keys(of: device).intersection(request.keys)
                if keys.isEmpty { continue }
                try devices.select(keys, of: device)
                if request.isExclusive { try devices.grab(device) }
                nodes.append(Node(path: candidate.path, device: device))
                missingKeys.subtract(keys)
            } catch {
                problem = problem ?? InputProblem(candidate.path, .keys, error)
            }
        }
        let names = missingKeys.sorted { $0.number < $1.number }.map(\.description).joined(separator: " and no ")
        let absence = InputProblem("\(nodes.isEmpty ? seen ?? request.device : request.device) has no \(names)")
        missing = missingKeys.isEmpty ? nil : problem ?? absence
    }

    /// A device that the request may mean.
    private struct Candidate {
        let path: String
        let name: String
        var title: String { name.isEmpty ? path : "\(path) (\(name))" }
    }

    /// The devices that the request may mean: a whole name takes precedence over a part of a name.
    private func candidates() throws(InputProblem) -> [Candidate] {
        let all = devices.keyDevices().map { Candidate(path: $0.path, name: $0.name) }
        if request.device.hasPrefix("/") {
            let node = Folder.resolved(request.device) ?? request.device
            return [Candidate(path: request.device, name: all.first { $0.path == node }?.name ?? "")]
        }
        let exact = all.filter { $0.name == request.device }
        if !exact.isEmpty { return exact }
        let wanted = request.device.lowercased()
        let found = all.filter { $0.name.lowercased().contains(wanted) }
        if !found.isEmpty { return found }
        let names = all.map(\.name).filter { !$0.isEmpty }.prefix(8).joined(separator: ", ")
        throw InputProblem(
            "no input device is named \(request.device)\(names.isEmpty ? "" : "; there are \(names)")")
    }
}
