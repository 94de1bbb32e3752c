#if Media
internal import CGStreamer
internal import Glibc
internal import PipFrames

/// A call on a message bus that failed.
struct MessageBusError: Error {
    /// The error's name on the bus, as in `org.freedesktop.DBus.Error.ServiceUnknown`; nil where the call came to
    /// nobody.
    let name: String?
    let message: String

    /// There is no bus to call on.
    static let noBus = MessageBusError(
        name: "org.freedesktop.DBus.Error.ServiceUnknown", message: "there is no session bus")

    private init(name: String?, message: String) { (self.name, self.message) = (name, message) }

    /// Takes GLib's error.
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

    /// True when nobody has the name that was called, or who has it lacks the interface.
    var isAbsence: Bool {
        guard let name else { return false }
        return name.hasPrefix("org.freedesktop.DBus.Error.Spawn.")
            || ["ServiceUnknown", "NameHasNoOwner", "UnknownMethod", "UnknownInterface", "UnknownObject"].contains {
                name == "org.freedesktop.DBus.Error.\($0)"
            }
    }
}

/// What came back of a call on a message bus.
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

    /// The first value, a text or a path.
    var text: String? {
        unsafe withFirst { value in
            let isText =
                unsafe g_variant_classify(value) == G_VARIANT_CLASS_OBJECT_PATH
                || g_variant_classify(value) == G_VARIANT_CLASS_STRING
            return isText ? unsafe String(cString: g_variant_get_string(value, nil)) : nil
        }
    }

    /// The first value, a truth within a variant.
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

    /// The first value, a file descriptor: a new one for each time that it is asked for, which the caller closes.
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

/// A connection of our own to a message bus, D-Bus, by GLib.
///
/// Belongs to one thread at a time.
@safe final class MessageBus {
    /// What is given to a method.
    enum Arguments {
        case none
        /// A portal's options: the last part of the path at which the answer will come, or none.
        case options(token: String?)
        /// A property of an interface.
        case property(String, of: String)

        /// GLib's form, which a call takes over.
        fileprivate var tuple: OpaquePointer? {
            switch self {
            case .none: nil
            case .options(let token): unsafe pip_portal_options(token)
            case .property(let name, let interface): unsafe pip_property_name(interface, name)
            }
        }
    }

    private let connection: OpaquePointer

    /// The address of the session's bus; nil where there is none.
    ///
    /// None is started: the bus that `dbus-launch` would start has no portal.
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

    /// Connects to the bus at an address.
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

    /// The connection's own name on the bus: `:1.42`.
    var uniqueName: String {
        unsafe g_dbus_connection_get_unique_name(connection).map { unsafe String(cString: $0) } ?? ""
    }

    /// Calls a method and waits for what it returns.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - interface: Its interface.
    ///   - path: The object.
    ///   - name: Who has the object.
    ///   - arguments: The method's arguments.
    ///   - starts: Whether who has the name is started where nobody has.
    ///   - patience: How long to wait.
    /// - Returns: What the method returns.
    /// - Throws: ``MessageBusError`` when it fails, or returns nothing in time.
    func call(
        _ method: String, of interface: String, at path: String, of name: String, _ arguments: Arguments = .none,
        starts: Bool = true, patience: Duration = .seconds(20)
    ) throws(MessageBusError) -> MessageReply {
        var error: UnsafeMutablePointer<GError>?
        var descriptors: UnsafeMutablePointer<GUnixFDList>?
        let flags = starts ? G_DBUS_CALL_FLAGS_NONE : G_DBUS_CALL_FLAGS_NO_AUTO_START
        let values = unsafe g_dbus_connection_call_with_unix_fd_list_sync(
            connection, name, path, interface, method, arguments.tuple, nil, flags,
            gint(clamping: patience.nanoseconds / 1_000_000), nil, &descriptors, nil, &error)
        guard let values = unsafe values else { throw unsafe MessageBusError(error) }
        return unsafe MessageReply(values, descriptors)
    }

    /// Begins to listen to a signal.
    ///
    /// - Parameters:
    ///   - signal: The signal.
    ///   - interface: Its interface.
    ///   - path: The object that sends it.
    ///   - name: Who has the object.
    /// - Returns: What listens.
    func subscribe(to signal: String, of interface: String, at path: String, of name: String) -> SignalSubscription {
        unsafe SignalSubscription(connection, signal, interface, path, name)
    }
}

/// Listens to a signal of an object on a message bus, until it is let go of.
///
/// Belongs to one thread.
@safe final class SignalSubscription {
    /// The last signal's first value.
    private final class Received {
        var number: UInt32?
    }

    private let connection: OpaquePointer
    private let context: OpaquePointer
    private let identifier: guint
    private let received = Received()

    fileprivate init(
        _ connection: OpaquePointer, _ signal: String, _ interface: String, _ path: String, _ name: String
    ) {
        unsafe self.connection = unsafe OpaquePointer(g_object_ref(UnsafeMutableRawPointer(connection)))
        // Signals go to the context that was the thread's when they were subscribed to: one of our own, so that no loop
        // of the app's is needed.
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
        // Its context, which alone would call the function above, runs only in `number`.
        unsafe g_dbus_connection_signal_unsubscribe(connection, identifier)
        unsafe g_main_context_unref(context)
        unsafe g_object_unref(UnsafeMutableRawPointer(connection))
    }

    /// The number that came with the signal; nil before it has come.
    var number: UInt32? {
        while unsafe g_main_context_iteration(context, 0) != 0 {}
        return received.number
    }
}
#endif
