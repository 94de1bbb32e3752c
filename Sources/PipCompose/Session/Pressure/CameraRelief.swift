/// Applies the relief in force to the cameras, and remembers the settings that they return to.
///
/// Thread: the session's controller only.
final class CameraRelief {
    private let retryInterval: Duration
    private let clock: MonotonicClock
    private let journal: SessionJournal
    /// The time of the next attempt for cameras that could not be switched on or off, keyed by node.
    private var pauses: [NodeID: Timestamp] = [:]
    /// The size limits last applied to cameras whose modes exceed them, keyed by node.
    private var sizeLimits: [NodeID: PixelSize] = [:]
    /// The settings to which the cameras in `sizeLimits` return without the limit, keyed by node.
    private var configuredWishes: [NodeID: CameraWish] = [:]

    init(_ options: SessionOptions, _ journal: SessionJournal) {
        retryInterval = options.pressure.cameraRetryInterval
        clock = options.time
        self.journal = journal
    }

    /// True when a camera that could not be switched on or off is due for another attempt.
    func isRetryDue(at now: Timestamp) -> Bool { pauses.values.contains { now >= $0 } }

    /// Applies a limit to a camera.
    ///
    /// A camera whose mode is already within the size limit keeps its mode.
    ///
    /// - Parameters:
    ///   - limit: The camera's highest rate and size, and whether it must be off.
    ///   - camera: The camera.
    ///   - id: The camera's node.
    ///   - isEnabled: True when the camera is on without any relief.
    func apply(_ limit: CameraLimit, to camera: CameraSlot, _ id: NodeID, isEnabled: Bool) async {
        camera.pace = limit.rate?.interval
        await setEnabled(isEnabled && !limit.isSwitchedOff, camera, id)
        await limitSize(limit.size, camera, id)
    }

    /// Records new settings of a camera that were applied within a limit.
    func note(_ wish: CameraWish, of id: NodeID, within limit: CameraLimit) {
        let isLimited = limit.applied(to: wish).size != wish.size
        sizeLimits[id] = isLimited ? limit.size : nil
        configuredWishes[id] = isLimited ? wish : nil
    }

    /// The settings that a camera returns to without its limit; nil when no limit has changed them.
    func configuredWish(of id: NodeID) -> CameraWish? { configuredWishes[id] }

    /// Switches a camera on or off, unless the camera is in that state already.
    ///
    /// A failure is reported once, and another attempt follows after `retryInterval`.
    private func setEnabled(_ isEnabled: Bool, _ camera: CameraSlot, _ id: NodeID) async {
        guard isEnabled != camera.setup.isEnabled else {
            pauses[id] = nil
            return
        }
        let now = clock.now
        if let pause = pauses[id], now < pause { return }
        do throws(CaptureError) {
            if isEnabled { try await camera.enable() } else { try await camera.disable() }
            pauses[id] = nil
        } catch {
            if pauses[id] == nil { journal.yield(.cameraLimitRefused(error)) }
            pauses[id] = now.advanced(by: retryInterval)
        }
    }

    /// Sets a streaming camera to the mode nearest to a size, or back to the configured mode.
    ///
    /// A camera that refuses the change keeps its mode, and does not get the same request again.
    private func limitSize(_ limit: PixelSize?, _ camera: CameraSlot, _ id: NodeID) async {
        guard limit != sizeLimits[id], camera.state == .streaming else { return }
        let configured = configuredWishes[id] ?? camera.wish
        if let limit, sizeLimits[id] == nil, let format = camera.format, format.mode.size.area <= limit.area { return }
        sizeLimits[id] = limit
        configuredWishes[id] = limit == nil ? nil : configured
        do throws(CaptureError) {
            try await camera.change(to: configured.limited(to: limit))
        } catch {
            journal.yield(.cameraLimitRefused(error))
        }
    }
}

/// The limits of a camera's rate and size while a relief is in force.
struct CameraLimit {
    /// The most frames a second; nil has no limit.
    var rate: FrameRate?
    /// The largest size; nil has no limit.
    var size: PixelSize?
    var isSwitchedOff = false

    /// Returns a camera's setup with the size limit applied, and switched off if the limit demands it.
    func applied(to setup: CameraSetup) -> CameraSetup {
        var setup = setup
        setup.wish = applied(to: setup.wish)
        setup.isEnabled = setup.isEnabled && !isSwitchedOff
        return setup
    }

    func applied(to wish: CameraWish) -> CameraWish { wish.limited(to: size) }
}

extension CameraWish {
    /// Returns the same settings with a size no larger than `limit`; a limit of nil leaves the settings unchanged.
    fileprivate func limited(to limit: PixelSize?) -> CameraWish {
        guard let limit, expectedSize.map({ $0.area > limit.area }) ?? true else { return self }
        var wish = self
        wish.size = limit
        return wish
    }
}
