import DeskWeb

extension Fields {
    /// Notes a finding where the name of a thing cannot be seen.
    mutating func noteBlank(_ name: String?, of thing: String) {
        guard let name, name.unicodeScalars.allSatisfy(\.properties.isWhitespace) else { return }
        note("name", "a text that can be seen", "Give the \(thing) a name.")
    }
}
