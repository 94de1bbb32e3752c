/// Makes tasks take turns, so that one change is made at a time; the waiting tasks' order is not kept.
struct Turns {
    private(set) var isTaken = false
    var waiting: [CheckedContinuation<Void, Never>] = []

    mutating func take() { isTaken = true }

    /// - Returns: The waiting tasks, which the caller must resume. Each task then tries again.
    mutating func end() -> [CheckedContinuation<Void, Never>] {
        isTaken = false
        defer { waiting = [] }
        return waiting
    }
}
