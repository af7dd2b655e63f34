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
        switch kind {
        case .text: return answers.indices.contains(said) ? .say(answers[said]) : nil
        case .form: return fill(payload).map { .choose($0) }
        case .list, .time, .quickReply, .payment, .app:
            let document: JSONDocument
            do { document = try JSONDocument(parsing: payload) } catch { return nil }
            return document.root["interactiveData"].flatMap { choice(kind, $0) }.map { .choose($0) }
        case .richLink, .authentication, .invitation, .reference, .interactive: return nil
        }
    }

    /// Takes the first item everywhere, the first day that is offered, and few words.
    private static func fill(_ payload: [UInt8]) -> Choice? {
        guard let form = Form(payload: payload) else { return nil }
        return .form(
            answers: form.fill { page in
                switch page.kind {
                case .select, .picker: .items(page.choices.prefix(1).map(\.identifier))
                case .datePicker: .text(page.firstDate)
                case .input: page.mayStayEmpty ? .text("") : .text("Robin")
                case nil: nil
                }
            })
    }

    private static func choice(_ kind: MessageKind, _ interactive: JSONValue) -> Choice? {
        let data = interactive["data"]
        switch kind {
        case .list:
            let section = data?["listPicker"]?["sections"]?.elements.first { section in
                section["items"]?[0] != nil
            }
            let count = section?["multipleSelection"]?.bool == true ? 2 : 1
            let picked = section?["items"]?.elements.prefix(count)
                .compactMap { $0["identifier"]?.string }
            return picked.flatMap { $0.isEmpty ? nil : .list(identifiers: $0) }
        case .time:
            return data?["event"]?["timeslots"]?[0]?["identifier"]?.string
                .map { .time(identifier: $0) }
        case .quickReply:
            return data?["quick-reply"]?["items"]?[0]?["identifier"]?.string
                .map { .quickReply(identifier: $0) }
        case .payment:
            let method = data?["payment"]?["paymentRequest"]?["shippingMethods"]?[0]
            return .payment(
                .success, status: "STATUS_SUCCESS", shippingMethod: method?["identifier"]?.string)
        case .app:
            return interactive["URL"]?.string.map { url in
                .app(url: url + (url.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + "answer=yes")
            }
        case .text, .richLink, .form, .authentication, .invitation, .reference, .interactive:
            return nil
        }
    }
}
