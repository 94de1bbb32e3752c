internal import Glibc

/// Access to the process's environment variables.
package enum Environment {
    /// Reads a variable; nil when the variable is not set.
    package static func value(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }

    /// Sets the number of threads that Mesa's software renderer starts, unless the user has set `LP_NUM_THREADS`.
    ///
    /// Call this function at the beginning of `main`, before another thread runs, because the environment is not safe
    /// to change later. Mesa reads the variable once, when the process makes its first context. GPUs' drivers ignore
    /// the variable.
    ///
    /// On two cores, plain picture-in-picture is fastest with 0 threads (the render thread draws): the draws are so
    /// small that waking threads costs more.
    package static func configureSoftwareRenderer(threads: Int) {
        unsafe setenv("LP_NUM_THREADS", "\(threads)", 0)
    }
}
