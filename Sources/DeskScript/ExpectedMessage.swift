public import DeskJSON
public import DeskModel

/// What a message that somebody waits for has to be.
public struct ExpectedMessage: Hashable, Sendable {
    /// What one value in the payload has to be.
    public struct Place: Hashable, Sendable {
        /// Where, after RFC 6901.
        public let pointer: JSONPointer
        /// The value as JSON text; nil when anything will do.
        public let value: [UInt8]?

        /// Puts the two together.
        public init(pointer: JSONPointer, value: [UInt8]?) {
            self.pointer = pointer
            self.value = value
        }
    }

    /// Its kind; nil for any.
    public var kind: MessageKind?
    /// The whole text of a text, or the whole line that sums up another message.
    public var text: String?
    /// Words that people read somewhere in it.
    public var contained: String?
    /// A pattern of ECMA-262 that occurs in what people read.
    public var pattern: String?
    /// A value in its payload.
    public var place: Place?

    /// An expectation that every message meets, to be narrowed.
    public init(
        kind: MessageKind? = nil, text: String? = nil, contained: String? = nil,
        pattern: String? = nil, place: Place? = nil
    ) {
        self.kind = kind
        self.text = text
        self.contained = contained
        self.pattern = pattern
        self.place = place
    }

    /// What a message shows of itself to whoever judges it.
    public struct Candidate: Sendable {
        /// Its kind.
        public let kind: MessageKind
        /// The body of a text; of another message the line that sums it up.
        public let text: String
        /// All that people read of it.
        public let readable: String
        /// Its payload; nil when it is no JSON.
        public let payload: JSONValue?

        /// Puts a candidate together.
        public init(kind: MessageKind, text: String, readable: String, payload: JSONValue?) {
            self.kind = kind
            self.text = text
            self.readable = readable
            self.payload = payload
        }
    }

    /// Why a message is not the one; empty when it is.
    public func reasons(against message: Candidate) -> [String] {
        var reasons: [String] = []
        if let kind, kind != message.kind {
            reasons.append("its kind is \(message.kind.rawValue), not \(kind.rawValue)")
        }
        if let text, !text.utf8.elementsEqual(message.text.utf8) {
            reasons.append("its text is \(shown(message.text)), not \(shown(text))")
        }
        if let contained, !Self.occurs(contained, in: message.readable) {
            reasons.append("\(shown(contained)) is not in \(shown(message.readable))")
        }
        if let pattern, !Self.matches(pattern, message.readable) {
            reasons.append("/\(pattern)/ does not match \(shown(message.readable))")
        }
        if let place, let reason = place.reason(against: message.payload) {
            reasons.append(reason)
        }
        return reasons
    }

    private func shown(_ text: String) -> String { Quoted.text(text) }

    /// Whether words stand in a text, compared as bytes.
    private static func occurs(_ words: String, in text: String) -> Bool {
        words.isEmpty || Array(text.utf8).firstRange(of: Array(words.utf8)) != nil
    }

    private static func matches(_ pattern: String, _ text: String) -> Bool {
        TextPattern(anywhere(pattern))?.matches(text) == true
    }

    /// Whether a pattern can be used: it compiles, within the size that is read.
    public static func isPattern(_ pattern: String) -> Bool {
        TextPattern(anywhere(pattern)) != nil
    }

    /// The pattern for a whole text in which the given one occurs.
    private static func anywhere(_ pattern: String) -> String { "[\\s\\S]*(?:\(pattern))[\\s\\S]*" }
}

extension ExpectedMessage.Place {
    /// Why a payload is not the one; nil when it is.
    func reason(against payload: JSONValue?) -> String? {
        guard let found = payload.flatMap({ find(in: $0) }) else {
            return "there is nothing at \(pointer)"
        }
        guard let value else { return nil }
        let raw = Array(found.rawBytes)
        // Texts are compared by what they say, other values by their text without spaces.
        if raw == value || Self.canonical(raw) == Self.canonical(value) { return nil }
        let shown = Quoted.cut(String(decoding: raw, as: UTF8.self))
        return "at \(pointer) is \(shown), not \(String(decoding: value, as: UTF8.self))"
    }

    private func find(in root: JSONValue) -> JSONValue? {
        var value: JSONValue? = root
        for step in pointer.tokens {
            guard let here = value else { return nil }
            switch here.kind {
            case .object: value = here[step]
            case .array:
                value = Int(step).flatMap { place in
                    place >= 0 && place < here.count ? here[place] : nil
                }
            case .string, .number, .boolean, .null: value = nil
            }
        }
        return value
    }

    private static func canonical(_ bytes: [UInt8]) -> [UInt8]? {
        // Safe: what is no JSON is equal to nothing but itself.
        guard let document = try? JSONDocument(parsing: bytes) else { return nil }
        return JSON(document.root).bytes()
    }
}

/// Texts as they are shown in a sentence: in quotes, on one line, cut.
public enum Quoted {
    /// Most characters that are shown.
    private static let maximumScalars = 120

    /// The text in quotes.
    public static func text(_ text: String) -> String { "\"\(cut(text))\"" }

    /// The text on one line.
    public static func cut(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for (place, scalar) in text.unicodeScalars.enumerated() {
            guard place < maximumScalars else {
                scalars.append("\u{2026}")
                break
            }
            let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
            scalars.append(isControl ? " " : scalar)
        }
        return String(scalars)
    }
}
