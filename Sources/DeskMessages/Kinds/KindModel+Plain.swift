import DeskJSON
import DeskModel

/// The kinds that are no built-in feature of the protocol's extension.
extension KindModel {
    /// Words, attachments, or both (protocol page 3.1).
    static let text = KindModel(
        .text, name: Wording(english: "Text", japanese: "テキスト"),
        schemas: Schemas(outbound: "text", inbound: "text")
    ) { $0.judgeText() }

    /// A page with a title and a picture (protocol page 3.3).
    static let richLink = KindModel(
        .richLink, name: Wording(english: "Link", japanese: "リンク"),
        schemas: Schemas(outbound: "rich-link")
    ) { $0.judgeRichLink() }

    /// A link into a business's own extension, and its answer (protocol page 3.10).
    static let app = KindModel(
        .app, name: Wording(english: "App", japanese: "アプリ"),
        schemas: Schemas(outbound: "app", inbound: "app-reply"),
        sample: { interactive in
            interactive["URL"]?.string.map { url in
                .app(url: url + (url.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + "answer=yes")
            }
        }
    ) { judging in
        if let interactive = judging.root[stated: "interactiveData"] {
            judging.judgeApp(interactive)
        }
    }

    /// An interactive payload that travels beside the message (protocol page 2.5).
    static let reference = KindModel(
        .reference, name: interactiveName,
        schemas: Schemas(outbound: "data-reference", inbound: "data-reference"),
        isReducedForDevice: true
    ) { judging in
        if let reference = judging.root[stated: "interactiveDataRef"] {
            judging.judgeReference(reference)
        }
    }

    /// Another interactive message that the protocol allows; nothing is known of what it holds.
    static let interactive = KindModel(
        .interactive, name: interactiveName, isAnsweredByReference: true, isReducedForDevice: true
    ) { $0.judgeFeature() }

    private static let interactiveName = Wording(
        english: "Interactive message", japanese: "インタラクティブメッセージ")
}
