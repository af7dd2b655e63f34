import DeskDiagnosis
import DeskJSON
import DeskModel

extension Judging {
    /// What the extension that draws the built-in features is called.
    static let appleBid =
        "com.apple.messages.MSMessageExtensionBalloonPlugin:0000000000:"
        + "com.apple.icloud.apps.messages.business.extension"
    private static let appleTeam = Array(":0000000000:".utf8)

    /// Says what the payload is, and notes why when it cannot be said.
    mutating func recognise() -> PayloadKind? {
        guard root.kind == .object else {
            note(
                .wrongType, at: root, found: "a JSON \(root.kind.rawValue)",
                allowed: "an object", fix: "Put the message into { }.")
            return nil
        }
        guard let type = root["type"] else {
            let likely = likelyType
            note(
                .missingKey, at: root, found: "no type", allowed: Self.types(context.direction),
                fix: likely.map { "Add \"type\": \"\($0)\"." } ?? "Add \"type\".",
                edits: likely.map { [.insert("type", Edit.quoted($0), into: root)] } ?? [])
            return nil
        }
        if type.equals("text") { return .message(.text) }
        if type.equals("interactive") { return recogniseInteractive() }
        if type.equals("typing_start") { return .typingStart }
        if type.equals("typing_end") { return .typingEnd }
        if type.equals("richLink"), context.direction == .outbound { return .message(.richLink) }
        if type.equals("close") {
            if context.direction == .inbound { return .close }
            note(
                .closeOutbound, at: type, found: "close from a business",
                allowed: Self.types(.outbound),
                fix: "Only a customer can close a conversation; send nothing instead.")
            return nil
        }
        let meant = type.string.flatMap { text in
            Self.typeNames(context.direction).first { Fixer.bare($0) == Fixer.bare(text) }
        }
        note(
            type.isString ? .unknownType : .wrongType, at: type, found: type.quoted,
            allowed: Self.types(context.direction),
            fix: meant.map { "Did you mean \"\($0)\"?" }
                ?? "Take one of the types that are allowed.",
            edits: meant.map { [.replace(type, withString: $0)] } ?? [])
        return nil
    }

    /// What the members speak for where the type is missing.
    private var likelyType: String? {
        if root[stated: "interactiveData"] != nil || root[stated: "interactiveDataRef"] != nil {
            return "interactive"
        }
        if root[stated: "richLinkData"] != nil {
            return context.direction == .outbound ? "richLink" : nil
        }
        return root[stated: "body"] == nil ? nil : "text"
    }

    private static func typeNames(_ direction: Direction) -> [String] {
        ["text", "interactive", "typing_start", "typing_end"]
            + [direction == .outbound ? "richLink" : "close"]
    }

    private static func types(_ direction: Direction) -> String {
        switch direction {
        case .outbound: "text, interactive, richLink, typing_start or typing_end"
        case .inbound: "text, interactive, typing_start, typing_end or close"
        }
    }

    private mutating func recogniseInteractive() -> PayloadKind? {
        let reference = root[stated: "interactiveDataRef"]
        guard let interactive = root[stated: "interactiveData"] else {
            if reference != nil { return .message(.reference) }
            note(
                .missingKey, at: root, found: "neither interactiveData nor interactiveDataRef",
                allowed: "one of the two", fix: "Add \"interactiveData\".")
            return nil
        }
        // A customer's device may send both; the data then holds what was chosen.
        if let reference, context.direction == .outbound {
            note(
                .dataAndReference, at: reference,
                found: "interactiveDataRef beside interactiveData",
                allowed: "one of the two", fix: "Take interactiveDataRef out.",
                edits: Edit.remove(reference).map { [$0] } ?? [])
        }
        guard interactive.kind == .object else {
            note(
                .wrongType, at: interactive, found: "a JSON \(interactive.kind.rawValue)",
                allowed: "an object", fix: "Put the interactive message into { }.")
            return nil
        }
        return Self.isApp(interactive) ? .message(.app) : recogniseFeature(interactive)
    }

    private static func isApp(_ interactive: JSONValue) -> Bool {
        let bid = interactive["bid"]
        if bid?.equals(appleBid) == true { return false }
        if let text = bid?.stringBytes, text.holds(appleTeam) { return false }
        if interactive[stated: "URL"] != nil || interactive[stated: "appId"] != nil { return true }
        return bid != nil && interactive[stated: "data"] == nil
    }

    private mutating func recogniseFeature(_ interactive: JSONValue) -> PayloadKind? {
        let names = Feature.names
        guard let data = interactive[stated: "data"] else {
            note(
                .missingKey, at: interactive, found: "no data",
                allowed: "data with one of \(names)",
                fix: "Add \"data\".")
            return nil
        }
        let parts = Feature.parts(of: data)
        guard data.kind == .object, let first = parts.first else {
            note(
                data.kind == .object ? .featureMissing : .wrongType, at: data,
                found: data.kind == .object ? "no feature" : "a JSON \(data.kind.rawValue)",
                allowed: "exactly one of \(names)", fix: "Add the feature that the message is.")
            return nil
        }
        if Feature.first(currentIn: data) == nil, let wrong = Feature.misnamed(in: data).first,
            !Spelling.isAccepted(wrong.member.key, context.direction)
        {
            noteMisnamed(wrong.member, wrong.name.description)
            return nil
        }
        if parts.count > 1 {
            note(
                .featureAmbiguous, at: data, found: "\(parts.count) features",
                allowed: "exactly one of \(names)", limit: 1, actual: parts.count,
                fix: "Send each feature in a message of its own.")
        }
        return .message(first.kind)
    }

    private mutating func noteMisnamed(_ member: JSONMember, _ name: String) {
        note(
            .featureMissing, at: member.keyRange, pointer: member.value.path,
            found: "the feature as \(Edit.quoted(member.key))", allowed: "\"\(name)\"",
            fix: "Write \"\(name)\".",
            edits: Fixer.renaming(member.keyRange, of: member.value, to: name))
    }
}

extension [UInt8] {
    /// Whether the bytes occur in these.
    fileprivate func holds(_ part: [UInt8]) -> Bool {
        indices.contains { self[$0...].starts(with: part) }
    }
}
