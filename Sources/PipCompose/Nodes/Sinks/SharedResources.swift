package import PipPressure
internal import Synchronization

/// A key of any type.
private struct SendableKey: Hashable, @unchecked Sendable {
    // Only made from what is Sendable.
    private let key: AnyHashable
    init(_ key: some Hashable & Sendable) { self.key = AnyHashable(key) }
}

/// What several outputs of a session use, such as an encoder: it lives as long as one of them holds it.
package final class SharedResources: Sendable {
    private struct Entry: @unchecked Sendable {
        weak var object: (any AnyObject & Sendable)?
    }

    private let entries = Mutex<[SendableKey: Entry]>([:])
    private let relief = Mutex(EncodingRelief.none)

    /// What the governor gives up of recordings and streams.
    package var encodingRelief: EncodingRelief {
        get { relief.withLock { $0 } }
        set { relief.withLock { $0 = newValue } }
    }

    /// The object of a key, which is made where nobody holds one.
    package func object<Object: AnyObject & Sendable, E: Error>(
        for key: some Hashable & Sendable, make: () throws(E) -> Object
    ) throws(E) -> Object {
        let key = SendableKey(key)
        if let known = entries.withLock({ $0[key]?.object }) as? Object { return known }
        let object = try make()
        entries.withLock { entries in
            entries = entries.filter { $0.value.object != nil }
            entries[key] = Entry(object: object)
        }
        return object
    }
}
