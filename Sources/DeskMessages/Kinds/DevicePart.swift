/// How much of a value the customer's device gets.
indirect enum DevicePart: Sendable {
    /// All of it, byte for byte.
    case whole
    /// The members that are named, each as said; no other.
    case only([String: DevicePart])
    /// All members, those that are named as said.
    case all([String: DevicePart])
    /// Each element of a list, as said.
    case each(DevicePart)

    /// The named members whole, and no other.
    static func named(_ names: String...) -> DevicePart {
        .only(Dictionary(uniqueKeysWithValues: names.map { ($0, .whole) }))
    }
}
