/// The languages of the few words that a transcript has of its own.
enum TranscriptLanguage: String, CaseIterable, Sendable {
    case en, ja

    var title: String { pick("Transcript", "会話の記録") }
    var conversationWith: String { pick("Conversation with", "会話:") }
    var customer: String { pick("Customer", "お客様") }
    var opened: String { pick("Opened", "開始") }
    var made: String { pick("Printed", "作成") }
    var note: String { pick("Note", "メモ") }
    var file: String { pick("File", "ファイル") }
    var erased: String { pick("The content was erased.", "内容は消去されました。") }
    var damaged: String { pick("Cannot be read: message", "読めないメッセージ:") }

    private func pick(_ english: String, _ japanese: String) -> String {
        switch self {
        case .en: english
        case .ja: japanese
        }
    }
}
