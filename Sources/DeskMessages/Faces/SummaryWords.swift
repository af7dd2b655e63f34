import DeskJSON
import DeskModel

/// The words of summaries in one language.
struct SummaryWords {
    let language: Language

    private func pick(_ english: String, _ japanese: String) -> String {
        switch language {
        case .english: english
        case .japanese: japanese
        }
    }

    var link: String { pick("Link", "リンク") }
    var app: String { pick("App", "アプリ") }
    var left: String { pick("Left the conversation", "会話を削除しました") }
    var interactive: String { pick("Interactive message", "インタラクティブメッセージ") }

    /// A kind and what it is about.
    func line(_ kind: String, _ title: String?) -> String {
        guard let title, !title.isEmpty else { return kind }
        return pick("\(kind): \(title)", "\(kind)：\(title)")
    }

    /// The name of a kind that asks something.
    func name(of kind: MessageKind) -> String {
        switch kind {
        case .text: pick("Text", "テキスト")
        case .quickReply: pick("Quick reply", "クイック返信")
        case .list: pick("List", "リスト")
        case .time: pick("Times", "日時")
        case .payment: pick("Payment", "支払い")
        case .app: app
        case .richLink: link
        case .form: pick("Form", "フォーム")
        case .authentication: pick("Sign-in", "サインイン")
        case .invitation: pick("Invitation", "招待")
        case .reference, .interactive: interactive
        }
    }

    /// What a customer answered.
    func answer(_ kind: MessageKind, _ chosen: String?, _ feature: JSONValue) -> String {
        switch kind {
        case .payment:
            let state = feature["state"]?.string ?? ""
            if state == "paymentNotCompleted" { return language.paymentNotCompleted }
            // A state that is not known is shown as it is.
            return PaymentOutcome(rawValue: state).map { language.payment($0) }
                ?? line(name(of: kind), state)
        case .authentication:
            switch feature["status"]?.string {
            case "authenticated": return language.signIn(isDone: true)
            case "failed": return language.signIn(isDone: false)
            // A word that is not known is no failure (protocol page 13.17).
            case let status: return line(name(of: kind), status)
            }
        case .form: return pick("Answered the form", "フォームに回答しました")
        case .invitation:
            let title = feature["displayContent"]?["determinateResponse"]?["title"]?.string
            return line(name(of: kind), title ?? feature["id"]?.string)
        case .text, .quickReply, .list, .time, .app, .richLink, .reference, .interactive:
            guard let chosen, !chosen.isEmpty else { return name(of: kind) }
            return pick("Chose \(chosen)", "\(chosen)を選択しました")
        }
    }

    /// A file by its media type.
    func file(_ mediaType: String) -> String {
        switch mediaType.prefix(while: { $0 != "/" }) {
        case "image": pick("Picture", "写真")
        case "video": pick("Video", "動画")
        case "audio": pick("Audio", "音声")
        default: pick("File", "ファイル")
        }
    }
}
