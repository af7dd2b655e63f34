import DeskJSON

/// Goes over a source and names what neither the result has nor a finding mentions, so that nothing is lost
/// silently.
struct Account {
    let root: JSONValue
    let implied: Set<JSONPointer>
    let carried: Set<JSONPointer>
    /// What findings mention.
    let noted: Set<JSONPointer>
    /// What findings say is not there, with all in it.
    let dropped: Set<JSONPointer>
    let reasons: Reasons
    /// All places that are mentioned anywhere, and the parts that hold them.
    private let known: Set<JSONPointer>

    init(
        root: JSONValue, implied: Set<JSONPointer>, carried: Set<JSONPointer>,
        noted: Set<JSONPointer>, dropped: Set<JSONPointer>, reasons: Reasons
    ) {
        (self.root, self.reasons) = (root, reasons)
        (self.implied, self.carried) = (implied, carried)
        (self.noted, self.dropped) = (noted, dropped)
        var known: Set<JSONPointer> = []
        for place in [implied, carried, noted, dropped].joined() {
            var part = JSONPointer()
            known.insert(part)
            for step in place.tokens {
                part = part.appending(step)
                known.insert(part)
            }
        }
        self.known = known
    }

    /// The values that are nowhere; a part of which nothing is left is named as a whole.
    func missing() -> [(place: JSONPointer, reason: String)] {
        var found: [(JSONPointer, String)] = []
        if visit(root, JSONPointer(), nil, &found) { found = [(JSONPointer(), reasons.general)] }
        return found
    }

    /// Whether the value and all in it is nowhere; then the caller names it.
    private func visit(
        _ node: JSONValue, _ place: JSONPointer, _ key: String?,
        _ found: inout [(JSONPointer, String)]
    ) -> Bool {
        // Below a part that is nowhere nothing is looked up: a deep one with long keys and thousands of values
        // would need its whole path for each of them.
        guard known.contains(place) else { return hasContent(node) }
        if dropped.contains(place) { return false }
        switch node.kind {
        case .object:
            return gather(
                node.members.map { ($0.value, place.appending($0.key), $0.key) }, &found)
        case .array:
            return gather(
                node.elements.enumerated().map { ($1, place.appending($0), key) }, &found)
        case .null: return false
        case .string, .number, .boolean:
            return ![implied, carried, noted].contains { $0.contains(place) } && !node.equals("")
        }
    }

    private func gather(
        _ parts: [(JSONValue, JSONPointer, String?)], _ found: inout [(JSONPointer, String)]
    ) -> Bool {
        var nowhere: [(JSONPointer, String)] = []
        var isWhole = !parts.isEmpty
        for (node, place, key) in parts {
            if visit(node, place, key, &found) {
                nowhere.append((place, reasons.reason(key, place)))
            } else if !isNothing(node), !implied.contains(place) {
                // What only says of which form the part is does not keep it.
                isWhole = false
            }
        }
        if isWhole, !nowhere.isEmpty { return true }
        found += nowhere
        return false
    }

    /// Whether any value in it says something.
    private func hasContent(_ node: JSONValue) -> Bool {
        switch node.kind {
        case .object: node.members.contains { hasContent($0.value) }
        case .array: node.elements.contains { hasContent($0) }
        case .null: false
        case .string, .number, .boolean: !node.equals("")
        }
    }

    /// Whether it says as much as if it were left out.
    private func isNothing(_ node: JSONValue) -> Bool {
        node.isNull || node.equals("")
            || (node.count == 0 && (node.kind == .array || node.kind == .object))
    }
}

/// Why members of a shape have no counterpart.
struct Reasons {
    let from: Shape
    let to: Shape

    var general: String { "\(to.name) has no counterpart for it." }

    func reason(_ key: String?, _ place: JSONPointer) -> String {
        guard let key else { return general }
        if from == .messagesForBusiness, let known = ours[key] { return known }
        return theirs[key] ?? general
    }

    private var ours: [String: String] {
        [
            "id": "The message's id is the sender's, and the sending program states it.",
            "sourceId": "Who sends is said by the credential that sends.",
            "destinationId":
                "\(to.name) has another name for who receives; the sending program states it.",
            "images":
                "The picture is in the message; \(to.name) needs an address or the id of an upload.",
            "image":
                "The picture is in the message; \(to.name) needs an address or the id of an upload.",
            "imageIdentifier":
                "The picture is in the message; \(to.name) needs an address or the id of an upload.",
            "assets":
                "The picture is in the message; \(to.name) needs an address or the id of an upload.",
            "location": "The place is not part of an answer to tap; say it in the title.",
            "subtitle": "An answer in \(to.name) has one line.",
            "attachments":
                "Files are fetched and decrypted first; \(to.name) has an upload of its own.",
            "replyMessage": "The customer's answer in \(to.name) has no bubble of its own.",
            "requestIdentifier": "\(to.name) refers to a question by the id of its message.",
            "sessionIdentifier":
                "A message of \(to.name) does not replace an earlier one by itself.",
            "style": "\(to.name) has one size of this part.",
            "payment":
                "The customer cannot pay in a message of \(to.name) translated from this one.",
            "authenticate": "The customer cannot sign in from a message of \(to.name).",
            "dynamic": "The pages of a form have no counterpart; ask one question at a time.",
            "event": "\(to.name) has no appointment with a place; its times are answers to tap.",
            "URL": "An iMessage app does not run in \(to.name).",
            "locale": "The language of a message is not stated in \(to.name).",
        ]
    }

    private var theirs: [String: String] {
        [
            "to": "Who receives is stated by the sending program.",
            "chat_id": "Who receives is stated by the sending program.",
            "channel": "Who receives is stated by the sending program.",
            "footer": "A bubble has title and subtitle, no footer.",
            "image_url": "A picture is needed as bytes; fetch it and put it into data.images.",
            "thumbnailImageUrl":
                "A picture is needed as bytes; fetch it and put it into data.images.",
            "media": "A picture is needed as bytes; fetch it and put it into data.images.",
            "image": "A picture is needed as bytes; fetch it and put it into data.images.",
            "parse_mode": "Texts have no markup; the marks stay as written.",
            "entities": "Texts have no markup.",
        ]
    }
}
