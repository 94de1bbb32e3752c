/// A named arrangement of pictures.
package struct RigScene: Sendable, Equatable {
    package var name: String
    /// The layers, bottom first.
    package var layers: [RigLayer]

    /// A scene with layers.
    package init(_ name: String, _ layers: [RigLayer]) {
        self.name = name
        self.layers = layers
    }

    /// True for a valid name of a scene, in files and in addresses.
    ///
    /// A valid name has 1 to 64 characters (Unicode scalars), no `/` and no control character, and is neither `.` nor
    /// `..`.
    package static func isName(_ name: String) -> Bool {
        (1...64).contains(name.unicodeScalars.count) && name != "." && name != ".."
            && name.unicodeScalars.allSatisfy { $0 != "/" && $0.properties.generalCategory != .control }
    }
}
