/// Lets one change at a time pass, in any order.
struct Turns {
    private(set) var isTaken = false
    var waiting: [CheckedContinuation<Void, Never>] = []

    mutating func take() { isTaken = true }

    /// - Returns: The waiting tasks, which try again.
    mutating func end() -> [CheckedContinuation<Void, Never>] {
        isTaken = false
        defer { waiting = [] }
        return waiting
    }
}
