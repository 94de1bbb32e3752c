/// An arrangement of pictures with a name.
package struct RigScene: Sendable, Equatable {
    package var name: String
    /// Bottom first.
    package var layers: [RigLayer]

    /// A scene by its name and layers.
    package init(_ name: String, _ layers: [RigLayer]) {
        self.name = name
        self.layers = layers
    }

    /// True for a name that a scene may have, in files and in addresses.
    ///
    /// It has 1 to 64 characters (Unicode scalars), no `/` and none that controls, and is neither `.` nor `..`.
    package static func isName(_ name: String) -> Bool {
        (1...64).contains(name.unicodeScalars.count) && name != "." && name != ".."
            && name.unicodeScalars.allSatisfy { $0 != "/" && $0.properties.generalCategory != .control }
    }
}
