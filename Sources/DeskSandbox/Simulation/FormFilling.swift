import DeskAPI
import DeskMessages
import DeskModel
import DeskScript
import DeskWeb

/// A form of the business's while a script fills it in.
struct FormFilling {
    private let form: Form

    /// Reads a message; nil when it is no form.
    init?(_ message: StoredMessage) {
        guard message.facts.kind == .form, let bytes = message.payload.carriedBytes,
            let form = Form(payload: bytes)
        else { return nil }
        self.form = form
    }

    /// The way through the form with a script's answers; a page that may stay empty needs none.
    func choice(of answers: [ScriptStep.PageAnswer]) -> Result<Choice, Problem> {
        var problem: String?
        var used: Set<String> = []
        let filled = form.fill { page in
            guard problem == nil else { return nil }
            let answer = answers.first { $0.page.utf8.elementsEqual(page.identifier.utf8) }
            guard let answer else {
                guard page.mayStayEmpty else {
                    problem =
                        "The page \(Quoted.text(page.identifier)) is not answered; it asks "
                        + "\(Quoted.text(page.question))."
                    return nil
                }
                return page.kind == .input ? .text("") : .items([])
            }
            used.insert(answer.page)
            switch entry(on: page, answer.values) {
            case .success(let entry): return entry
            case .failure(let failure):
                problem = failure.detail
                return nil
            }
        }
        if problem == nil, let idle = answers.first(where: { !used.contains($0.page) }) {
            let way = filled.map { Quoted.text($0.page) }.joined(separator: ", ")
            problem = "The form never came to the page \(Quoted.text(idle.page)), only to \(way)."
        }
        if let problem { return .failure(Problem(.notOffered, problem)) }
        return .success(.form(answers: filled))
    }

    private func entry(
        on page: FormPage, _ values: [String]
    ) -> Result<FormAnswer.Entry, Problem> {
        switch page.kind {
        case .input, .datePicker, nil:
            guard values.count == 1, let text = values.first else {
                return .failure(
                    Problem(
                        .notOffered, "The page \(Quoted.text(page.identifier)) takes one answer."))
            }
            return .success(.text(text))
        case .select, .picker:
            var chosen: [String] = []
            for value in values {
                let item =
                    page.choices.first { $0.identifier.utf8.elementsEqual(value.utf8) }
                    ?? page.choices.first { $0.title.utf8.elementsEqual(value.utf8) }
                guard let item else {
                    let offered = page.choices.map { Quoted.text($0.identifier) }
                        .joined(separator: ", ")
                    return .failure(
                        Problem(
                            .notOffered,
                            "\(Quoted.text(value)) is not offered on the page "
                                + "\(Quoted.text(page.identifier)); there are: \(offered)."))
                }
                chosen.append(item.identifier)
            }
            return .success(.items(chosen))
        }
    }
}
