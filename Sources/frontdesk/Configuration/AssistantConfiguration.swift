import DeskAssistant
import DeskCommandLine
import DeskHTTP

/// The operator's model, as the command line names it.
struct AssistantConfiguration: Sendable, Equatable {
    let url: String
    /// What is sent as a bearer token; nil where the model's server needs none.
    let key: String?
    let model: String
    /// What is removed from texts before they are sent.
    let blanks: Set<Blanking.Kind>

    /// Reads the flags; nil without `--assistant-url`, which leaves everything off.
    static func read(_ parsed: Parsed) throws(UsageError) -> AssistantConfiguration? {
        guard let typed = parsed["assistant-url"] else {
            for flag in ["assistant-key-file", "assistant-model", "assistant-blanks"]
            where parsed[flag] != nil {
                throw UsageError(
                    "--\(flag) needs --assistant-url",
                    hint: "for example --assistant-url http://127.0.0.1:11434/v1")
            }
            return nil
        }
        guard typed.hasPrefix("http://") || typed.hasPrefix("https://") else {
            throw UsageError(
                "--assistant-url is an address that begins with http:// or https://, not \"\(typed)\"",
                hint: "for example --assistant-url http://127.0.0.1:11434/v1")
        }
        guard let model = parsed["assistant-model"], !model.isEmpty, model.utf8.count <= 200 else {
            throw UsageError(
                "--assistant-model is needed beside --assistant-url: the model's name there",
                hint: "for example --assistant-model llama3.2")
        }
        var key: String?
        if let path = parsed["assistant-key-file"] {
            key = try RemoteServer.readSecret(path)
            guard key?.isEmpty == false else {
                throw UsageError("the file of --assistant-key-file has no key")
            }
        }
        return AssistantConfiguration(
            url: typed, key: key, model: model, blanks: try blanks(parsed["assistant-blanks"]))
    }

    private static func blanks(_ text: String?) throws(UsageError) -> Set<Blanking.Kind> {
        guard let text else { return Set(Blanking.Kind.allCases) }
        guard text != "none" else { return [] }
        var kinds: Set<Blanking.Kind> = []
        for word in text.split(separator: ",") {
            guard let kind = Blanking.Kind(rawValue: String(word.filter { !$0.isWhitespace }))
            else {
                throw UsageError(
                    "--assistant-blanks does not accept \"\(word)\"",
                    hint: "it accepts none, or words of cards, emails, phones with commas between")
            }
            kinds.insert(kind)
        }
        return kinds
    }

    /// The assistant, which asks with a client whose rules of addresses hold.
    func make(
        client: any OutgoingClient, schemas: [(name: String, bytes: [UInt8])], seconds: Int
    ) -> Assistant {
        Assistant(
            ChatCompletions(url: url, key: key, model: model, client: client), blanks: blanks,
            schemas: schemas, deadline: .seconds(seconds))
    }
}
