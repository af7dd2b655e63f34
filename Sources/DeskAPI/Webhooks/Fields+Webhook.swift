import DeskBytes
import DeskDelivery
import DeskHTTP
import DeskJSON
import DeskModel
import DeskWeb

extension Fields {
    /// Reads what members choose of an endpoint; what is absent stays as it is.
    ///
    /// Values of headers stay at the origin that they were entered for: a request for another one states them
    /// anew, or that there are none.
    ///
    /// - Parameter labels: those of the business: an endpoint that waits for another one would receive nothing.
    /// - Throws: `invalid` when the filter or a field has an unknown member.
    mutating func readWebhook(
        into webhook: inout Webhook, for mode: Mode, labels: [Label]
    ) throws(Problem) {
        let former = webhook.url
        if value("url") != nil, let url = webhookURL(for: mode) { webhook.url = url }
        if let text = text("description", bytes: 0...Webhook.maximumDescriptionBytes) {
            webhook.description = text
        }
        if let types = eventTypes() { webhook.types = types }
        try readFilter(into: &webhook, labels)
        if let payload = word("payload", Webhook.Payload.self) { webhook.payload = payload }
        if let order = word("order", Webhook.Order.self) { webhook.order = order }
        if let most = number("concurrency", 1...Webhook.mostAttemptsAtOnce) {
            webhook.concurrency = most
        }
        let keepsHeaders = value("headers").map(\.isNull) ?? true
        if let headers = try webhookHeaders() { webhook.headers = headers }
        if keepsHeaders, !webhook.headers.isEmpty, webhook.url != former,
            !LinkAddress.haveSameOrigin(webhook.url, former)
        {
            note(
                "url",
                "an address with the scheme, host and port of the former one, since the values of the "
                    + "stored headers are not sent to another place",
                "Send headers too: with their values to keep them, or an empty list to drop them.")
        }
    }

    /// Words of a list without repeats; nil when the member is absent or wrong, which is a finding.
    mutating func words<Word: RawRepresentable & CaseIterable & Hashable>(
        _ name: String, _: Word.Type
    ) -> Set<Word>? where Word.RawValue == String {
        let words = Word.allCases
        guard let value = value(name), !value.isNull,
            let elements = requireElements(name, count: 0...words.count)
        else { return nil }
        var found: Set<Word> = []
        for element in elements {
            if let word = words.first(where: { element.equals($0.rawValue) }) {
                found.insert(word)
            } else {
                let list = words.map(\.rawValue).joined(separator: ", ")
                note(.value, element, "one of \(list)", "Send one of these words.")
            }
        }
        return found
    }

    private mutating func webhookURL(for mode: Mode) -> String? {
        guard let text = requireText("url", bytes: 1...Webhook.maximumURLBytes) else { return nil }
        // The rules of a link's address hold for what stands before a query.
        let end = text.firstIndex(of: "?") ?? text.endIndex
        let isQuery = text[end...].utf8.allSatisfy {
            ASCII.isAlphanumeric($0) || "/-._~%!$&'()*+,;=:@?".utf8.contains($0)
        }
        if isQuery, LinkAddress(String(text[..<end]), for: mode) != nil { return text }
        note(
            "url",
            "an http:// or https:// address without user name and fragment, up to "
                + "\(Webhook.maximumURLBytes) bytes; plain http only for a test business, or to "
                + "a loopback or private host",
            "Give the address that your program is reached by.")
        return nil
    }

    private mutating func eventTypes() -> [EventType]? {
        guard let value = value("types"), !value.isNull,
            let elements = requireElements("types", count: 0...Webhook.mostTypes)
        else { return nil }
        var types: [EventType] = []
        for element in elements {
            if let type = element.string.flatMap({ EventType(rawValue: $0) }), type.isForWebhooks {
                if !types.contains(type) { types.append(type) }
            } else {
                noteType(element, allowed: [], "Send types of this list, or an empty list for all.")
            }
        }
        return types
    }

    /// The type that a test event says: one that endpoints get, or that of test events, which it is without one.
    mutating func testEventType() -> String {
        let own = WebhookPoster.testType
        guard let value = value("type"), !value.isNull else { return own }
        let type = value.string ?? ""
        guard type != own, EventType(rawValue: type)?.isForWebhooks != true else { return type }
        noteType(value, allowed: [own], "Send a type of this list, or none.")
        return own
    }

    private mutating func noteType(_ value: JSONValue, allowed more: [String], _ fix: String) {
        let known = EventType.known.filter(\.isForWebhooks).map(\.rawValue).sorted()
        let allowed = more + known
        let near = value.string.flatMap { Nearest.find($0, among: allowed) }
        note(
            .value, value, "one of \(allowed.joined(separator: ", "))",
            near.map { "Did you mean \($0)?" } ?? fix)
    }

    private mutating func readFilter(
        into webhook: inout Webhook, _ known: [Label]
    ) throws(Problem) {
        guard let value = value("filter") else { return }
        webhook.direction = nil
        webhook.labels = []
        guard !value.isNull else { return }
        var fields = try Fields(value)
        webhook.direction = fields.word("direction", Direction.self)
        if let labels = fields.value("labels"), !labels.isNull,
            let elements = fields.requireElements("labels", count: 0...Webhook.mostLabels)
        {
            for element in elements {
                let id = element.string.flatMap { LabelID($0) }
                if let id, known.contains(where: { $0.id == id }) {
                    webhook.labels.append(id)
                } else {
                    fields.note(
                        .value, element, "the id of a label of the business",
                        "Take the id from GET /api/businesses/\(webhook.business.text)/labels.")
                }
            }
        }
        try fields.finish()
    }

    private mutating func webhookHeaders() throws(Problem) -> [WebhookHeader]? {
        guard let value = value("headers"), !value.isNull,
            let elements = requireElements("headers", count: 0...WebhookHeader.most)
        else { return nil }
        var headers: [WebhookHeader] = []
        for element in elements {
            var fields = try Fields(element)
            let name = fields.requireText("name", bytes: 1...WebhookHeader.maximumNameBytes)
            let value = fields.text("value", bytes: 0...WebhookHeader.maximumValueBytes)
            if fields.value("value")?.isNull ?? true { _ = fields.requireText("value") }
            if let name, !WebhookHeaderRule.allows(name) {
                fields.note("name", WebhookHeaderRule.text, "Choose another name.")
            }
            var trial = HeaderFields()
            if let name, let value, WebhookHeaderRule.allows(name), !trial.append(name, value) {
                fields.noteSecret(
                    "value", found: "a control character", allowed: "visible characters",
                    fix: "Take the control characters out.")
            }
            let isTwice = headers.contains { header in
                name.map { header.name.lowercased().utf8.elementsEqual($0.lowercased().utf8) }
                    ?? false
            }
            if isTwice { fields.note("name", "each name once", "Take one of them out.") }
            try fields.finish()
            if let name, let value { headers.append(WebhookHeader(name: name, value: value)) }
        }
        return headers
    }
}

/// Which fields an endpoint may choose.
enum WebhookHeaderRule {
    /// What a name must be, in words.
    static let text =
        "a token of HTTP that is none of the server's own fields (host, content-…, user-agent, "
        + "webhook-…) and none of those between two hops (connection, te, upgrade, proxy-… …)"

    private static let refused = [
        "host", "user-agent", "connection", "transfer-encoding", "expect", "upgrade", "te",
        "trailer", "keep-alive",
    ]
    private static let refusedBeginnings = ["content-", "webhook-", "proxy-"]

    /// Whether an endpoint may have a field of this name.
    static func allows(_ name: String) -> Bool {
        // Many programs read both signs as one.
        let lower = name.lowercased().replacing("_", with: "-")
        var trial = HeaderFields()
        return trial.append(name, "") && !refused.contains(lower)
            && !refusedBeginnings.contains { lower.hasPrefix($0) }
    }
}
