import DeskJSON

/// Single values of a payload that hold something else than their field.
extension Doctor {
    /// What was found in one value.
    struct ValueFinding {
        let kind: Defect.Kind
        let found: String
        /// The JSON that replaces the value; nil where it cannot be known.
        let replacement: [UInt8]?
        var isNote = false
        let sentence: String

        /// A finding whose repair is another text.
        init(
            _ kind: Defect.Kind, found: String, text: [UInt8], isNote: Bool = false,
            _ sentence: String
        ) {
            self.kind = kind
            self.found = found
            var replacement: [UInt8] = []
            JSONWriter.append(String(decoding: text, as: UTF8.self), to: &replacement)
            self.replacement = replacement
            self.isNote = isNote
            self.sentence = sentence
        }

        /// A finding whose repair is any value.
        init(_ kind: Defect.Kind, found: String, json: [UInt8], _ sentence: String) {
            self.kind = kind
            self.found = found
            replacement = json
            self.sentence = sentence
        }
    }

    /// Most defects of single values that are reported at once; the others follow in the next
    /// layer.
    private static let maximumFindings = 200

    /// All values that hold something else than their field; nil when there are none.
    static func values(of root: JSONValue) -> Layer? {
        var walk = ValueWalk(lines: LineIndex(root.document.bytes))
        walk.visit(root, key: "", parent: "", object: root)
        guard !walk.defects.isEmpty else { return nil }
        let text = root.document.bytes
        return Layer(
            defects: walk.defects,
            text: walk.edits.isEmpty ? nil : Edits.apply(walk.edits, to: text))
    }

    /// One way through a payload.
    private struct ValueWalk {
        var lines: LineIndex
        var defects: [Defect] = []
        var edits: [Edit] = []

        mutating func visit(_ value: JSONValue, key: String, parent: String, object: JSONValue) {
            guard defects.count < maximumFindings else { return }
            switch value.kind {
            case .object:
                // The container of an object is its member's name, or that of its array.
                for member in value.members {
                    visit(member.value, key: member.key, parent: key, object: value)
                }
            case .array:
                for element in value.elements {
                    visit(element, key: key, parent: parent, object: object)
                }
            case .string: examine(value, key, parent, object)
            case .number, .boolean, .null: break
            }
        }

        private mutating func examine(
            _ value: JSONValue, _ key: String, _ parent: String, _ object: JSONValue
        ) {
            guard let content = FieldContent.of(key, within: parent, of: object),
                let text = value.stringBytes, !text.isEmpty,
                let finding = Doctor.finding(text, content)
            else { return }
            defects.append(
                Defect(
                    kind: finding.kind, pointer: value.path,
                    place: TextPlace(value.range, in: &lines),
                    found: finding.found,
                    repaired: finding.replacement.map { String(shown: $0) },
                    isNote: finding.isNote, sentence: finding.sentence))
            guard let replacement = finding.replacement, !finding.isNote else { return }
            edits.append(
                Edit(
                    start: value.range.lowerBound, end: value.range.upperBound,
                    replacement: String(decoding: replacement, as: UTF8.self)))
        }
    }

    /// What is wrong with the text of a field.
    private static func finding(_ text: [UInt8], _ content: FieldContent) -> ValueFinding? {
        switch content {
        case .picture: picture(text)
        case .base64: opaqueBase64(text)
        case .key: fileKey(text)
        case .hex: checksum(text)
        case .url: address(text, isQuery: false)
        case .query: address(text, isQuery: true)
        case .container: packedContainer(text)
        case .ascii: foreignLetters(text)
        case .title: beyondThePlane(text)
        }
    }

    private static func packedContainer(_ text: [UInt8]) -> ValueFinding? {
        guard let root = container(text) else { return nil }
        return ValueFinding(
            .jsonInString, found: "a text with a JSON \(root.kind.rawValue) in it", json: text,
            "The value is JSON within a text: put it there as it is, without JSON.stringify.")
    }
}
