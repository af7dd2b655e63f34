import DeskJSON
import DeskModel

extension Request {
    /// The answer to a form: one selection for each page that was gone through (protocol page 2.4).
    ///
    /// The answers have to be a way through the form, from its start page to an end.
    func answerForm(_ answers: [FormAnswer], now: Timestamp?) throws(ReplyError) -> Reply {
        let form = Form(try require("dynamic"))
        var expected = form.start
        var selections: [(page: FormPage, items: (inout JSONWriter) -> Void)] = []
        var bytes = 0
        for (place, answer) in answers.enumerated() {
            guard let page = expected, page.identifier.utf8.elementsEqual(answer.page.utf8) else {
                throw ReplyError(.badChoice, "answer \(place) is not to the page that follows")
            }
            // Ways may lead in circles: what each answer copies is known before anything is made.
            bytes += page.node.range.count
            guard bytes <= Reply.maximumBytes else {
                throw ReplyError(
                    .tooMany, "the pages answered have more than \(Reply.maximumBytes) bytes in all"
                )
            }
            do throws(ReplyError) {
                selections.append((page, try page.items(for: answer.entry, now: now)))
            } catch {
                throw ReplyError(error.code, "answer \(place): \(error.detail)")
            }
            expected = form.page(after: page, answeredBy: answer.entry)
        }
        guard expected == nil, !selections.isEmpty else {
            throw ReplyError(.badChoice, "the answers end before the form does")
        }
        let spoken = interactive["replyMessage"]?["alternateTitle"]?.string
        return reply(
            .form, bubble: ReplyBubble(title: askedTitle, spoken: spoken), feature: "dynamic"
        ) { text in
            text.object { text in
                text.member("version", form.dynamic["version"]?.string ?? "1.2")
                text.member("template", "messageForms")
                text.member("private", copying: form.dynamic["private"])
                text.key("selections")
                text.array { text in
                    for (page, items) in selections {
                        text.object { text in
                            text.member("pageIdentifier", page.identifier)
                            text.member("title", copying: page.node["title"])
                            text.member("subtitle", copying: page.node["subtitle"])
                            text.key("items")
                            text.array(items)
                        }
                    }
                }
            }
        }
    }
}
