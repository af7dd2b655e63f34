import DeskJSON
public import DeskModel

/// How a payment sheet was left.
public enum PaymentOutcome: String, Sendable, CaseIterable {
    /// Paid.
    case success
    /// The payment was refused.
    case failure
    /// The customer closed the sheet.
    case canceled
}

/// What a customer picked on the phone; nothing has checked yet that it was offered.
public enum Choice: Hashable, Sendable {
    /// Items of a card, by identifier; which cards those are says ``KindModel/picking``.
    case picked(MessageKind, identifiers: [String])
    /// How the payment ended, the status as the payment gateway gave it; the rest is what the sheet
    /// held.
    case payment(
        PaymentOutcome, status: String?, shippingMethod: String?,
        shippingContact: PostedContact? = nil, billingContact: PostedContact? = nil,
        card: PaymentCard = PaymentCard())
    /// The new URL that an app's extension answers with.
    case app(url: String)
    /// The answer to an invitation: `yes`.
    case invitation(identifier: String)
    /// The answers to a form, page by page in the order in which they were given.
    case form(answers: [FormAnswer])
    /// How the sign-in ended.
    case signIn(SignIn)
}

extension Choice {
    /// Items of a list, by identifier.
    public static func list(identifiers: [String]) -> Choice {
        .picked(.list, identifiers: identifiers)
    }

    /// A slot of a time picker.
    public static func time(identifier: String) -> Choice {
        .picked(.time, identifiers: [identifier])
    }

    /// An answer of a quick reply.
    public static func quickReply(identifier: String) -> Choice {
        .picked(.quickReply, identifiers: [identifier])
    }
}

/// A choice as the phone page posts it.
public struct PostedChoice: Hashable, Sendable {
    /// The name of the answer, made by the phone.
    public let id: String
    /// The message that is answered.
    public let inReplyTo: String
    /// What was picked.
    public let choice: Choice

    /// Puts the three together.
    public init(id: String, inReplyTo: String, choice: Choice) {
        self.id = id
        self.inReplyTo = inReplyTo
        self.choice = choice
    }

    /// Reads `{"id","inReplyTo"}` and one of the choices by its name, from "list" to "signIn".
    ///
    /// Limit: 500 identifiers of a list or of a page, 200 pages.
    /// - Throws: `badChoice` naming what is wrong.
    public init(json bytes: [UInt8]) throws(ReplyError) {
        guard let root = JSONValue.parsed(bytes), root.kind == .object else {
            throw ReplyError(.badChoice, "the body is no JSON object")
        }
        guard let id = root["id"]?.string, let inReplyTo = root["inReplyTo"]?.string else {
            throw ReplyError(.badChoice, "id and inReplyTo must be texts")
        }
        self.init(id: id, inReplyTo: inReplyTo, choice: try Self.choice(in: root))
    }

    private static func choice(in root: JSONValue) throws(ReplyError) -> Choice {
        let cards = KindModel.all.filter { $0.picking != nil }
        let names = cards.map(\.kind.rawValue) + ["payment", "app", "form", "invitation", "signIn"]
        let given = names.filter { root[$0] != nil }
        guard given.count == 1, let name = given.first, let part = root[name] else {
            throw ReplyError(.badChoice, "exactly one of \(names.joined(separator: ", "))")
        }
        if let card = cards.first(where: { $0.kind.rawValue == name }), let picking = card.picking {
            return .picked(card.kind, identifiers: try identifiers(in: part, of: name, picking))
        }
        switch name {
        case "signIn": return .signIn(try SignIn(part))
        case "app": return .app(url: try require(part["url"], "app.url"))
        case "invitation":
            return .invitation(
                identifier: try require(part["identifier"], "invitation.identifier"))
        case "form": return .form(answers: try answers(in: part))
        default:
            let word = try require(part["outcome"], "payment.outcome")
            guard let outcome = PaymentOutcome(rawValue: word) else {
                throw ReplyError(.badChoice, "payment.outcome is success, failure or canceled")
            }
            return .payment(
                outcome, status: part["status"]?.string,
                shippingMethod: part["shippingMethod"]?.string,
                shippingContact: try contact(part["shippingContact"]),
                billingContact: try contact(part["billingContact"]),
                card: try part["card"].map { node throws(ReplyError) in try PaymentCard(node) }
                    ?? PaymentCard())
        }
    }

    private static func identifiers(
        in part: JSONValue, of name: String, _ picking: Picking
    ) throws(ReplyError) -> [String] {
        guard picking.takesSeveral else {
            return [try require(part["identifier"], "\(name).identifier")]
        }
        let elements = part["identifiers"]?.list ?? []
        let identifiers = elements.compactMap(\.string)
        guard !identifiers.isEmpty, identifiers.count == elements.count, identifiers.count <= 500
        else { throw ReplyError(.badChoice, "\(name).identifiers holds 1 to 500 texts") }
        return identifiers
    }

    private static func answers(in form: JSONValue) throws(ReplyError) -> [FormAnswer] {
        let list = form["answers"]?.list ?? []
        guard (1...Form.maximumAnswers).contains(list.count) else {
            throw ReplyError(
                .badChoice, "form.answers holds 1 to \(Form.maximumAnswers) answers")
        }
        return try list.map { node throws(ReplyError) in
            let page = try require(node["page"], "form.answers.page")
            if let items = node["items"] {
                let names = items.list.compactMap(\.string)
                guard items.kind == .array, names.count == items.count, names.count <= 500 else {
                    throw ReplyError(.badChoice, "form.answers.items holds up to 500 texts")
                }
                return FormAnswer(page: page, entry: .items(names))
            }
            return FormAnswer(
                page: page, entry: .text(try require(node["text"], "form.answers.text")))
        }
    }

    private static func contact(_ node: JSONValue?) throws(ReplyError) -> PostedContact? {
        try node.map { node throws(ReplyError) in try PostedContact(node) }
    }

    private static func require(_ node: JSONValue?, _ name: String) throws(ReplyError) -> String {
        guard let text = node?.string else { throw ReplyError(.badChoice, "\(name) is a text") }
        return text
    }
}
