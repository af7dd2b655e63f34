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

    var left: String { pick("Left the conversation", "会話を削除しました") }
    var answeredForm: String { pick("Answered the form", "フォームに回答しました") }

    /// A kind and what it is about.
    func line(_ kind: String, _ title: String?) -> String {
        guard let title, !title.isEmpty else { return kind }
        return pick("\(kind): \(title)", "\(kind)：\(title)")
    }

    func name(of kind: MessageKind) -> String { kind.model.name[language] }

    /// What a customer answered.
    func answer(_ kind: MessageKind, _ chosen: String?, _ feature: JSONValue) -> String {
        if let line = kind.model.feature?.answerLine { return line(feature, self) }
        guard let chosen, !chosen.isEmpty else { return name(of: kind) }
        return pick("Chose \(chosen)", "\(chosen)を選択しました")
    }

    func file(_ mediaType: String) -> String {
        switch mediaType.prefix(while: { $0 != "/" }) {
        case "image": pick("Picture", "写真")
        case "video": pick("Video", "動画")
        case "audio": pick("Audio", "音声")
        default: pick("File", "ファイル")
        }
    }
}
