internal import CPixels
package import PipPlan

/// A set of processor instructions for which the loops over pixels are compiled.
package enum InstructionSet: String, Sendable, CaseIterable {
    case scalar = "scalar"
    case sse2 = "SSE2"
    case avx2 = "AVX2"
    case avx512 = "AVX-512"
    case neon = "NEON"

    /// The instruction set of the loops that this process runs.
    package static var current: InstructionSet {
        switch RowSet.best.set {
        case PipSSE2: .sse2
        case PipAVX2: .avx2
        case PipAVX512: .avx512
        case PipNEON: .neon
        default: .scalar
        }
    }
}

extension RowCapabilities {
    /// The CPU renderer's capabilities: the effects and tables for which this build has CPU code.
    package static let available: RowCapabilities = {
        var capabilities = RowCapabilities()
        var count: Int32 = 0
        guard let effects = unsafe pip_effects(pip_instruction_set(), &count) else { return capabilities }
        for index in 0..<Int(count) { unsafe capabilities.effects.insert(effects[index].identity) }
        capabilities.effects.formUnion(TableMakers.byIdentity.keys)
        return capabilities
    }()
}
