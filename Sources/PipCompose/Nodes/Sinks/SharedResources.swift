package import PipPressure
internal import Synchronization

/// A type-erased dictionary key that is sendable.
private struct SendableKey: Hashable, @unchecked Sendable {
    // The initializer takes Sendable keys only.
    private let key: AnyHashable
    init(_ key: some Hashable & Sendable) { self.key = AnyHashable(key) }
}

/// Objects that several outputs of a session share, such as an encoder.
///
/// An object lives as long as at least one output holds a reference to it.
package final class SharedResources: Sendable {
    private struct Entry: @unchecked Sendable {
        weak var object: (any AnyObject & Sendable)?
    }

    private let entries = Mutex<[SendableKey: Entry]>([:])
    private let relief = Mutex(EncodingRelief.none)

    package init() {}

    /// The reductions of bit rate and encoding effort under the present pressure.
    package var encodingRelief: EncodingRelief {
        get { relief.withLock { $0 } }
        set { relief.withLock { $0 = newValue } }
    }

    /// Returns the shared object of a key, and makes the object when no output holds it.
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
