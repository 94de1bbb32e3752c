extension [UInt8] {
    /// Calls `body` with the array's bytes, which `body` must not keep.
    package func withBytes<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
        try unsafe withUnsafeBufferPointer { elements throws(E) in
            try unsafe body(UnsafeRawBufferPointer(elements).bytes)
        }
    }
}
