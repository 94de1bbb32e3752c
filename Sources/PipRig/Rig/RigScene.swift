/// A named arrangement of layers.
package struct RigScene: Sendable, Equatable {
    package var name: String
    /// The layers; of layers with equal `z`, a later layer covers an earlier layer.
    package var layers: [RigLayer]

    package init(_ name: String, _ layers: [RigLayer]) {
        self.name = name
        self.layers = layers
    }

    /// True for a name that a scene may have, in files and in the panel's addresses.
    ///
    /// A name has 1 to 64 Unicode scalars, no `/` and no control character, and is neither `.` nor `..`.
    package static func isName(_ name: String) -> Bool {
        (1...64).contains(name.unicodeScalars.count) && name != "." && name != ".."
            && name.unicodeScalars.allSatisfy { $0 != "/" && $0.properties.generalCategory != .control }
    }
}
