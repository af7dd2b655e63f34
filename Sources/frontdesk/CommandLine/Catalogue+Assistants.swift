import DeskCommandLine

/// What concerns assistants: the operator's model, and programs that use this server.
extension Catalogue {
    /// The flags of `serve` that name the operator's model.
    static let assistant = [
        Flag(
            "assistant-url", .value("URL"),
            "a server with the chat-completions interface, which drafts for agents, such as "
                + "http://127.0.0.1:11434/v1 (default: none)", isConfiguration: true),
        Flag(
            "assistant-key-file", .value("FILE"), "a file with the key for it (default: no key)",
            isConfiguration: true),
        Flag(
            "assistant-model", .value("NAME"), "the name of the model there",
            isConfiguration: true),
        Flag(
            "assistant-blanks", .value("WORDS"),
            "what is removed from texts before they are sent to it: cards, emails, phones, or none "
                + "(default: cards,emails,phones)", isConfiguration: true),
    ]

    static let mcp = CommandDescription(
        "mcp",
        summary: "let an assistant on this machine use a server",
        about: """
            Speaks the Model Context Protocol over standard input and output and passes each message on to /mcp of a \
            server, with a key: an assistant that starts programs can search, read, validate, draft and, with a key \
            that may, send. What it may do is what the key may do. It ends with its input.
            """,
        flags: [server, key, keyFile],
        examples: ["frontdesk mcp --server https://desk.example --key-file key"])
}
