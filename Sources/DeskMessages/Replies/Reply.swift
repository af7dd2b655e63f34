import DeskBytes
import DeskJSON
public import DeskModel

/// The outside of an answer: who writes to whom, and in which language.
public struct ReplyEnvelope: Hashable, Sendable {
    /// The answer's own id.
    public var id: String
    /// The customer.
    public var sourceID: String
    /// The business.
    public var destinationID: String
    /// The customer's locale, such as `ja_JP`; it also picks the words of the answer.
    public var locale: String?
    /// What the address that the customer came by says the customer is about.
    public var intent: String?
    /// Whom that address says the customer is for.
    public var group: String?
    /// The session to name where the request named none.
    public var newSession: String

    /// Puts the parts together.
    public init(
        id: String, sourceID: String, destinationID: String, locale: String?, newSession: String
    ) {
        self.id = id
        self.sourceID = sourceID
        self.destinationID = destinationID
        self.locale = locale
        self.newSession = newSession
    }

    /// The language the answer's own words are in.
    var language: Language { Language(locale: locale) }
}

/// A customer's answer in the protocol's shape, built from what was asked and what was picked.
public struct Reply: Sendable {
    /// Most bytes of what is answered, where an answer copies parts of it once for each choice.
    public static let maximumBytes = 4_194_304

    /// The inbound message, ready to be stored and sent on.
    public let payload: [UInt8]
    /// What it is.
    public let kind: MessageKind
    /// What was picked, as one line in the customer's language.
    public let summary: String

    /// Builds the answer to a stored outbound payload.
    ///
    /// Pictures, items and slots are copied as text, byte for byte. `now` decides which slots have
    /// passed; without it none has.
    /// - Throws: `wrongKind`, `notOffered`, `past`, `tooMany` or `badChoice`; then nothing was built.
    public static func make(
        to request: [UInt8], choice: Choice, envelope: ReplyEnvelope, now: Timestamp? = nil
    ) throws(ReplyError) -> Reply {
        guard let root = JSONValue.parsed(request), let interactive = root["interactiveData"] else {
            throw ReplyError(.wrongKind, "the message asks nothing")
        }
        let request = Request(
            interactive: interactive, envelope: envelope, destination: root["destinationId"])
        switch choice {
        case .picked(let kind, let identifiers):
            guard let picking = kind.model.picking else {
                throw ReplyError(.wrongKind, "nothing is picked of a \(kind.rawValue)")
            }
            return try picking.reply(to: request, picking: identifiers, now: now)
        case .payment(let outcome, let status, let method, let contact, _, _):
            return try request.answerPayment(
                outcome, status: status, shippingMethod: method, shippingContact: contact)
        case .app(let url): return try request.answerApp(url)
        case .invitation(let identifier): return try request.answerInvitation(identifier)
        case .form(let answers): return try request.answerForm(answers, now: now)
        case .signIn(let signIn): return try request.answerSignIn(signIn)
        }
    }
}

/// A request that is being answered.
struct Request {
    let interactive: JSONValue
    let envelope: ReplyEnvelope
    /// To whom the request went: a customer, or the number of an invitation.
    let destination: JSONValue?

    var data: JSONValue? { interactive[stated: "data"] }
    var language: Language { envelope.language }

    /// The feature asked about, or a refusal when the message asks something else.
    func require(_ name: String, _ oldName: String? = nil) throws(ReplyError) -> JSONValue {
        if let feature = data?[stated: name] { return feature }
        if let oldName, let feature = data?[stated: oldName] { return feature }
        throw ReplyError(.wrongKind, "the message holds no \(name)")
    }

    /// The title of the bubble that the request asked for: that of its answer, or its own.
    var askedTitle: String {
        let asked = interactive["replyMessage"]?["title"]?.string
        return asked ?? interactive["receivedMessage"]?["title"]?.string ?? ""
    }

    /// Writes the answer of a built-in feature around the feature's own part; without a bubble the
    /// answer has no `replyMessage`.
    func reply(
        _ kind: MessageKind, bubble: ReplyBubble?, feature: StaticString,
        _ part: (inout JSONWriter) -> Void
    ) -> Reply {
        let payload = wrap { text in
            text.key("data")
            text.object { text in
                text.key("version")
                text.string(data?["version"]?.string ?? data?["mspVersion"]?.string ?? "1.0")
                text.member("requestIdentifier", copying: data?["requestIdentifier"])
                text.member("images", copying: data?["images"])
                text.member("receivedMessage", copying: interactive["receivedMessage"])
                if let bubble { write(bubble, to: &text) }
                text.key(feature)
                part(&text)
            }
        }
        return finished(payload, kind)
    }

    /// Puts a payload together with its line for lists.
    func finished(_ payload: [UInt8], _ kind: MessageKind) -> Reply {
        let summary = Summary.text(of: payload, direction: .inbound, language: language)
        return Reply(payload: payload, kind: kind, summary: summary)
    }

    /// Writes the envelope and the members of interactiveData that every answer has.
    func wrap(_ content: (inout JSONWriter) -> Void) -> [UInt8] {
        var text = JSONWriter()
        text.object { text in
            text.key("v")
            text.integer(1)
            text.member("id", envelope.id)
            text.member("type", "interactive")
            text.member("sourceId", envelope.sourceID)
            text.member("destinationId", envelope.destinationID)
            if let locale = envelope.locale { text.member("locale", locale) }
            if let intent = envelope.intent { text.member("intent", intent) }
            if let group = envelope.group { text.member("group", group) }
            text.key("interactiveData")
            text.object { text in
                text.member("bid", copying: interactive["bid"])
                if let session = interactive["sessionIdentifier"]?.string {
                    text.member("sessionIdentifier", session)
                } else {
                    text.member("sessionIdentifier", envelope.newSession)
                }
                content(&text)
            }
        }
        return text.bytes
    }

    private func write(_ bubble: ReplyBubble, to text: inout JSONWriter) {
        let asked = bubble.isRequests ? bubbleOfRequest : interactive[stated: "replyMessage"]
        text.key("replyMessage")
        text.object { text in
            text.member("title", bubble.title.prefixOfScalars(512))
            text.member("alternateTitle", (bubble.spoken ?? bubble.title).prefixOfScalars(512))
            if let subtitle = bubble.subtitle {
                text.member("subtitle", subtitle)
            } else {
                text.member("subtitle", copying: asked?["subtitle"])
            }
            if let style = bubble.style {
                text.member("style", style)
            } else {
                text.member("style", copying: asked?["style"])
            }
            text.member("imageIdentifier", copying: bubble.picture ?? asked?["imageIdentifier"])
        }
    }

    private var bubbleOfRequest: JSONValue? {
        interactive[stated: "replyMessage"] ?? interactive["receivedMessage"]
    }
}

/// The bubble that an answer becomes; what it does not say is as the request's `replyMessage` has it.
struct ReplyBubble {
    let title: String
    /// What is read out; nil for the title.
    var spoken: String?
    var picture: JSONValue?
    var subtitle: String?
    var style: String?
    /// Whether the request's own bubble is used where it asked for none.
    var isRequests = false
}
