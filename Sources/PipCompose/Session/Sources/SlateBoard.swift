internal import Glibc
internal import Synchronization

/// The text of a slate: the source, the trouble, and the time at which the trouble began.
package struct SlateNotice: Sendable, Equatable {
    /// The name of the camera or stream.
    package let name: String
    /// The trouble, in a few words, such as `unplugged`.
    package let trouble: String
    /// The time at which the trouble began, in seconds since 1970.
    package let since: Int

    package init(name: String, trouble: String, since: Int) {
        self.name = name
        self.trouble = trouble
        self.since = since
    }
}

/// Draws the text of slates.
package protocol SlateCaption: Sendable {
    /// Draws the text of a notice.
    ///
    /// - Parameters:
    ///   - notice: The slate's text.
    ///   - size: The slate's size. The returned picture should be smaller.
    /// - Returns: A picture whose alpha channel is the text.
    /// - Throws: ``SourceError`` when no font can be used.
    func picture(_ notice: SlateNotice, on size: PixelSize) throws(SourceError) -> Frame
}

/// The slates of a session, with the troubles of the sources that they replace.
///
/// Thread: any.
final class SlateBoard: Sendable {
    private struct State {
        var notices: [NodeID: SlateNotice] = [:]
        var pictures: [NodeID: SlatePicture] = [:]
        var hasWarned = false
    }

    private let state = Mutex(State())
    private let caption: (any SlateCaption)?
    private let warn: @Sendable (String) -> Void

    /// - Parameters:
    ///   - caption: Draws the text of slates; nil leaves the slates without text.
    ///   - warn: Called once, when drawing a text fails for the first time.
    init(caption: (any SlateCaption)?, warn: @escaping @Sendable (String) -> Void) {
        self.caption = caption
        self.warn = warn
    }

    /// Updates the text of a camera's slate after an event of the camera.
    func note(_ event: CameraEvent, of id: NodeID, name: String, now: Int = time(nil)) {
        guard let change = event.slateChange else { return }
        switch change {
        case .over: note(trouble: nil, of: id, name: name, now: now)
        case .trouble(let trouble): note(trouble: trouble, of: id, name: name, now: now)
        }
    }

    /// Sets the trouble on a source's slate, in a few words; nil when the trouble is over.
    func note(trouble: String?, of id: NodeID, name: String, now: Int = time(nil)) {
        guard caption != nil else { return }
        let picture = state.withLock { state -> SlatePicture? in
            let last = state.notices[id]
            // A trouble that follows another one keeps the time at which the first trouble began.
            state.notices[id] = trouble.map { SlateNotice(name: name, trouble: $0, since: last?.since ?? now) }
            return state.notices[id] == last ? nil : state.pictures[id]
        }
        if let picture { draw(picture, of: id) }
    }

    /// Makes the slate that is drawn instead of a source.
    func picture(for id: NodeID, size: PixelSize) -> SlatePicture {
        let picture = SlatePicture(size)
        state.withLock { $0.pictures[id] = picture }
        draw(picture, of: id)
        return picture
    }

    private func draw(_ picture: SlatePicture, of id: NodeID) {
        let notice = state.withLock { $0.notices[id] }
        var words: Frame?
        if let notice, let caption {
            do throws(SourceError) {
                words = try caption.picture(notice, on: picture.size)
            } catch {
                let isFirst = state.withLock { state in
                    defer { state.hasWarned = true }
                    return !state.hasWarned
                }
                if isFirst { warn("slates are drawn without text: \(error)") }
            }
        }
        picture.show(words)
    }
}

/// A slate whose picture changes with its text.
final class SlatePicture: LivePicture {
    let size: PixelSize
    private let shown: Mutex<Frame>

    init(_ size: PixelSize) {
        self.size = size
        shown = Mutex(Slate.frame(size))
    }

    /// Redraws the slate with another text; nil draws no text.
    func show(_ words: Frame?) {
        let sequence = shown.withLock { $0.info.sequence }
        let frame = Slate.frame(size, words: words, sequence: sequence + 1)
        shown.withLock { $0 = frame }
    }

    var description: SourceDescription {
        SourceDescription(
            name: "slate", layout: FrameLayout(.i420, size), colorimetry: .bt709, rate: FrameRate(30),
            length: .endless, isStill: true)
    }

    func start() {}
    func stop() {}

    func frame(at offset: Duration, waitingUntil deadline: Timestamp?) -> LiveFrame {
        LiveFrame(shown.withLock { $0 })
    }
}

extension CameraEvent {
    fileprivate enum SlateChange {
        case trouble(String)
        case over
    }

    /// The change that the event makes to a slate; nil for an event that changes no slate.
    fileprivate var slateChange: SlateChange? {
        switch self {
        case .started, .resumed, .reopened, .enabled: .over
        case .stalled: .trouble("no frames")
        case .disabled: .trouble("switched off")
        case .lost(let error), .waiting(let error): .trouble(error.kind.words)
        case .restarted, .reduced, .settingRefused, .settled, .controlsChanged, .covered, .uncovered, .degraded,
            .recovered, .slept, .badFrames, .timestampsEstimated:
            nil
        }
    }
}

extension CaptureError.Kind {
    /// The trouble of a camera, in a few words for a slate.
    fileprivate var words: String {
        switch self {
        case .notFound, .disconnected: "unplugged"
        case .busy: "in use by another program"
        case .notPermitted: "not permitted"
        case .noBandwidth: "no bus bandwidth left"
        case .noSignal: "no signal"
        case .ambiguous: "several cameras match"
        case .notACamera: "not a camera"
        case .hanging: "driver hangs"
        case .unsupported, .invalidSetting, .failed: "failing"
        }
    }
}
