import DeskJSON
import DeskMessages
import DeskModel
import DeskStore

/// The message that asks a customer how satisfied they are: a quick reply, or a form.
///
/// It is called as the message itself, so that an answer names what it answers, whichever way it comes.
struct SatisfactionQuestion {
    let id: MessageID
    let kind: SatisfactionSettings.Kind
    let texts: SatisfactionTexts

    /// The payload without the envelope, which the judge completes.
    var payload: [UInt8] {
        JSONWriter.object { text in
            text.member("v", 1)
            text.member("type", "interactive")
            text.member("interactiveData") { text in
                text.object { text in
                    text.member("bid", Self.extensionName)
                    text.member("data") { text in
                        text.object { text in
                            text.member("version", "1.0")
                            text.member("requestIdentifier", id.text)
                            switch kind {
                            case .quickReply: writeQuickReply(to: &text)
                            case .form: writeForm(to: &text)
                            }
                        }
                    }
                    if kind == .form {
                        text.member("receivedMessage") { text in
                            text.object { $0.member("title", texts.question) }
                        }
                        text.member("replyMessage") { text in
                            text.object { $0.member("title", texts.question) }
                        }
                    }
                }
            }
        }
    }

    /// The payload that thanks one who answered.
    static func thanks(_ words: String) -> [UInt8] {
        JSONWriter.object { text in
            text.member("v", 1)
            text.member("type", "text")
            text.member("body", words)
        }
    }

    /// What draws quick replies and forms.
    private static let extensionName =
        "com.apple.messages.MSMessageExtensionBalloonPlugin:0000000000:"
        + "com.apple.icloud.apps.messages.business.extension"

    private func writeQuickReply(to text: inout JSONWriter) {
        text.member("quick-reply") { text in
            text.object { text in
                text.member("summaryText", texts.question)
                text.member("items") { writeChoices(to: &$0) }
            }
        }
    }

    /// The scores, the best one first.
    private func writeChoices(to text: inout JSONWriter) {
        text.array { text in
            for (score, title) in zip(Satisfaction.scores, texts.choices).reversed() {
                text.object { text in
                    text.member("identifier", SatisfactionName.choice(of: score))
                    text.member("title", title)
                    if kind == .form { text.member("value", title) }
                }
            }
        }
    }

    private func writeForm(to text: inout JSONWriter) {
        text.member("dynamic") { text in
            text.object { text in
                text.member("version", "1.2")
                text.member("template", "messageForms")
                text.member("data") { text in
                    text.object { text in
                        text.member("startPageIdentifier", SatisfactionName.scorePage)
                        text.member("showSummary", false)
                        text.member("pages") { text in
                            text.array { text in
                                writeScorePage(to: &text)
                                writeCommentPage(to: &text)
                            }
                        }
                    }
                }
            }
        }
    }

    private func writeScorePage(to text: inout JSONWriter) {
        text.object { text in
            text.member("pageIdentifier", SatisfactionName.scorePage)
            text.member("type", "select")
            text.member("subtitle", texts.question)
            text.member("multipleSelection", false)
            text.member("items") { writeChoices(to: &$0) }
            text.member("nextPageIdentifier", SatisfactionName.commentPage)
        }
    }

    private func writeCommentPage(to text: inout JSONWriter) {
        text.object { text in
            text.member("pageIdentifier", SatisfactionName.commentPage)
            text.member("type", "input")
            text.member("subtitle", texts.comment)
            text.member("options") { text in
                text.object { text in
                    text.member("inputType", "multiline")
                    text.member("required", false)
                    text.member("maximumCharacterCount", Satisfaction.longestComment)
                }
            }
            text.member("submitForm", true)
        }
    }
}
