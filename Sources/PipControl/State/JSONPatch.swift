#if Control
internal import PipRig

/// Computes the difference between two JSON documents as a JSON Patch.
///
/// Source: RFC 6902, and RFC 6901 for paths.
enum JSONPatch {
    /// The operations that turn `old` into `new`; empty for equal documents.
    ///
    /// Arrays of different lengths are replaced as a whole.
    static func operations(from old: JSON, to new: JSON) -> [JSON] {
        var operations: [JSON] = []
        compare(old, new, "", &operations)
        return operations
    }

    private static func compare(_ old: JSON, _ new: JSON, _ path: String, _ operations: inout [JSON]) {
        if old == new { return }
        switch (old, new) {
        case (.object(let before), .object(let after)):
            for member in before where new[member.key] == nil {
                operations.append(.object(["op": "remove", "path": path + pointer(member.key)]))
            }
            for member in after {
                let place = path + pointer(member.key)
                if let value = before.first(where: { $0.key == member.key })?.value {
                    compare(value, member.value, place, &operations)
                } else {
                    operations.append(.object(["op": "add", "path": place, "value": member.value]))
                }
            }
        case (.array(let before), .array(let after)) where before.count == after.count:
            for index in before.indices { compare(before[index], after[index], "\(path)/\(index)", &operations) }
        default:
            operations.append(.object(["op": "replace", "path": path, "value": new]))
        }
    }

    private static func pointer(_ key: String) -> String {
        "/" + key.replacing("~", with: "~0").replacing("/", with: "~1")
    }
}
#endif
