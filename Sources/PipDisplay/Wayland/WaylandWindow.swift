internal import Glibc
internal import PipConcurrency
package import PipFrames

/// A window of a Wayland compositor, by its protocol.
///
/// Not by libwayland, which ends the process when it cannot send, nor by GStreamer's `waylandsink`, which notices
/// neither that its compositor is gone nor has a title.
package final class WaylandWindow: DisplaySurface {
    private let socket: DisplaySocket
    private let name: String
    private let isFullscreen: Bool
    /// The most rows and columns of a window.
    private static let most = 16384
    /// The size where the compositor leaves it to us.
    private let ownSize: PixelSize
    private var globals: [String: (name: UInt32, version: UInt32)] = [:]
    private var objects = Objects()
    private var nextIdentifier: UInt32 = 2
    /// Numbers that the compositor has given back.
    private var spareIdentifiers: [UInt32] = []
    private var buffers: WaylandBuffers?
    /// Told by the compositor, and valid with the next configuration.
    private var proposedSize: PixelSize?
    private var isConfigured = false
    /// The compositor's answer that it is time for the next picture; 0 when it has come.
    private var callback: UInt32 = 0
    package private(set) var size: PixelSize
    package private(set) var needsPicture = false

    /// Objects of the compositor, by their numbers; 0 for those that are not there.
    private struct Objects {
        let display: UInt32 = 1
        var registry: UInt32 = 0
        var synchronization: UInt32 = 0
        var compositor: UInt32 = 0
        var memory: UInt32 = 0
        var shell: UInt32 = 0
        var seat: UInt32 = 0
        var pointer: UInt32 = 0
        var surface: UInt32 = 0
        var shellSurface: UInt32 = 0
        var window: UInt32 = 0
    }

    /// Opens a window.
    ///
    /// Blocks for some milliseconds; for three seconds where a compositor does not answer.
    ///
    /// - Parameters:
    ///   - display: As `WAYLAND_DISPLAY` has it: a socket's name, or its path.
    ///   - title: The window's title.
    ///   - size: Its size, unless the compositor gives it another.
    ///   - isFullscreen: Whether it takes the whole screen, without a pointer.
    ///   - environment: Gives the value of a variable.
    /// - Throws: ``DisplayError`` when there is no such compositor, or it has no windows.
    package init(
        display: String, title: String, size: PixelSize, isFullscreen: Bool, environment: (String) -> String?
    ) throws(DisplayError) {
        name = display
        self.isFullscreen = isFullscreen
        ownSize = size
        self.size = size
        socket = try WaylandAddress(display, environment).connect()
        do throws(DisplayLoss) {
            try readGlobals()
        } catch {
            throw DisplayError("the Wayland compositor at \(display) has closed the connection")
        }
        for name in ["wl_compositor", "wl_shm", "xdg_wm_base"] where globals[name] == nil {
            throw DisplayError(
                "the Wayland compositor at \(display) has no \(name), without which there are no windows")
        }
        open(title)
        do throws(DisplayLoss) { try socket.flush() } catch {
            throw DisplayError("the Wayland compositor at \(display) takes no window")
        }
    }

    package var descriptor: Int32 { socket.descriptor }

    package var hasOutput: Bool { socket.hasOutput }

    package var isReady: Bool {
        guard isConfigured, callback == 0, !socket.hasOutput else { return false }
        return buffers?.size != size || buffers?.free != nil
    }

    private func send(_ message: WaylandMessage) { socket.send(message.bytes) }

    private func identifier() -> UInt32 {
        if let spare = spareIdentifiers.popLast() { return spare }
        defer { nextIdentifier += 1 }
        return nextIdentifier
    }

    // MARK: The beginning

    /// Asks what there is; its list ends with the answer to another question.
    private func readGlobals() throws(DisplayLoss) {
        objects.registry = identifier()
        send(WaylandMessage(objects.display, 1, [objects.registry]))
        objects.synchronization = identifier()
        send(WaylandMessage(objects.display, 0, [objects.synchronization]))
        let deadline = MonotonicClock().now.advanced(by: .seconds(3))
        let isDone = try socket.wait(until: deadline) { () throws(DisplayLoss) -> Bool? in
            try readMessages()
            return objects.synchronization == 0 ? true : nil
        }
        if isDone == nil { throw .lost("it does not answer") }
    }

    /// Makes an object of a global; 0 when there is none.
    private func bind(_ interface: String, version: UInt32) -> UInt32 {
        guard let global = globals[interface] else { return 0 }
        let object = identifier()
        send(
            WaylandMessage(objects.registry, 0, [global.name]).with(interface).with(min(version, global.version))
                .with(object))
        return object
    }

    private func open(_ title: String) {
        objects.compositor = bind("wl_compositor", version: 1)
        objects.memory = bind("wl_shm", version: 1)
        objects.shell = bind("xdg_wm_base", version: 1)
        if isFullscreen { objects.seat = bind("wl_seat", version: 1) }
        objects.surface = identifier()
        send(WaylandMessage(objects.compositor, 0, [objects.surface]))
        objects.shellSurface = identifier()
        send(WaylandMessage(objects.shell, 2, [objects.shellSurface, objects.surface]))
        objects.window = identifier()
        send(WaylandMessage(objects.shellSurface, 1, [objects.window]))
        send(WaylandMessage(objects.window, 2).with(title))
        send(WaylandMessage(objects.window, 3).with("pip-compose"))
        if isFullscreen { send(WaylandMessage(objects.window, 11, [0])) }
        // A frame with a title by the compositor, where it makes any.
        let decorations = bind("zxdg_decoration_manager_v1", version: 1)
        if decorations != 0 {
            let decoration = identifier()
            send(WaylandMessage(decorations, 1, [decoration, objects.window]))
            send(WaylandMessage(decoration, 1, [2]))
        }
        commit()
    }

    private func commit() { send(WaylandMessage(objects.surface, 6)) }

    // MARK: Events

    package func work() throws(DisplayLoss) {
        var end: DisplayLoss?
        do throws(DisplayLoss) { try socket.work() } catch { end = error }
        try readMessages()
        if case .lost(let reason) = end { throw .lost("the Wayland compositor at \(name) is gone: \(reason)") }
        // Answers are not left for the next picture.
        do throws(DisplayLoss) { try socket.flush() } catch { throw .lost("the Wayland compositor at \(name) is gone") }
    }

    private func readMessages() throws(DisplayLoss) {
        while let message = WaylandMessage(socket.received) {
            socket.take(message.length)
            try handle(message)
        }
    }

    private func handle(_ message: WaylandMessage) throws(DisplayLoss) {
        switch (message.object, message.code) {
        case (objects.display, 0):
            throw .lost("the Wayland compositor at \(name) ends the connection: \(message.text(2).text)")
        case (objects.display, 1): spareIdentifiers.append(message.number(0))
        case (objects.registry, 0):
            let (interface, version) = message.text(1)
            // Of several seats, the first.
            if globals[interface] == nil { globals[interface] = (message.number(0), version) }
        case (objects.synchronization, 0): objects.synchronization = 0
        case (objects.shell, 0): send(WaylandMessage(objects.shell, 3, [message.number(0)]))
        case (objects.seat, 0): takeSeat(capabilities: message.number(0))
        case (objects.pointer, 0):
            // No picture for the pointer.
            send(WaylandMessage(objects.pointer, 0, [message.number(0), 0, 0, 0]))
        case (objects.window, 0):
            let size = PixelSize(Int(message.number(0)), Int(message.number(1)))
            proposedSize = (1...Self.most).contains(size.width) && (1...Self.most).contains(size.height) ? size : nil
        case (objects.window, 1): throw .closed
        case (objects.shellSurface, 0): configure(message.number(0))
        case (callback, 0): callback = 0
        default:
            // Pictures tell when they are read no more.
            if message.code == 0 { buffers?.release(message.object) }
        }
    }

    private func takeSeat(capabilities: UInt32) {
        let pointer: UInt32 = 1
        guard capabilities & pointer != 0, objects.pointer == 0 else { return }
        objects.pointer = identifier()
        send(WaylandMessage(objects.seat, 0, [objects.pointer]))
    }

    private func configure(_ serial: UInt32) {
        send(WaylandMessage(objects.shellSurface, 4, [serial]))
        let size = proposedSize ?? ownSize
        // The first picture, too, is one that is missing.
        if size != self.size || !isConfigured { needsPicture = true }
        (self.size, isConfigured) = (size, true)
    }

    // MARK: Pictures

    package func show(_ paint: (UnsafeMutableRawPointer, Int) -> Void) throws(DisplayLoss) {
        if buffers?.size != size { try makeBuffers() }
        guard let buffers, let index = buffers.free else { return }
        unsafe buffers.take(index, paint)
        send(WaylandMessage(objects.surface, 1, [buffers.identifiers[index], 0, 0]))
        send(WaylandMessage(objects.surface, 2, [0, 0, UInt32(size.width), UInt32(size.height)]))
        callback = identifier()
        send(WaylandMessage(objects.surface, 3, [callback]))
        commit()
        needsPicture = false
        do throws(DisplayLoss) { try socket.flush() } catch { throw .lost("the Wayland compositor at \(name) is gone") }
    }

    private func makeBuffers() throws(DisplayLoss) {
        // What the compositor still reads stays mapped there.
        for identifier in buffers?.identifiers ?? [] { send(WaylandMessage(identifier, 0)) }
        let pool = identifier()
        let identifiers = (0..<WaylandBuffers.count).map { _ in identifier() }
        let bytes = UInt32(WaylandBuffers.count * size.area * 4)
        do {
            let made = try WaylandBuffers(size, identifiers) { descriptor in
                socket.send(WaylandMessage(objects.memory, 0, [pool, bytes]).bytes, with: descriptor)
            }
            let withoutAlpha: UInt32 = 1
            for (index, identifier) in identifiers.enumerated() {
                send(
                    WaylandMessage(
                        pool, 0,
                        [
                            identifier, UInt32(made.offset(of: index)), UInt32(size.width), UInt32(size.height),
                            UInt32(size.width * 4), withoutAlpha,
                        ]))
            }
            send(WaylandMessage(pool, 1))
            buffers = made
        } catch {
            throw .lost("there is no memory for a window of \(size): \(error)")
        }
    }
}
