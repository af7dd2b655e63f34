import DeskHTTP
import DeskJSON
import DeskMessages
import DeskModel

/// What an upstream posted, read as far as its envelope goes (protocol page 2.1).
struct UpstreamInbound {
    /// The parts of an interactive message by which a copy is recognised: its session and its
    /// content.
    struct Interactive: Hashable {
        let session: String
        let content: [UInt8]

        /// Reads a payload; nil when it is not interactive or names no session.
        init?(_ payload: [UInt8]) {
            // Safe: what cannot be read is no copy of anything.
            guard let root = try? JSONDocument(parsing: payload).root else { return nil }
            self.init(root)
        }

        init?(_ root: JSONValue) {
            guard let data = root["interactiveData"],
                let session = data["sessionIdentifier"]?.string
            else { return nil }
            self.session = session
            content = Array(data.rawBytes)
        }
    }

    let id: MessageID
    let kind: PayloadKind
    let customer: Customer
    let posted: [UInt8]
    let root: JSONValue
    /// Protocol fields that are kept, and whether the text is a tapback.
    let kept: [HeaderField]
    /// Everything that was found, as a JSON array's text; a customer's words are not refused for it.
    let warnings: [UInt8]
    let interactive: Interactive?

    /// Reads a judged body.
    ///
    /// - Throws: 400 for what is no JSON, no message or has no envelope.
    init(
        _ judgement: Judgement, _ posted: [UInt8], fields: HeaderFields
    ) throws(GatewayRefusal) {
        if let fault = judgement.fault {
            throw GatewayRefusal(.badRequest, "the body is no JSON: \(fault.sentence)")
        }
        guard let root = judgement.document?.root,
            let kind = judgement.payload ?? Self.unknownAnswer(root)
        else {
            throw GatewayRefusal(
                .badRequest, judgement.errors.first?.sentence ?? "the body is no message")
        }
        guard let text = judgement.stated.messageID, UniqueID(text) != nil,
            let id = MessageID(text)
        else { throw GatewayRefusal(.badRequest, "id is no UUID") }
        if let field = fields["id"], !field.utf8.elementsEqual(text.utf8) {
            throw GatewayRefusal(.badRequest, "the header id and the member id differ")
        }
        guard let name = judgement.stated.sourceID, let source = CustomerID(name) else {
            throw GatewayRefusal(.badRequest, "sourceId is no customer: urn:mbid: and base64")
        }
        if let wrong = judgement.errors.first(where: { $0.pointer == "/destinationId" }) {
            throw GatewayRefusal(.notFound, "destinationId is not this business: \(wrong.sentence)")
        }
        self.id = id
        self.kind = kind
        self.root = root
        self.posted = posted
        warnings = judgement.findingsText
        interactive = Interactive(root)
        // The old name is sent empty since the new one is there (protocol page 1.3).
        let list =
            fields["capability-list"] ?? fields["capabilities"].flatMap { $0.isEmpty ? nil : $0 }
        customer = Customer(
            id: source,
            locale: Self.kept(judgement.stated.locale, upTo: Customer.maximumLocaleBytes),
            capabilities: list.map { CapabilityList(header: $0).words },
            intent: Self.kept(judgement.stated.intent, upTo: Customer.maximumWordBytes),
            group: Self.kept(judgement.stated.group, upTo: Customer.maximumWordBytes))
        var kept: [HeaderField] = []
        if let list { kept.append(HeaderField(name: "capability-list", value: list)) }
        if let agent = fields["device-agent"] {
            kept.append(HeaderField(name: "device-agent", value: agent))
        }
        if kind == .message(.text), let body = root["body"]?.string,
            let tapback = Tapback(text: body)
        {
            kept.append(HeaderField(name: Tapback.headerName, value: tapback.rawValue))
        }
        self.kept = kept
    }

    /// An interactive message with content of a kind that is not known here: refused, it would be lost.
    private static func unknownAnswer(_ root: JSONValue) -> PayloadKind? {
        guard root["type"]?.equals("interactive") == true,
            root["interactiveData"]?.kind == .object
        else { return nil }
        return .message(.interactive)
    }

    /// What a customer is known by, unless it is too long: it stands in every event of the conversation.
    private static func kept(_ text: String?, upTo most: Int) -> String? {
        text.flatMap { $0.utf8.count <= most ? $0 : nil }
    }

    /// A known customer with the new facts of the message.
    func described(_ known: Customer) -> Customer {
        var described = known
        described.locale = customer.locale ?? known.locale
        described.capabilities = customer.capabilities ?? known.capabilities
        described.intent = customer.intent ?? known.intent
        described.group = customer.group ?? known.group
        return described
    }
}
