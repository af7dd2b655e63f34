import DeskBytes
import DeskJSON
import DeskMessages
import DeskModel
import DeskStore
import DeskWeb

/// How the widget of a business looks, in which pages it may be, and whom it greets.
struct WidgetSettings {
    /// Most origins of a business; one more is answered with 422.
    static let mostOrigins = 20
    /// Most greetings of a business; one more is answered with 422.
    static let mostGreetings = 10
    /// Longest label of the launcher, greeting and pattern of a path in bytes of UTF-8.
    static let labelBytes = 60
    static let greetingBytes = 600
    static let patternBytes = 200
    /// Longest time on a page in seconds before it greets.
    static let mostSeconds = 3_600

    /// Where the launcher is.
    enum Position: String, CaseIterable {
        case right
        case left
    }

    /// Words for a customer who has been on a page for a while.
    struct Greeting {
        /// Which paths of the shop: `*` stands for any text.
        var path = "*"
        var seconds = 0
        var texts: [Language: String] = [:]
    }

    var isOn = false
    /// The origins of the pages that it may be in, as browsers write them.
    var origins: [String] = []
    var position = Position.right
    /// `#rrggbb`; nil for the colour of the business.
    var colour: String?
    var labels: [Language: String] = [:]
    var greetings: [Greeting] = []

    /// A widget that is in no page.
    init() {}

    /// Reads a request's body, or what was stored.
    ///
    /// - Throws: `invalid` with the place of each fault.
    init(_ value: JSONValue) throws(Problem) {
        var fields = try Fields(value)
        isOn = fields.requireValue("isOn").flatMap { _ in fields.claim("isOn") } ?? false
        for element in fields.requireElements("origins", count: 0...Self.mostOrigins) ?? [] {
            guard let origin = element.string.flatMap(WidgetOrigin.read) else {
                fields.note(
                    .value, element, "an origin: https://host or https://host:port, without a path",
                    "Write what the address line of the page has before the path; http only for "
                        + "localhost.")
                continue
            }
            if !origins.contains(origin) { origins.append(origin) }
        }
        if let launcher = fields.value("launcher"), !launcher.isNull {
            var parts = try Fields(launcher)
            position = parts.word("position", Position.self) ?? .right
            if let text = parts.text("colour", bytes: 7...7) {
                if Self.isColour(text) {
                    colour = text
                } else {
                    parts.note("colour", "#rrggbb, or null", "Write six hexadecimal digits.")
                }
            }
            if let stated = parts.value("labels"), !stated.isNull {
                labels = try Self.texts(stated, bytes: Self.labelBytes)
            }
            try parts.finish()
        }
        for element in fields.requireElements("greetings", count: 0...Self.mostGreetings) ?? [] {
            greetings.append(try Self.greeting(element))
        }
        try fields.finish()
    }

    /// Reads what was stored; what this program cannot read is in no page.
    init(stored: StoredWidget?) {
        guard let bytes = stored?.settings, let value = JSONValue.parsed(bytes),
            let read = try? WidgetSettings(value)  // Safe: what cannot be read is off.
        else { return }
        self = read
    }

    private static func greeting(_ value: JSONValue) throws(Problem) -> Greeting {
        var parts = try Fields(value)
        var greeting = Greeting()
        greeting.path = parts.requireText("path", bytes: 1...Self.patternBytes) ?? "*"
        if let first = greeting.path.utf8.first, first != UInt8(ascii: "/"),
            first != UInt8(ascii: "*")
        {
            parts.note("path", "a path that begins with / or *", "Write /pricing or /shop/*.")
        }
        _ = parts.requireValue("seconds")
        greeting.seconds = parts.number("seconds", 0...Self.mostSeconds) ?? 0
        if let stated = parts.requireValue("texts") {
            greeting.texts = try Self.texts(stated, bytes: Self.greetingBytes)
            if greeting.texts.isEmpty {
                parts.note("texts", "a text in one language at least", "Add en or ja.")
            }
        }
        try parts.finish()
        return greeting
    }

    private static func texts(
        _ value: JSONValue, bytes: Int
    ) throws(Problem) -> [Language: String] {
        var parts = try Fields(value)
        var texts: [Language: String] = [:]
        for language in Language.allCases {
            guard let text = parts.text(language.rawValue, bytes: 1...bytes) else { continue }
            if text.unicodeScalars.allSatisfy(\.properties.isWhitespace) {
                parts.note(language.rawValue, "a text that can be seen, or null", "Send null.")
            } else {
                texts[language] = text
            }
        }
        try parts.finish()
        return texts
    }

    private static func isColour(_ text: String) -> Bool {
        text.utf8.first == UInt8(ascii: "#") && Hex.decode(String(text.dropFirst())) != nil
    }

    /// What the launcher is called.
    func label(in language: Language) -> String {
        if let text = labels[language] { return text }
        switch language {
        case .english: return "Chat with us"
        case .japanese: return "チャットで相談"
        }
    }

    /// The text of a greeting in a language, else in another that it has.
    static func text(of greeting: Greeting, in language: Language) -> String {
        greeting.texts[language]
            ?? Language.allCases.lazy.compactMap { greeting.texts[$0] }.first ?? ""
    }

    /// The JSON that is stored.
    var json: [UInt8] { JSONWriter.object { write(to: &$0) } }

    /// Writes its members.
    func write(to text: inout JSONWriter) {
        text.member("isOn", isOn)
        text.member("origins") { text in
            text.array { text in for origin in origins { text.string(origin) } }
        }
        text.member("launcher") { text in
            text.object { text in
                text.member("position", position.rawValue)
                text.member("colour", colour)
                text.member("labels") { Self.write(labels, to: &$0) }
            }
        }
        text.member("greetings") { text in
            text.array { text in
                for greeting in greetings {
                    text.object { text in
                        text.member("path", greeting.path)
                        text.member("seconds", greeting.seconds)
                        text.member("texts") { Self.write(greeting.texts, to: &$0) }
                    }
                }
            }
        }
    }

    private static func write(_ texts: [Language: String], to text: inout JSONWriter) {
        text.object { text in
            for language in Language.allCases {
                guard let value = texts[language] else { continue }
                text.key(text: language.rawValue)
                text.string(value)
            }
        }
    }
}

/// The origin of a page, as the field `Origin` and `frame-ancestors` write it.
enum WidgetOrigin {
    /// Longest origin in bytes.
    static let maximumBytes = 262

    /// Reads `https://host[:port]`, in lower case and without the port that the scheme has by itself.
    ///
    /// Nil for all else; plain http is for this machine's own pages.
    static func read(_ text: String) -> String? {
        guard text.utf8.count <= maximumBytes, let url = PublicURL(text),
            url.isSecure || url.isLoopback, !url.host.contains("_"),
            url.host.utf8.first != UInt8(ascii: "."), url.host.utf8.last != UInt8(ascii: ".")
        else { return nil }
        var origin = url.origin
        // An address of IPv6 ends with a bracket, so that no end of it is a port.
        for end in [url.isSecure ? ":443" : ":80", ":"] where origin.hasSuffix(end) {
            origin.removeLast(end.utf8.count)
            break
        }
        return origin
    }
}

extension Services {
    /// The widget of a business, as it is stored.
    func storedWidget(of business: BusinessID) async throws(Problem) -> StoredWidget {
        try await asking { store throws(StoreError) in
            try await store.widget(of: business) ?? StoredWidget()
        }
    }
}
