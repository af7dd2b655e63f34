import DeskJSON
import DeskMessages
import DeskModel

/// What the scripted customer says and picks; it decides from what it is asked and how much it said.
struct Script: Sendable {
    /// What the customer does next.
    enum Step: Sendable, Equatable {
        case say(String)
        case choose(Choice)
    }

    /// Most messages it ever writes in a conversation, so that two programs never talk for ever.
    static let maximumMessages = 60

    /// How it begins.
    static let opening =
        "Hello! I followed the link to your shop. Is anybody there? "
        + "(I am a scripted customer: answer me and see what happens.)"

    /// What it answers to words, one after the other; then it is silent until a card comes.
    static let answers = [
        "Thank you! What do you have? A list to pick from would be easiest for me. "
            + "(In the composer, choose List.)",
        "And when could I come by? If you send me some times, I pick one. (Choose Time.)",
        "How do I pay? Send me a payment request; it is only a test. (Choose Payment.)",
        "I understand quick replies and app links too. That was all for now, thank you!",
    ]

    /// The step that follows on a message of the business; nil for silence.
    ///
    /// - Parameters:
    ///   - payload: the message as sent.
    ///   - said: how many texts it wrote so far, the opening not counted.
    ///   - written: how many messages it wrote so far in all.
    static func step(
        after kind: MessageKind, payload: [UInt8], said: Int, written: Int
    ) -> Step? {
        guard written < maximumMessages else { return nil }
        if kind == .text { return answers.indices.contains(said) ? .say(answers[said]) : nil }
        let document: JSONDocument
        do { document = try JSONDocument(parsing: payload) } catch { return nil }
        guard let interactive = document.root["interactiveData"] else { return nil }
        return kind.model.sampleAnswer(to: interactive).map { .choose($0) }
    }
}
