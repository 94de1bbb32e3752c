#if Media
/// A weak reference to an object, as a value.
struct Weak<Object: AnyObject & Sendable>: @unchecked Sendable {
    // Nothing writes the reference after `init`; the runtime clears it when the object is freed, and does so
    // atomically.
    private(set) weak var object: Object?

    init(_ object: Object) { self.object = object }
}
#endif
