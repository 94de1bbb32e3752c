internal import CPlatform

/// A line of a GPIO chip as an input.
package struct LineRequest: Hashable, Sendable {
    /// The pull of the line while nothing drives it.
    package enum Bias: String, Hashable, Sendable, CaseIterable {
        case up = "pull-up"
        case down = "pull-down"
        case off
    }

    /// A change of the line's state that is an event.
    package enum Edge: String, Hashable, Sendable, CaseIterable {
        /// The change from inactive to active.
        case rising
        /// The change from active to inactive.
        case falling
        case both

        /// True if a change to a state is such an edge.
        package func leads(toActive isActive: Bool) -> Bool { self == .both || (self == .rising) == isActive }
    }

    /// The name, the path or the label of the chip: `gpiochip0`, `/dev/gpiochip0`, `pinctrl-rp1`.
    package let chip: String
    /// The number of the line, from 0.
    package let number: UInt32
    package var edges: Set<Edge> = [.rising]
    /// The bias; nil leaves the line's own.
    package var bias: Bias?
    /// True if the line is active while its voltage is low.
    package var isActiveLow = false
    /// The time for which the line must be steady, by the kernel's filter; nil leaves the line's own.
    package var debounce: Duration?

    package init(chip: String, number: UInt32) { (self.chip, self.number) = (chip, number) }

    /// The request's flags for the kernel.
    var flags: UInt64 {
        var flags = GPIO_V2_LINE_FLAG_INPUT.rawValue
        if edges.contains(where: { $0.leads(toActive: true) }) { flags |= GPIO_V2_LINE_FLAG_EDGE_RISING.rawValue }
        if edges.contains(where: { $0.leads(toActive: false) }) { flags |= GPIO_V2_LINE_FLAG_EDGE_FALLING.rawValue }
        if isActiveLow { flags |= GPIO_V2_LINE_FLAG_ACTIVE_LOW.rawValue }
        switch bias {
        case .up?: flags |= GPIO_V2_LINE_FLAG_BIAS_PULL_UP.rawValue
        case .down?: flags |= GPIO_V2_LINE_FLAG_BIAS_PULL_DOWN.rawValue
        case .off?: flags |= GPIO_V2_LINE_FLAG_BIAS_DISABLED.rawValue
        case nil: break
        }
        return UInt64(flags)
    }
}
