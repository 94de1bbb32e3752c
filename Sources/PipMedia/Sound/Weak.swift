#if Media
/// An object that is not kept.
struct Weak<Object: AnyObject & Sendable>: @unchecked Sendable {
    // Only the runtime changes it, when the object goes.
    private(set) weak var object: Object?

    init(_ object: Object) { self.object = object }
}
#endif
