#if Media
/// A weak reference.
struct Weak<Object: AnyObject & Sendable>: @unchecked Sendable {
    // Only the runtime changes the reference, when the object is freed.
    private(set) weak var object: Object?

    init(_ object: Object) { self.object = object }
}
#endif
