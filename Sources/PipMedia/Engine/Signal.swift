#if Media
internal import CGStreamer

/// The signals of GLib's objects.
///
/// A connected function is called on the thread that emits the signal, until the object is freed.
enum Signal {
    /// Calls `body` at each emission of a signal with one argument.
    ///
    /// - Parameters:
    ///   - name: The signal's name.
    ///   - object: The object that emits the signal.
    ///   - body: Takes the argument, which is valid during the call.
    @unsafe static func on(
        _ name: String, of object: UnsafeMutableRawPointer, _ body: @escaping @Sendable (gpointer?) -> Void
    ) {
        unsafe connect(name, of: object, unsafeBitCast(callWithArgument, to: GCallback.self), body)
    }

    /// Calls `body` at each emission of a signal without arguments.
    @unsafe static func on(
        _ name: String, of object: UnsafeMutableRawPointer, _ body: @escaping @Sendable () -> Void
    ) {
        unsafe connect(name, of: object, unsafeBitCast(call, to: GCallback.self)) { _ in body() }
    }

    private static func connect(
        _ name: String, of object: UnsafeMutableRawPointer, _ callback: GCallback,
        _ body: @escaping @Sendable (gpointer?) -> Void
    ) {
        let box = unsafe Unmanaged.passRetained(Handler(body)).toOpaque()
        _ = unsafe g_signal_connect_data(object, name, callback, box, free, GConnectFlags(rawValue: 0))
    }
}

/// A box for a function that GLib calls; the connection of the signal releases the box.
@safe private final class Handler: Sendable {
    let body: @Sendable (gpointer?) -> Void
    init(_ body: @escaping @Sendable (gpointer?) -> Void) { unsafe self.body = unsafe body }
}

// Constants, because GStreamer's threads call them, and they may belong to no actor.
private let call: @convention(c) (gpointer?, gpointer?) -> Void = { _, box in
    guard let box = unsafe box else { return }
    unsafe Unmanaged<Handler>.fromOpaque(box).takeUnretainedValue().body(nil)
}

private let callWithArgument: @convention(c) (gpointer?, gpointer?, gpointer?) -> Void = { _, argument, box in
    guard let box = unsafe box else { return }
    unsafe Unmanaged<Handler>.fromOpaque(box).takeUnretainedValue().body(argument)
}

private let free: GClosureNotify = { box, _ in
    guard let box = unsafe box else { return }
    unsafe Unmanaged<Handler>.fromOpaque(box).release()
}
#endif
