import DeskJSON

/// One reading of a customer's message in WhatsApp's form.
struct InboundReading {
    private static let ofEveryMessage: Set<String> = ["id", "from", "timestamp", "type"]
    private static let kinds = ["image", "video", "audio", "document", "sticker"]

    let message: JSONValue
    let type: String
    var losses = Losses()
    /// Members of the message that were read.
    private var read = Self.ofEveryMessage

    init(_ message: JSONValue, _ type: String) {
        self.message = message
        self.type = type
    }

    /// What the message says; nil for a notice that is no message of a customer.
    mutating func content() -> WhatsAppInbound.Content? {
        if type == "system" { return nil }
        var content = known()
        if content == nil {
            // What was begun is lost as a whole.
            (losses, read) = (Losses(), Self.ofEveryMessage)
            content = .text(unknown())
        }
        noteContext()
        for member in message.members where !read.contains(member.key) && !member.value.isNull {
            losses.note(.dropped, at: [member.value.pointer], Self.reason(member.key))
        }
        return content
    }

    /// Notes what a message's context says beside the name of another message.
    private mutating func noteContext() {
        guard let context = message["context"], context.kind == .object else { return }
        let names: Set = ["from", "id"]
        noteMembers(of: context, beside: names)
        // Where it names no message, that is all it says.
        if !context.members.contains(where: { names.contains($0.key) && !$0.value.isNull }) {
            read.insert("context")
        }
    }

    /// Notes the members of a part that are not read.
    private mutating func noteMembers(of part: JSONValue?, beside names: Set<String>) {
        guard let part, part.kind == .object else { return }
        for member in part.members where !names.contains(member.key) && !member.value.isNull {
            losses.note(.dropped, at: [member.value.pointer], Self.reason(member.key))
        }
    }

    private mutating func known() -> WhatsAppInbound.Content? {
        switch type {
        case "text":
            guard let body = part("text", ["body"])?["body"]?.string, !body.isEmpty else {
                return nil
            }
            return .text(body)
        case "interactive": return interactive()
        case "button":
            guard let button = part("button", ["payload", "text"]),
                let title = button["text"]?.string ?? button["payload"]?.string
            else { return nil }
            read.insert("context")
            return .answer(
                .init(identifier: button["payload"]?.string ?? title, title: title))
        case "reaction":
            guard let part = part("reaction", ["message_id", "emoji"]),
                let target = part["message_id"]?.string
            else { return nil }
            let emoji = part["emoji"]?.string
            return .reaction(.init(emoji: emoji?.isEmpty == true ? nil : emoji, target: target))
        case "location": return location()
        case "contacts": return contacts()
        case "order": return order()
        default: return Self.kinds.contains(type) ? file() : nil
        }
    }

    /// The member of the message's type, whose members beside those named are lost.
    private mutating func part(_ name: String, _ names: Set<String>) -> JSONValue? {
        guard let part = message[name], part.kind == .object else { return nil }
        read.insert(name)
        noteMembers(of: part, beside: names)
        return part
    }

    private mutating func interactive() -> WhatsAppInbound.Content? {
        let names: Set = ["type", "button_reply", "list_reply", "nfm_reply"]
        guard let interactive = part("interactive", names) else { return nil }
        if let reply = interactive["button_reply"] ?? interactive["list_reply"],
            let identifier = reply["id"]?.string
        {
            read.insert("context")
            noteMembers(of: reply, beside: ["id", "title"])
            return .answer(
                .init(identifier: identifier, title: reply["title"]?.string ?? identifier))
        }
        guard let flow = interactive["nfm_reply"] else { return nil }
        losses.note(
            .changed, at: [flow.pointer], "The answer to a flow becomes a text of its fields.")
        let lines = [flow["body"]?.string].compactMap { $0 } + Self.fields(of: flow)
        return lines.isEmpty ? nil : .text(lines.joined(separator: "\n"))
    }

    /// The fields of a flow's answer, which is JSON within a text.
    private static func fields(of flow: JSONValue) -> [String] {
        guard let text = flow["response_json"]?.string else { return [] }
        // Safe: what is no JSON is shown as it is.
        guard let root = try? JSONDocument(parsing: Array(text.utf8)).root, root.kind == .object
        else { return [text] }
        return root.members.map { "\($0.key): \($0.value.string ?? $0.value.rawText)" }
    }

    private mutating func location() -> WhatsAppInbound.Content? {
        guard let place = part("location", ["latitude", "longitude", "name", "address", "url"]),
            let latitude = place["latitude"]?.numberText ?? place["latitude"]?.string,
            let longitude = place["longitude"]?.numberText ?? place["longitude"]?.string
        else { return nil }
        losses.note(
            .changed, at: [place.pointer], "A place becomes a text of its name and coordinates.")
        var lines = ["name", "address"].compactMap { place[$0]?.string }
        lines.append("\(latitude), \(longitude)")
        if let url = place["url"]?.string { lines.append(url) }
        return .text(lines.filter { !$0.isEmpty }.joined(separator: "\n"))
    }

    private mutating func contacts() -> WhatsAppInbound.Content? {
        guard let list = message["contacts"], list.kind == .array, list.count > 0 else {
            return nil
        }
        read.insert("contacts")
        losses.note(
            .changed, at: [list.pointer],
            "Contacts become a text of their names, companies, numbers and e-mail addresses.")
        var lines: [String] = []
        for contact in list.elements {
            noteRest(of: contact)
            let name = contact["name"]?["formatted_name"]?.string
            let numbers = Self.texts(contact["phones"], "phone")
            let mails = Self.texts(contact["emails"], "email")
            let organization = contact["org"]?["company"]?.string
            lines.append(
                ([name, organization].compactMap { $0 } + numbers + mails)
                    .joined(separator: ", "))
        }
        let text = lines.filter { !$0.isEmpty }.joined(separator: "\n")
        return text.isEmpty ? nil : .text(text)
    }

    /// Notes what the text of a contact does not have.
    private mutating func noteRest(of contact: JSONValue) {
        var names: Set = ["org", "phones", "emails"]
        // The other members of a name are the parts of the whole one.
        if contact["name"]?["formatted_name"]?.string != nil { names.insert("name") }
        noteMembers(of: contact, beside: names)
        noteMembers(of: contact["org"], beside: ["company"])
        for (member, name) in [("phones", "phone"), ("emails", "email")] {
            guard let list = contact[member], list.kind == .array else { continue }
            for entry in list.elements { noteMembers(of: entry, beside: [name]) }
        }
    }

    private static func texts(_ list: JSONValue?, _ name: String) -> [String] {
        guard let list, list.kind == .array else { return [] }
        return list.elements.compactMap { $0[name]?.string }
    }

    private mutating func order() -> WhatsAppInbound.Content? {
        guard let order = part("order", ["catalog_id", "text", "product_items"]) else { return nil }
        losses.note(.changed, at: [order.pointer], "An order becomes a text of its items.")
        var lines = [order["text"]?.string].compactMap { $0 }
        if let items = order["product_items"], items.kind == .array {
            for item in items.elements {
                func text(_ name: String) -> String {
                    item[name]?.string ?? item[name]?.rawText ?? ""
                }
                lines.append(
                    "\(text("quantity")) × \(text("product_retailer_id")) "
                        + "(\(text("item_price")) \(text("currency")))")
            }
        }
        let text = lines.filter { !$0.isEmpty }.joined(separator: "\n")
        return text.isEmpty ? nil : .text(text)
    }

    private mutating func file() -> WhatsAppInbound.Content? {
        let names: Set = ["id", "mime_type", "sha256", "caption", "filename", "url"]
        guard let part = part(type, names), let id = part["id"]?.string, !id.isEmpty else {
            return nil
        }
        let stated = part["mime_type"]?.string ?? "application/octet-stream"
        // `audio/ogg; codecs=opus`
        let mediaType = String(stated.prefix { $0 != ";" && $0 != " " })
        let caption = part["caption"]?.string
        return .file(
            .init(
                id: id,
                name: part["filename"]?.string ?? "\(type).\(Self.ending(of: mediaType))",
                mediaType: mediaType, caption: caption?.isEmpty == true ? nil : caption))
    }

    /// How names of files of a media type end, where it is not the second half.
    private static func ending(of mediaType: String) -> String {
        switch mediaType {
        case "image/jpeg": "jpg"
        case "audio/mpeg": "mp3"
        case "audio/mp4": "m4a"
        case "video/3gpp": "3gp"
        case "text/plain": "txt"
        case "application/octet-stream": "bin"
        default:
            String(
                mediaType.drop { $0 != "/" }.dropFirst()
                    .filter { $0.isASCII && ($0.isLetter || $0.isNumber) }.prefix(8))
        }
    }

    /// A line in place of a message that the Cloud API does not pass on, or that is not known here.
    private mutating func unknown() -> String {
        var place = message.pointer.appending("type")
        var reason = "Messages of this type are not read."
        if let errors = message["errors"], errors.kind == .array, let first = errors[0] {
            read.insert("errors")
            place = errors.pointer
            reason =
                first["error_data"]?["details"]?.string ?? first["message"]?.string
                ?? first["title"]?.string ?? reason
        }
        losses.note(.changed, at: [place], reason)
        let shown = type.prefix(64).filter { $0.isASCII && !$0.isNewline }
        return "[WhatsApp: \(shown)] \(reason)"
    }

    private static func reason(_ key: String) -> String {
        switch key {
        case "context":
            "The message that it quotes is not named in Messages for Business."
        case "forwarded", "frequently_forwarded":
            "That a message was forwarded is not part of it."
        case "referred_product": "The product that it asks about is not part of the message."
        case "description": "The second line of an answer is in the list that was sent."
        case "referral": "The advertisement that it came from is not part of the message."
        case "identity": "A change of the customer's identity key is not part of the message."
        case "voice": "A voice message is a file of sound."
        case "animated": "A sticker is a picture."
        default: "Messages for Business has no counterpart for it."
        }
    }
}
