/// The part of a device that a program reads: keys, a line, an accelerometer, lines of text, or messages.
package enum InputRequest: Hashable, Sendable {
    case keys(KeyRequest)
    case line(LineRequest)
    /// An accelerometer by its name, or a part of its name; nil for the machine's first one.
    case acceleration(sensor: String?)
    case text(LinesRequest)
    case messages(CANRequest)

    /// One request for all that two requests read.
    ///
    /// A device may have one reader only: a second one gets no events of a device that the first has taken for itself,
    /// and no line that the first has requested.
    ///
    /// - Returns: The request; nil when the requests are for different devices, or contradict each other.
    package func merged(with other: InputRequest) -> InputRequest? {
        switch (self, other) {
        case (.keys(var request), .keys(let other)) where request.device == other.device:
            request.keys.formUnion(other.keys)
            request.isExclusive = request.isExclusive || other.isExclusive
            return .keys(request)
        case (.line(var request), .line(let other)):
            request.edges.formUnion(other.edges)
            var same = other
            same.edges = request.edges
            return request == same ? .line(request) : nil
        case (.acceleration, .acceleration), (.text, .text), (.messages, .messages): return self == other ? self : nil
        default: return nil
        }
    }
}

/// A change of a device.
package enum InputReading: Hashable, Sendable {
    case pressed(KeyCode)
    /// The line's new state: true for active.
    case edge(isActive: Bool)
    /// The acceleration without gravity. Units: g.
    case acceleration(SIMD3<Double>)
    /// A line of text without its end.
    case text(String)
    /// The messages of a CAN bus that have come since the last reading, in their order; at least one.
    case messages([CANMessage])
}

/// The reason why a device cannot be read at present, as a sentence.
package struct InputProblem: Error, Hashable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
