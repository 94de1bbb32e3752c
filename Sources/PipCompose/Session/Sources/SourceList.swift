internal import Synchronization

/// A camera or a stream that is lost.
package struct LostSource: Sendable {
    /// The source's node.
    package let id: NodeID
    /// The source's name, such as `/dev/video0`.
    package let name: String
}

/// All sources that a session has opened, in opening order.
///
/// The list keeps only the statistics of a closed source.
///
/// Thread: any.
final class SourceList: Sendable {
    private enum Entry {
        case open(SourceFeed)
        /// A source that was removed from the session, and is being stopped.
        case closing(SourceFeed)
        case closed(SessionStatistics.Source)

        /// The feed of a source that has not stopped yet.
        var feed: SourceFeed? {
            switch self {
            case .open(let feed), .closing(let feed): feed
            case .closed: nil
            }
        }
    }

    private let contents = Mutex<[Entry]>([])
    private let log: SourceLog

    init(_ log: SourceLog) { self.log = log }

    /// The open sources.
    var feeds: [SourceFeed] {
        contents.withLock { $0.compactMap { if case .open(let feed) = $0 { feed } else { nil } } }
    }

    /// The length of the longest finite source; nil without finite sources, and when a length is not known.
    var length: Duration? {
        var longest: Duration?
        for feed in feeds where feed.inlet.isFinite {
            guard let length = feed.inlet.length else { return nil }
            longest = max(longest ?? .zero, length)
        }
        return longest
    }

    /// The open cameras and streams that are lost at present.
    var lost: [LostSource] {
        feeds.compactMap { $0.inlet.availability == .lost ? LostSource(id: $0.id, name: $0.name) : nil }
    }

    /// The statistics of all sources, closed ones included, in opening order.
    var statistics: [SessionStatistics.Source] {
        let entries = contents.withLock { $0 }
        let reference = entries.lazy.compactMap(\.feed).first { $0.camera != nil }
        return entries.map { entry in
            switch entry {
            case .open(let feed), .closing(let feed): statistics(of: feed, beside: reference)
            case .closed(let statistics): statistics
            }
        }
    }

    private func statistics(of feed: SourceFeed, beside reference: SourceFeed?) -> SessionStatistics.Source {
        SessionStatistics.Source(feed, beside: reference, events: log.events(of: feed.id))
    }

    func append(_ feed: SourceFeed) {
        log.begin(feed.id)
        contents.withLock { $0.append(.open(feed)) }
    }

    /// Notes that a source is being stopped, which removes it from ``feeds``.
    func close(_ feed: SourceFeed) { replace(feed, by: .closing(feed)) }

    /// Keeps the statistics of a source that was stopped, and releases its feed.
    func end(_ feed: SourceFeed) {
        replace(feed, by: .closed(statistics(of: feed, beside: nil)))
        log.end(feed.id)
    }

    private func replace(_ feed: SourceFeed, by entry: Entry) {
        contents.withLock { entries in
            for index in entries.indices where entries[index].feed === feed { entries[index] = entry }
        }
    }

    /// The name that a camera's driver reports, or else the source's label; empty for a node that is not open.
    func name(of id: NodeID) -> String {
        guard let feed = self[id] else { return "" }
        return feed.camera?.device?.card ?? feed.name
    }

    subscript(id: NodeID) -> SourceFeed? { feeds.last { $0.id == id } }

    /// The loads of the buses that the open cameras use.
    func busLoads(_ cameras: CameraDirectory) -> [BusLoad] {
        cameras.busLoads(
            of: feeds.compactMap { feed in
                guard let slot = feed.camera, let device = slot.device, let format = slot.format else { return nil }
                return (device, format.mode)
            })
    }
}
