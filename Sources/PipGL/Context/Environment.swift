internal import Glibc

/// The process's environment.
package enum Environment {
    /// A variable's value; nil when it is not set.
    package static func value(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }

    /// Sets how many threads Mesa's software rasteriser starts, unless the user has set `LP_NUM_THREADS`.
    ///
    /// Mesa reads the variable once, when the first context of the process is made. Call this at the beginning of
    /// `main`, before another thread runs, because the environment is not safe to change later. A GPU ignores it.
    ///
    /// On two cores, plain picture-in-picture is cheapest with 0 threads (the render thread draws by itself), because
    /// its draws are so small that waking threads costs more.
    package static func configureSoftwareRenderer(threads: Int) {
        unsafe setenv("LP_NUM_THREADS", "\(threads)", 0)
    }
}
