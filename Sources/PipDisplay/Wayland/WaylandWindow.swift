internal import Glibc
internal import PipConcurrency
package import PipFrames

/// A window of a Wayland compositor.
package final class WaylandWindow: DisplaySurface {
    private typealias Request = WaylandRequest

    private let socket: DisplaySocket
    /// The size of the window when the compositor proposes none.
    private let preferredSize: PixelSize
    /// The largest width or height, in pixels, that the window accepts from the compositor.
    private static let sizeLimit = 16384
    /// The compositor's global objects, keyed by interface.
    private var globals: [String: (name: UInt32, version: UInt32)] = [:]
    private var objects = Objects()
    private var nextIdentifier: UInt32 = 2
    /// The identifiers of deleted objects, which can be used again.
    private var spareIdentifiers: [UInt32] = []
    private var buffers: WaylandBuffers?
    /// The size that the compositor has proposed, which takes effect with its next configure event; nil for none.
    private var proposedSize: PixelSize?
    private var isConfigured = false
    /// The identifier of the callback that announces when to draw the next picture; 0 when a picture may be drawn.
    private var frameCallback: UInt32 = 0
    package private(set) var size: PixelSize
    package private(set) var needsPicture = false

    /// The identifiers of the window's protocol objects; 0 for objects that do not exist.
    private struct Objects {
        let display: UInt32 = 1
        var registry: UInt32 = 0
        /// The callback that announces the end of the list of global objects.
        var listEnd: UInt32 = 0
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
    /// Blocks for some milliseconds, or for three seconds when the compositor does not answer.
    ///
    /// - Parameters:
    ///   - opening: The window's title and properties.
    ///   - display: The compositor's socket in the form of `WAYLAND_DISPLAY`: a name, or a path.
    ///   - size: The window's size, unless the compositor chooses another.
    /// - Throws: ``DisplayError`` when no compositor listens or answers, or the compositor does not support windows.
    package init(_ opening: WindowOpening, on display: String, _ size: PixelSize) throws(DisplayError) {
        preferredSize = size
        self.size = size
        socket = try WaylandAddress.connect(to: display, opening.environment)
        do throws(DisplayLoss) { try readGlobals() } catch {
            throw DisplayError(error, of: socket.server)
        }
        for name in ["wl_compositor", "wl_shm", "xdg_wm_base"] where globals[name] == nil {
            throw DisplayError("\(socket.server) does not support \(name), which windows need")
        }
        open(opening)
        do throws(DisplayLoss) { try socket.flush() } catch {
            throw DisplayError(error, of: socket.server)
        }
    }

    package var descriptor: Int32 { socket.descriptor }

    package var hasOutput: Bool { socket.hasOutput }

    package var isReady: Bool {
        guard isConfigured, frameCallback == 0, !socket.hasOutput else { return false }
        return buffers?.size != size || buffers?.free != nil
    }

    private func send(_ message: WaylandMessage) { socket.send(message.bytes[...]) }

    private func identifier() -> UInt32 {
        if let spare = spareIdentifiers.popLast() { return spare }
        defer { nextIdentifier += 1 }
        return nextIdentifier
    }

    /// Creates an object with a request whose first argument is the identifier of the new object.
    private func create(by object: UInt32, _ request: Int, _ numbers: UInt32...) -> UInt32 {
        let identifier = identifier()
        send(WaylandMessage(object, request, [identifier] + numbers))
        return identifier
    }

    // MARK: Opening the window

    /// Requests the list of global objects and then a sync, and waits for the sync's answer, which ends the list.
    private func readGlobals() throws(DisplayLoss) {
        objects.registry = create(by: objects.display, Request.Display.getRegistry)
        objects.listEnd = create(by: objects.display, Request.Display.sync)
        let isRead = try socket.wait(for: .seconds(3)) { () throws(DisplayLoss) -> Bool? in
            try takeMessages()
            return objects.listEnd == 0 ? true : nil
        }
        if isRead == nil { throw .lost("\(socket.server) does not answer") }
    }

    /// Binds an interface, and returns the object's identifier; 0 when the compositor does not have the interface.
    private func bind(_ interface: String) -> UInt32 {
        guard let global = globals[interface] else { return 0 }
        let object = identifier()
        let version = min(1, global.version)
        send(
            WaylandMessage(objects.registry, Request.Registry.bind, [global.name]).with(interface).with(version)
                .with(object))
        return object
    }

    private func open(_ opening: WindowOpening) {
        objects.compositor = bind("wl_compositor")
        objects.memory = bind("wl_shm")
        objects.shell = bind("xdg_wm_base")
        if opening.isFullscreen { objects.seat = bind("wl_seat") }
        objects.surface = create(by: objects.compositor, Request.Compositor.createSurface)
        objects.shellSurface = create(by: objects.shell, Request.Shell.getShellSurface, objects.surface)
        objects.window = create(by: objects.shellSurface, Request.ShellSurface.getWindow)
        send(WaylandMessage(objects.window, Request.Window.setTitle).with(opening.title))
        send(WaylandMessage(objects.window, Request.Window.setApplication).with("pip-compose"))
        if opening.isFullscreen { send(WaylandMessage(objects.window, Request.Window.setFullscreen, [0])) }
        let decorations = bind("zxdg_decoration_manager_v1")
        if decorations != 0 {
            let decoration = create(by: decorations, Request.DecorationManager.getDecoration, objects.window)
            let byCompositor: UInt32 = 2
            send(WaylandMessage(decoration, Request.Decoration.setMode, [byCompositor]))
        }
        commit()
    }

    private func commit() { send(WaylandMessage(objects.surface, Request.Surface.commit)) }

    // MARK: Events

    package func work() throws(DisplayLoss) {
        try socket.exchange { () throws(DisplayLoss) in try takeMessages() }
    }

    private func takeMessages() throws(DisplayLoss) {
        while let message = WaylandMessage(socket.received) {
            socket.take(message.length)
            try handle(message)
        }
    }

    private func handle(_ message: WaylandMessage) throws(DisplayLoss) {
        switch (message.object, message.code) {
        case (objects.display, 0): throw .lost("\(socket.server) ends the connection: \(message.text(2).text)")
        case (objects.display, 1): spareIdentifiers.append(message.number(0))
        case (objects.registry, 0):
            let (interface, version) = message.text(1)
            // The first of several globals with the same interface counts, such as the first seat.
            if globals[interface] == nil { globals[interface] = (message.number(0), version) }
        case (objects.listEnd, 0): objects.listEnd = 0
        case (objects.shell, 0): send(WaylandMessage(objects.shell, Request.Shell.pong, [message.number(0)]))
        case (objects.seat, 0): takeSeat(capabilities: message.number(0))
        case (objects.pointer, 0):
            // The pointer has entered the window. Without a cursor image, the pointer is invisible in the window.
            send(WaylandMessage(objects.pointer, Request.Pointer.setCursor, [message.number(0), 0, 0, 0]))
        case (objects.window, 0):
            let size = PixelSize(Int(message.number(0)), Int(message.number(1)))
            let limits = 1...Self.sizeLimit
            proposedSize = limits.contains(size.width) && limits.contains(size.height) ? size : nil
        case (objects.window, 1): throw .closed
        case (objects.shellSurface, 0): configure(message.number(0))
        case (frameCallback, 0): frameCallback = 0
        case (let object, 0): buffers?.release(object)
        default: break
        }
    }

    private func takeSeat(capabilities: UInt32) {
        let pointer: UInt32 = 1
        guard capabilities & pointer != 0, objects.pointer == 0 else { return }
        objects.pointer = create(by: objects.seat, Request.Seat.getPointer)
    }

    private func configure(_ serial: UInt32) {
        send(WaylandMessage(objects.shellSurface, Request.ShellSurface.acknowledge, [serial]))
        let size = proposedSize ?? preferredSize
        if size != self.size || !isConfigured { needsPicture = true }
        (self.size, isConfigured) = (size, true)
    }

    // MARK: Pictures

    package func show(_ paint: (UnsafeMutableRawPointer, Int) -> Void) throws(DisplayLoss) {
        if buffers?.size != size { try makeBuffers() }
        guard let buffers, let index = buffers.free else { return }
        unsafe buffers.take(index, paint)
        let surface = objects.surface
        send(WaylandMessage(surface, Request.Surface.attach, [buffers.identifiers[index], 0, 0]))
        send(WaylandMessage(surface, Request.Surface.damage, [0, 0, UInt32(size.width), UInt32(size.height)]))
        frameCallback = create(by: surface, Request.Surface.frame)
        commit()
        needsPicture = false
        try socket.flush()
    }

    private func makeBuffers() throws(DisplayLoss) {
        // The old buffers may be destroyed, because the compositor keeps their memory mapped while it reads a picture.
        for identifier in buffers?.identifiers ?? [] { send(WaylandMessage(identifier, Request.Buffer.destroy)) }
        let pool = identifier()
        let identifiers = (0..<WaylandBuffers.count).map { _ in identifier() }
        do {
            let made = try WaylandBuffers(size, identifiers) { descriptor in
                let numbers = [pool, UInt32(WaylandBuffers.byteCount(of: size))]
                let message = WaylandMessage(objects.memory, Request.Memory.createPool, numbers)
                socket.send(message.bytes[...], with: descriptor)
            }
            let (width, height, withoutAlpha) = (UInt32(size.width), UInt32(size.height), UInt32(1))
            for (index, identifier) in identifiers.enumerated() {
                let place = UInt32(made.offset(of: index))
                let numbers = [identifier, place, width, height, 4 * width, withoutAlpha]
                send(WaylandMessage(pool, Request.Pool.createBuffer, numbers))
            }
            send(WaylandMessage(pool, Request.Pool.destroy))
            buffers = made
        } catch {
            throw .lost("the memory for a window of \(size) cannot be allocated: \(error)")
        }
    }
}
