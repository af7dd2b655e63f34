/// Small records in one text column of a row, each field with its name:
/// `{name=5:a.png,bytes=3:123,}{...}`; exact for any bytes and readable in a shell.
///
/// A field that is absent is left out, and a name that the reader does not know is passed over, so that
/// a later program may add fields without a change to earlier rows. Earlier programs wrote fields
/// without names, a fixed number for each record: `5:a.png,-,3:123,`. Such texts are read too.
package enum RowFields {
    /// One record: its fields by their names.
    package struct Record: Sendable {
        private var fields: [(name: String, value: String)] = []

        /// A record without fields.
        package init() {}

        /// The field of a name of letters and `_`; nil when it is absent.
        package subscript(name: StaticString) -> String? {
            get { fields.first { $0.name.utf8.elementsEqual(name.description.utf8) }?.value }
            set {
                let text = name.description
                fields.removeAll { $0.name.utf8.elementsEqual(text.utf8) }
                if let newValue { fields.append((text, newValue)) }
            }
        }

        fileprivate mutating func add(_ name: String, _ value: String) {
            fields.append((name, value))
        }

        fileprivate func write(to text: inout String) {
            text += "{"
            for (name, value) in fields { text += "\(name)=\(value.utf8.count):\(value)," }
            text += "}"
        }
    }

    /// Writes records one after the other.
    package static func write(_ records: [Record]) -> String {
        var text = ""
        for record in records { record.write(to: &text) }
        return text
    }

    /// Reads records; nil when the text is none that a program wrote.
    ///
    /// `unnamed` are the names, in their order, of the fields that earlier programs wrote without.
    package static func read(_ text: String, unnamed: [String]) -> [Record]? {
        var rest = Scanner(bytes: Array(text.utf8))
        return rest.isAt("{") ? rest.records() : rest.unnamedRecords(unnamed)
    }
}

/// Reads through a text of fields.
private struct Scanner {
    let bytes: [UInt8]
    private var place = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    func isAt(_ character: Unicode.Scalar) -> Bool {
        place < bytes.count && bytes[place] == UInt8(ascii: character)
    }

    mutating func records() -> [RowFields.Record]? {
        var records: [RowFields.Record] = []
        while place < bytes.count {
            guard skip("{") else { return nil }
            var record = RowFields.Record()
            while !skip("}") {
                guard let name = name(), let value = value() else { return nil }
                record.add(name, value)
            }
            records.append(record)
        }
        return records
    }

    mutating func unnamedRecords(_ names: [String]) -> [RowFields.Record]? {
        // A record without fields would be read for ever.
        guard !names.isEmpty else { return bytes.isEmpty ? [] : nil }
        var records: [RowFields.Record] = []
        while place < bytes.count {
            var record = RowFields.Record()
            for name in names {
                if skip("-") {
                    guard skip(",") else { return nil }
                } else {
                    guard let value = value() else { return nil }
                    record.add(name, value)
                }
            }
            records.append(record)
        }
        return records
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard isAt(character) else { return false }
        place += 1
        return true
    }

    private mutating func name() -> String? {
        let start = place
        while place < bytes.count, (0x61...0x7A).contains(bytes[place]) || isAt("_") { place += 1 }
        let name = bytes[start..<place]
        guard !name.isEmpty, skip("=") else { return nil }
        return String(decoding: name, as: UTF8.self)
    }

    /// A length, a colon, as many bytes and a comma.
    private mutating func value() -> String? {
        var count = 0
        let digits = place
        while place < bytes.count, (0x30...0x39).contains(bytes[place]), place - digits < 9 {
            count = count * 10 + Int(bytes[place] - 0x30)
            place += 1
        }
        guard place > digits, skip(":"), count < bytes.count - place else { return nil }
        let field = bytes[place..<(place + count)]
        place += count
        guard skip(",") else { return nil }
        return String(validating: field, as: UTF8.self)
    }
}
