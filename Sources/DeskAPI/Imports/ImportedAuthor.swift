import DeskWeb

extension Fields {
    /// Who wrote something in the other system: by the rule of names, and without marks that turn around the
    /// text beside it.
    mutating func importedAuthor() -> String? {
        guard let name = text("author", bytes: 1...200) else { return nil }
        let turns = name.unicodeScalars.contains { scalar in
            (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
        }
        guard Self.isName(name), !turns else {
            note("author", "a line of text", "Take control and direction characters out of author.")
            return nil
        }
        return name
    }
}
