public import DeskJSON
public import DeskModel

/// The conditions that an awaited message has to meet.
public struct ExpectedMessage: Hashable, Sendable {
    /// The condition on one value of the payload.
    public struct Place: Hashable, Sendable {
        /// The value's JSON Pointer (RFC 6901).
        public let pointer: JSONPointer
        /// The value as JSON text; nil for any value.
        public let value: [UInt8]?

        /// Puts the two together.
        public init(pointer: JSONPointer, value: [UInt8]?) {
            self.pointer = pointer
            self.value = value
        }
    }

    /// Its kind; nil for any.
    public var kind: MessageKind?
    /// The whole body of a text message, or the whole summary line of another message.
    public var text: String?
    /// Words that occur in its visible text.
    public var contained: String?
    /// An ECMA-262 pattern that its visible text matches.
    public var pattern: String?
    /// A value in its payload.
    public var place: Place?

    /// Makes an expectation that every message meets.
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

    /// The parts of a message that an expectation compares.
    public struct Candidate: Sendable {
        /// Its kind.
        public let kind: MessageKind
        /// The body of a text message; the summary line of another message.
        public let text: String
        /// Its visible text.
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

    /// The conditions that a message misses; empty when it meets all.
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

    /// Whether a text contains words, compared as bytes.
    private static func occurs(_ words: String, in text: String) -> Bool {
        words.isEmpty || Array(text.utf8).firstRange(of: Array(words.utf8)) != nil
    }

    private static func matches(_ pattern: String, _ text: String) -> Bool {
        TextPattern(anywhere(pattern))?.matches(text) == true
    }

    /// Whether a pattern can be used: it compiles and is not too long.
    public static func isPattern(_ pattern: String) -> Bool {
        TextPattern(anywhere(pattern)) != nil
    }

    /// The pattern for a whole text in which the given one occurs.
    private static func anywhere(_ pattern: String) -> String { "[\\s\\S]*(?:\(pattern))[\\s\\S]*" }
}

extension ExpectedMessage.Place {
    /// The condition that a payload misses; nil when it meets all.
    func reason(against payload: JSONValue?) -> String? {
        guard let found = payload.flatMap({ find(in: $0) }) else {
            return "there is nothing at \(pointer)"
        }
        guard let value else { return nil }
        let raw = Array(found.rawBytes)
        // Strings are compared unescaped, other values by their text without spaces.
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
        // Safe: text that is no JSON equals only the same text.
        guard let document = try? JSONDocument(parsing: bytes) else { return nil }
        return JSON(document.root).bytes()
    }
}
