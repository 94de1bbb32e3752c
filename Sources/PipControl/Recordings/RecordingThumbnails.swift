#if Control && Media
internal import Glibc
internal import PipConcurrency
internal import PipMedia
internal import PipRecordings
internal import PipRig

/// Small pictures of recordings, made on request, and kept in memory.
///
/// Pictures are made one after another on a thread of low priority, which rests as long as it has worked: they take
/// half of a processor at most.
actor RecordingThumbnails {
    /// The largest size of all kept pictures, in bytes: about a thousand pictures.
    private static let mostBytes = 8_000_000
    /// The largest number of requests that wait for their pictures.
    private static let mostWaiting = 64

    private var known: [String: [UInt8]] = [:]
    /// The keys of `known`, the oldest first.
    private var order: [String] = []
    private var bytes = 0
    private var waiting = 0
    /// The task that makes the latest requested picture.
    private var last: Task<[UInt8], any Error>?
    /// The end of the thread's rest.
    private var restEnd = SuspendingClock.now

    /// The text that differs between two recordings of the same name.
    static func tag(_ recording: Recording) -> String {
        let start = recording.start.sinceEpoch.components
        return "\(start.seconds)-\(start.attoseconds / 1_000_000_000_000)"
    }

    /// Returns the picture of a recording, as a JPEG file: that of its first moment, or its first one.
    ///
    /// - Parameters:
    ///   - recording: The recording.
    ///   - path: The path of its file.
    /// - Returns: The JPEG file.
    /// - Throws: ``Problem`` with 429 when too many requests wait; the error of a file that shows no picture.
    func picture(of recording: Recording, at path: String) async throws -> [UInt8] {
        // A lock changes the folder, but not the picture.
        let key = "\(recording.fileName) \(Self.tag(recording))"
        if let picture = known[key] { return picture }
        guard waiting < Self.mostWaiting else {
            throw Problem(429, "\(waiting) pictures are being made: try later", headers: ["Retry-After": "5"])
        }
        waiting += 1
        defer { waiting -= 1 }
        let before = last
        let task = Task {
            _ = try? await before?.value
            if let picture = known[key] { return picture }
            try? await Task.sleep(until: restEnd, clock: .suspending)
            let start = SuspendingClock.now
            defer { restEnd = .now + start.duration(to: .now) }
            let picture = try await Self.make(path, at: recording.moments.first?.offset ?? .zero)
            keep(picture, as: key)
            return picture
        }
        last = task
        return try await task.value
    }

    private func keep(_ picture: [UInt8], as key: String) {
        known[key] = picture
        order.append(key)
        bytes += picture.count
        while bytes > Self.mostBytes, !order.isEmpty {
            bytes -= known.removeValue(forKey: order.removeFirst())?.count ?? 0
        }
    }

    private static func make(_ path: String, at time: Duration) async throws -> [UInt8] {
        let outcome = Monitor<Result<[UInt8], any Error>?>(nil)
        let thread = WorkerThread(name: "pip-thumbnail") {
            // On Linux, the call changes the priority of this thread alone.
            _ = setpriority(.init(PRIO_PROCESS.rawValue), 0, 10)
            let made = Result { try PictureEncoder().jpeg(of: try MovieThumbnail.frame(ofFile: path, at: time)) }
            outcome.update { $0 = made }
        }
        await thread.joined()
        return try outcome.read { $0 }?.get() ?? []
    }
}
#endif
