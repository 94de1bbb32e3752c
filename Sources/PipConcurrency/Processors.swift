internal import CPlatform

/// The machine's processors.
package enum Processors {
    /// The number of processors that the process may run on, at least one.
    ///
    /// Its affinity may exclude some.
    package static var usable: Int { max(Int(pip_usable_processors()), 1) }
}
