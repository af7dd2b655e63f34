import DeskDiagnosis
import DeskJSON

/// A schema's finding in the words of the rulebook.
struct SchemaWords {
    let found: String
    let allowed: String
    let fix: String

    /// Words a finding after the rule that speaks, of a message of the schema in `file`.
    init(_ rule: Rule, _ finding: SchemaFinding, _ notes: SchemaNotes, in file: String) {
        let name = finding.name ?? ""
        if let current = notes.fixes.currentValue(for: finding) {
            found = "the old value \(finding.value.quoted)"
            allowed = "\"\(current)\""
            fix = "Write \"\(current)\"."
        } else if rule == .oldSpelling {
            let current = Spelling.current(of: name) ?? ""
            found = "the old name \"\(name)\""
            allowed = "\"\(current)\""
            fix = "Rename it to \"\(current)\"."
        } else if rule == .paymentWithout3DS {
            found = "merchantCapabilities without supports3DS"
            allowed = "supports3DS among them"
            fix = "Add \"supports3DS\"."
        } else {
            let place = FixNotes.place(ofKeyword: finding.keywordLocation)
            let form = finding.keyword == "pattern" ? place.flatMap { notes.forms[$0] } : nil
            found = finding.found
            allowed = form ?? finding.allowed
            fix =
                (finding.isAboutKey
                ? Spelling.current(of: name) ?? finding.suggestion
                : finding.suggestion).map { "Did you mean \"\($0)\"?" }
                ?? (rule == .tooShort && finding.actual == 0
                    ? "It must not be empty."
                    : rule == .unknownKey
                        ? Self.removal(
                            of: name,
                            from: notes.keys.place(
                                of: name, in: file, except: Self.owner(of: finding.value.path)))
                        : Self.fix(rule, allowed, name: name))
        }
    }

    private static func fix(_ rule: Rule, _ allowed: String, name: String) -> String {
        if let sentence = fixes[rule] { return sentence }
        if rule == .missingKey || rule == .memberAdvised {
            return name.isEmpty ? "Add what is missing." : "Add \"\(name)\"."
        }
        let only = "only "
        let value = allowed.hasPrefix(only) ? String(allowed.dropFirst(only.count)) : allowed
        return rule == .outOfRange ? "Write a number, \(value)." : "Write \(value)."
    }

    /// The path of the object that has a member.
    private static func owner(of path: String) -> String {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? ""
    }

    /// Why an unknown key is to go, and where it belongs if the message has a place for it.
    private static func removal(of name: String, from place: String?) -> String {
        guard let place else {
            return "Remove \"\(name)\": no part of this message has a key of this name."
        }
        let owner = place.isEmpty ? "the message itself" : place
        return "Move \"\(name)\" to \(owner), or remove it: here it has no effect."
    }

    private static let fixes: [Rule: String] = [
        .numberAsText: "Write the number without quotation marks.",
        .tooLong: "Shorten it.", .appURLTooLong: "Shorten it.",
        .tooShort: "Make it longer.", .tooMany: "Take some out.", .tooFew: "Add an entry.",
        .quickReplyCount: "Offer two to five answers.", .notUnique: "Name each once.",
        .pictureIdentifierEmpty: "Name a picture, or leave imageIdentifier out.",
        .businessForm: "Write the business's UUID.",
        .businessPrefix: "Write the business's UUID, without urn:biz: before it.",
        .identifierEmpty: "Give it a name of its own, so that the answer can say which it was.",
        .titleEmpty: "Write the words that people are to read.",
        .valueIgnored: "Leave it out, or write one of the values that have an effect.",
        .mediaType: "Write a media type such as image/jpeg.",
        .localeForm: "Write a language and region such as en_US.",
        .signInKeyForm:
            "Send the public point of a P-384 key, 97 bytes that begin with 04, in base64.",
        .attachmentLost:
            "Nothing to do; the message keeps its words, and the file is shown as missing.",
        .linkScheme: "Use an http or https address; universal links open their app.",
    ]
}
