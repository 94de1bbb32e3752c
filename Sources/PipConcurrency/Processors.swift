internal import CPlatform

/// The number of the machine's processors that this process can use.
package enum Processors {
    /// The number of processors on which the process may run, at least one.
    ///
    /// The process's affinity mask may exclude some processors.
    package static var usable: Int { max(Int(pip_usable_processors()), 1) }
}
