import DeskBytes
import DeskJSON
public import DeskModel

/// A payload as one line: for conversation lists, notices and devices that show text only.
public enum Summary {
    /// Longest summary in Unicode scalars; the rest is cut and an ellipsis put in its place.
    public static let maximumScalars = 200

    /// The line for a payload's text; empty for typing signals and for what is no JSON.
    public static func text(
        of payload: [UInt8], direction: Direction, language: Language = .english
    ) -> String {
        guard let root = JSONValue.parsed(payload) else { return "" }
        return text(of: root, direction: direction, language: language)
    }

    /// The line for a payload that was judged already.
    public static func text(
        of judgement: Judgement, direction: Direction, language: Language = .english
    ) -> String {
        guard let document = judgement.document else { return "" }
        return text(of: document.root, direction: direction, language: language)
    }

    static func text(of root: JSONValue, direction: Direction, language: Language) -> String {
        if let line = tidyText(of: root) { return line }
        let words = SummaryWords(language: language)
        guard let type = root["type"]?.string else { return "" }
        let line =
            switch type {
            case "text": plain(root, words)
            case "richLink":
                words.line(
                    words.name(of: .richLink),
                    root["richLinkData"]?["title"]?.string ?? root["richLinkData"]?["url"]?.string)
            case "interactive": interactive(root, direction, words)
            case "close": words.left
            default: ""
            }
        return shorten(line)
    }

    private static func plain(_ root: JSONValue, _ words: SummaryWords) -> String {
        let attachments = root["attachments"]?.list ?? []
        // The mark of an attachment says nothing in a line.
        let text = squeeze(root["body"]?.string ?? "", leavingOut: "\u{FFFC}")
        guard !attachments.isEmpty else { return text }
        let files = attachments.prefix(3).map { file in
            words.file((file[stated: "mimeType"] ?? file["mime-type"])?.string ?? "")
        }
        let list = words.language.row(files) + (attachments.count > 3 ? "…" : "")
        return text.isEmpty ? list : "\(text) (\(list))"
    }

    /// The line of a text message without attachments, straight from the payload's bytes, when it
    /// begins as such texts mostly do: in ASCII, with single spaces between its words.
    private static func tidyText(of root: JSONValue) -> String? {
        guard root["type"]?.equals("text") == true, root[stated: "attachments"] == nil,
            let body = root["body"], body.kind == .string
        else { return nil }
        let text = body.rawBytes.dropFirst().dropLast()
        guard let first = text.first, first != 0x20,
            let last = text.prefix(maximumScalars).last, last != 0x20, isTidy(text)
        else { return nil }
        guard text.count >= maximumScalars else { return String(decoding: text, as: UTF8.self) }
        var line: [UInt8] = []
        line.reserveCapacity(maximumScalars + 2)
        line.append(contentsOf: text.prefix(maximumScalars - 1))
        line.append(contentsOf: ellipsis)
        return String(decoding: line, as: UTF8.self)
    }

    private static let ellipsis = Array("…".utf8)

    /// Whether the part of a text that a summary uses is printable ASCII without escapes and without two
    /// spaces in a row.
    private static func isTidy(_ text: ArraySlice<UInt8>) -> Bool {
        unsafe text.prefix(maximumScalars).withUnsafeBufferPointer { unsafe ByteScan.isTidy($0) }
    }

    private static func interactive(
        _ root: JSONValue, _ direction: Direction, _ words: SummaryWords
    ) -> String {
        guard let interactive = root[stated: "interactiveData"] else {
            return words.line(
                words.name(of: .interactive), root["interactiveDataRef"]?["title"]?.string)
        }
        guard let data = interactive[stated: "data"], let feature = Feature.first(of: data) else {
            // An answer of a kind that is not known has its bubbles in its data, as all have.
            let data = interactive[stated: "data"]
            func title(_ bubble: String) -> String? {
                (interactive[stated: bubble] ?? data?[stated: bubble])?["title"]?.string
            }
            let asked = title("receivedMessage")
            return words.line(
                interactive["appName"]?.string ?? words.name(of: data == nil ? .app : .interactive),
                direction == .inbound ? title("replyMessage") ?? asked : asked)
        }
        switch direction {
        case .outbound:
            let title = interactive["receivedMessage"]?["title"]?.string
            return words.line(words.name(of: feature.kind), title ?? asked(feature.value))
        case .inbound:
            let title = data["replyMessage"]?["title"]?.string
            let chosen = feature.kind.model.feature?.chosen(feature.value, words.language)
            return words.answer(feature.kind, chosen ?? title, feature.value)
        }
    }

    private static func asked(_ feature: JSONValue) -> String? {
        feature["summaryText"]?.string ?? feature["title"]?.string
            ?? feature["parameters"]?["brandName"]?.string
    }

    /// Makes one line of a text: every run of white space and line ends becomes one space.
    ///
    /// Limit: what is past the longest summary is not looked at.
    private static func squeeze(
        _ text: String, leavingOut dropped: Unicode.Scalar? = nil
    ) -> String {
        var line: [UInt8] = []
        line.reserveCapacity(min(text.utf8.count, maximumScalars + 8))
        var count = 0
        var needsSpace = false
        for scalar in text.unicodeScalars where scalar != dropped {
            if isSpace(scalar) {
                needsSpace = count > 0
                continue
            }
            if needsSpace {
                line.append(0x20)
                count += 1
            }
            needsSpace = false
            if scalar.isASCII {
                line.append(UInt8(truncatingIfNeeded: scalar.value))
            } else {
                line.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            }
            count += 1
            if count >= maximumScalars { break }
        }
        return String(decoding: line, as: UTF8.self)
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII ? scalar.value <= 0x20 : scalar.properties.isWhitespace
    }

    /// Whether a short text is a line already, found without a look at each scalar.
    private static func isWholeLine(_ text: String) -> Bool {
        unsafe text.utf8.withContiguousStorageIfAvailable { bytes in
            guard let first = unsafe bytes.first, let last = unsafe bytes.last else { return true }
            guard first != 0x20, last != 0x20, bytes.count < maximumScalars else { return false }
            return unsafe ByteScan.isTidy(bytes)
        } ?? false
    }

    private static func shorten(_ line: String) -> String {
        if isWholeLine(line) { return line }
        let whole = squeeze(line)
        // As many bytes hold at most as many scalars.
        if whole.utf8.count < maximumScalars { return whole }
        let short = whole.prefixOfScalars(maximumScalars - 1)
        return short.utf8.count == whole.utf8.count ? whole : short + "…"
    }
}
