import DeskJSON
import DeskModel

extension KindModel {
    /// Pages of questions and what was answered (protocol page 3.11).
    static let form = KindModel(
        .form, name: Wording(english: "Form", japanese: "フォーム"),
        schemas: Schemas(outbound: "form", inbound: "form-reply"),
        feature: Feature(
            key: "dynamic", answerMember: "selections",
            judge: { $0.judgeForm($1) },
            answerLine: { _, words in words.answeredForm }),
        capability: { _ in .form },
        sample: { interactive in
            guard let dynamic = interactive["data"]?["dynamic"] else { return nil }
            return .form(answers: Form(dynamic).fill { sampleEntry(on: $0) })
        })

    /// The first item everywhere, the first day that is offered, and few words.
    private static func sampleEntry(on page: FormPage) -> FormAnswer.Entry? {
        switch page.kind {
        case .select, .picker: .items(page.choices.prefix(1).map(\.identifier))
        case .datePicker: .text(page.firstDate)
        case .input: page.mayStayEmpty ? .text("") : .text("Robin")
        case nil: nil
        }
    }
}
