#if Media
internal import CGStreamer
internal import Glibc
internal import PipFrames

/// The failure of a call on a message bus.
struct MessageBusError: Error {
    /// The D-Bus name of an error that the bus or the service returned, such as
    /// `org.freedesktop.DBus.Error.ServiceUnknown`.
    ///
    /// Nil for an error of GLib itself, such as a timeout or a closed connection.
    let name: String?
    let message: String

    /// The error of a call without a session bus.
    static let noBus = MessageBusError(
        name: "org.freedesktop.DBus.Error.ServiceUnknown", message: "there is no session bus")

    private init(name: String?, message: String) { (self.name, self.message) = (name, message) }

    /// Takes over an error from GLib, and frees it.
    init(_ error: UnsafeMutablePointer<GError>?) {
        guard let error = unsafe error else {
            (name, message) = (nil, "no reason was given")
            return
        }
        let remote = unsafe g_dbus_error_get_remote_error(error)
        name = unsafe remote.map { unsafe String(cString: $0) }
        unsafe g_free(remote)
        unsafe g_dbus_error_strip_remote_error(error)
        message = unsafe String(cString: error.pointee.message)
        unsafe g_error_free(error)
    }

    /// True when there is no session bus, when the called service neither runs nor can be started, or when the service
    /// lacks the called object or method.
    var isAbsence: Bool {
        guard let name else { return false }
        return name.hasPrefix("org.freedesktop.DBus.Error.Spawn.")
            || ["ServiceUnknown", "NameHasNoOwner", "UnknownMethod", "UnknownInterface", "UnknownObject"].contains {
                name == "org.freedesktop.DBus.Error.\($0)"
            }
    }
}

/// The values that a method call on a message bus returned.
@safe final class MessageReply {
    private let values: OpaquePointer
    private let descriptors: UnsafeMutablePointer<GUnixFDList>?

    fileprivate init(_ values: OpaquePointer, _ descriptors: UnsafeMutablePointer<GUnixFDList>?) {
        unsafe self.values = values
        unsafe self.descriptors = descriptors
    }

    deinit {
        unsafe g_variant_unref(values)
        if let descriptors = unsafe descriptors { unsafe g_object_unref(descriptors) }
    }

    /// The first value as text; nil unless the value is a string or an object path.
    var text: String? {
        unsafe withFirst { value in
            let isText =
                unsafe g_variant_classify(value) == G_VARIANT_CLASS_OBJECT_PATH
                || g_variant_classify(value) == G_VARIANT_CLASS_STRING
            return isText ? unsafe String(cString: g_variant_get_string(value, nil)) : nil
        }
    }

    /// The first value as a Boolean, if the value is a variant that holds one; nil for any other type.
    var truth: Bool? {
        unsafe withFirst { value in
            guard unsafe g_variant_classify(value) == G_VARIANT_CLASS_VARIANT,
                let inner = unsafe g_variant_get_variant(value)
            else { return nil }
            defer { unsafe g_variant_unref(inner) }
            guard unsafe g_variant_classify(inner) == G_VARIANT_CLASS_BOOLEAN else { return nil }
            return unsafe g_variant_get_boolean(inner) != 0
        }
    }

    /// A duplicate of the first value's file descriptor; nil when the value is not a file descriptor or cannot be
    /// duplicated.
    ///
    /// The caller must close the duplicate.
    var descriptor: Int32? {
        unsafe withFirst { value in
            guard unsafe g_variant_classify(value) == G_VARIANT_CLASS_HANDLE, let descriptors = unsafe descriptors
            else { return nil }
            let found = unsafe g_unix_fd_list_get(descriptors, g_variant_get_handle(value), nil)
            return found >= 0 ? found : nil
        }
    }

    private func withFirst<R>(_ body: (OpaquePointer) -> R?) -> R? {
        guard unsafe g_variant_n_children(values) > 0, let value = unsafe g_variant_get_child_value(values, 0) else {
            return nil
        }
        defer { unsafe g_variant_unref(value) }
        return unsafe body(value)
    }
}

/// A private connection to a message bus (D-Bus), through GLib.
///
/// Thread: one thread at a time.
@safe final class MessageBus {
    /// The arguments of a method call.
    enum Arguments {
        case none
        /// The options of a portal request. The token becomes the last part of the request's path, at which the answer
        /// arrives.
        case options(token: String?)
        /// The names of a property and of its interface, for a call that reads the property.
        case property(String, of: String)

        /// The arguments as a GLib tuple, which the method call consumes.
        fileprivate var tuple: OpaquePointer? {
            switch self {
            case .none: nil
            case .options(let token): unsafe pip_portal_options(token)
            case .property(let name, let interface): unsafe pip_property_name(interface, name)
            }
        }
    }

    private let connection: OpaquePointer

    /// The address of the session bus, from the environment; nil when the environment names none, and the user's folder
    /// `XDG_RUNTIME_DIR` has no socket `bus`.
    ///
    /// Reading this property does not start a bus: the bus that `dbus-launch` would start has no portal.
    static var sessionAddress: String? {
        func variable(_ name: String) -> String? {
            unsafe getenv(name).flatMap { unsafe $0.pointee == 0 ? nil : String(cString: $0) }
        }
        if let address = variable("DBUS_SESSION_BUS_ADDRESS") { return address }
        guard let folder = variable("XDG_RUNTIME_DIR"), unsafe access("\(folder)/bus", F_OK) == 0 else { return nil }
        guard let escaped = unsafe g_dbus_address_escape_value("\(folder)/bus") else { return nil }
        defer { unsafe g_free(escaped) }
        return unsafe "unix:path=\(String(cString: escaped))"
    }

    /// Connects to the message bus at an address, such as `unix:path=/run/user/1000/bus`.
    init(address: String) throws(MessageBusError) {
        var error: UnsafeMutablePointer<GError>?
        let flags = GDBusConnectionFlags(
            rawValue: G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
                | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue)
        let made = unsafe g_dbus_connection_new_for_address_sync(address, flags, nil, nil, &error)
        guard let made = unsafe made else { throw unsafe MessageBusError(error) }
        unsafe connection = unsafe made
    }

    deinit { unsafe g_object_unref(UnsafeMutableRawPointer(connection)) }

    /// The connection's unique name on the bus, such as `:1.42`.
    var uniqueName: String {
        unsafe g_dbus_connection_get_unique_name(connection).map { unsafe String(cString: $0) } ?? ""
    }

    /// Calls a method and waits for its reply.
    ///
    /// - Parameters:
    ///   - method: The method's name.
    ///   - interface: The method's interface.
    ///   - path: The object's path.
    ///   - name: The bus name of the service that owns the object.
    ///   - arguments: The method's arguments.
    ///   - starts: True to start a service that is not running.
    ///   - timeout: The longest wait for the reply.
    /// - Returns: The reply's values.
    /// - Throws: ``MessageBusError`` when the call fails, or when no reply comes in time.
    func call(
        _ method: String, of interface: String, at path: String, of name: String, _ arguments: Arguments = .none,
        starts: Bool = true, timeout: Duration = .seconds(20)
    ) throws(MessageBusError) -> MessageReply {
        var error: UnsafeMutablePointer<GError>?
        var descriptors: UnsafeMutablePointer<GUnixFDList>?
        let flags = starts ? G_DBUS_CALL_FLAGS_NONE : G_DBUS_CALL_FLAGS_NO_AUTO_START
        let values = unsafe g_dbus_connection_call_with_unix_fd_list_sync(
            connection, name, path, interface, method, arguments.tuple, nil, flags,
            gint(clamping: timeout.nanoseconds / 1_000_000), nil, &descriptors, nil, &error)
        guard let values = unsafe values else { throw unsafe MessageBusError(error) }
        return unsafe MessageReply(values, descriptors)
    }

    /// Subscribes to a signal.
    ///
    /// - Parameters:
    ///   - signal: The signal's name.
    ///   - interface: The signal's interface.
    ///   - path: The path of the object that sends the signal.
    ///   - name: The bus name of the service that owns the object.
    /// - Returns: The subscription, which ends when it is released.
    func subscribe(to signal: String, of interface: String, at path: String, of name: String) -> SignalSubscription {
        unsafe SignalSubscription(connection, signal: signal, of: interface, at: path, from: name)
    }
}

/// A subscription to a signal of an object on a message bus.
///
/// Releasing the subscription ends it. Thread: one thread, which creates, reads and releases the subscription.
@safe final class SignalSubscription {
    /// Holds the number that the latest signal carried; nil before the first signal.
    private final class Received {
        var number: UInt32?
    }

    private let connection: OpaquePointer
    private let context: OpaquePointer
    private let identifier: guint
    private let received = Received()

    fileprivate init(
        _ connection: OpaquePointer, signal: String, of interface: String, at path: String, from name: String
    ) {
        unsafe self.connection = unsafe OpaquePointer(g_object_ref(UnsafeMutableRawPointer(connection)))
        // GLib delivers signals to the main context that was the thread's default at the time of the subscription. With
        // its own context, the subscription needs no main loop in the app.
        unsafe context = unsafe g_main_context_new()
        unsafe g_main_context_push_thread_default(context)
        defer { unsafe g_main_context_pop_thread_default(context) }
        identifier = unsafe g_dbus_connection_signal_subscribe(
            connection, name, interface, signal, path, nil, G_DBUS_SIGNAL_FLAGS_NONE,
            { _, _, _, _, _, values, received in
                guard let values = unsafe values, let received = unsafe received,
                    unsafe g_variant_n_children(values) > 0, let value = unsafe g_variant_get_child_value(values, 0)
                else { return }
                defer { unsafe g_variant_unref(value) }
                guard unsafe g_variant_classify(value) == G_VARIANT_CLASS_UINT32 else { return }
                let number = unsafe g_variant_get_uint32(value)
                unsafe Unmanaged<Received>.fromOpaque(received).takeUnretainedValue().number = number
            }, Unmanaged.passUnretained(received).toOpaque(), nil)
    }

    deinit {
        // Only `number` runs the context, and only the context calls the signal's function: no call can come after this
        // point.
        unsafe g_dbus_connection_signal_unsubscribe(connection, identifier)
        unsafe g_main_context_unref(context)
        unsafe g_object_unref(UnsafeMutableRawPointer(connection))
    }

    /// The number that the latest signal carried; nil before the first signal.
    ///
    /// Reading this property first receives the signals that have arrived.
    var number: UInt32? {
        while unsafe g_main_context_iteration(context, 0) != 0 {}
        return received.number
    }
}
#endif
