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
        let content = known() ?? .text(unknown())
        for member in message.members where !read.contains(member.key) && !member.value.isNull {
            losses.note(.dropped, at: [member.value.pointer], Self.reason(member.key))
        }
        return content
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
        for member in part.members where !names.contains(member.key) && !member.value.isNull {
            losses.note(.dropped, at: [member.value.pointer], Self.reason(member.key))
        }
        return part
    }

    private mutating func interactive() -> WhatsAppInbound.Content? {
        let names: Set = ["type", "button_reply", "list_reply", "nfm_reply"]
        guard let interactive = part("interactive", names) else { return nil }
        if let reply = interactive["button_reply"] ?? interactive["list_reply"],
            let identifier = reply["id"]?.string
        {
            read.insert("context")
            // The second line of a row is in the list that was sent.
            return .answer(
                .init(identifier: identifier, title: reply["title"]?.string ?? identifier))
        }
        guard let flow = interactive["nfm_reply"] else {
            read.remove("interactive")
            return nil
        }
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
            "Contacts become a text of their names, numbers and addresses.")
        let lines = list.elements.map { contact in
            let name = contact["name"]?["formatted_name"]?.string
            let numbers = Self.texts(contact["phones"], "phone")
            let mails = Self.texts(contact["emails"], "email")
            let organization = contact["org"]?["company"]?.string
            return ([name, organization].compactMap { $0 } + numbers + mails)
                .joined(separator: ", ")
        }
        let text = lines.filter { !$0.isEmpty }.joined(separator: "\n")
        return text.isEmpty ? nil : .text(text)
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
        case "referral": "The advertisement that it came from is not part of the message."
        case "identity": "A change of the customer's identity key is not part of the message."
        case "voice": "A voice message is a file of sound."
        case "animated": "A sticker is a picture."
        default: "Messages for Business has no counterpart for it."
        }
    }
}
