import DeskBroker
import DeskEventJSON
import DeskHTTP
import DeskModel
import DeskStore
public import DeskWeb

extension RouteTable {
    /// Adds the transcripts of conversations.
    public mutating func addTranscripts() {
        let parameters = ["format", "language", "notes"]
        add(
            .get, "/api/conversations/{conversation}/transcript", operation: "getTranscript",
            permission: .readConversations, business: .conversation, query: .known(parameters),
            rate: .search
        ) { context async throws(Problem) in try await TranscriptRoutes(context).one() }
        add(
            .get, "/api/transcripts", operation: "getTranscripts",
            permission: .readConversations, business: .query,
            query: .known(["conversation", "business"] + parameters), rate: .search
        ) { context async throws(Problem) in try await TranscriptRoutes(context).several() }
    }
}

/// Answers the routes of `addTranscripts`.
struct TranscriptRoutes {
    /// Most conversations of one transcript.
    static let mostConversations = 100

    private enum Truth: String, CaseIterable {
        case `true`, `false`
    }

    private let context: RequestContext
    private var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    func one() async throws(Problem) -> Response {
        try await answer([try context.requireConversation()])
    }

    func several() async throws(Problem) -> Response {
        let query = context.request.query
        let texts = (query["conversation"] ?? "").split(
            separator: ",", omittingEmptySubsequences: false)
        let ids = texts.compactMap { ConversationID($0) }
        guard (1...Self.mostConversations).contains(texts.count), ids.count == texts.count,
            Set(ids).count == ids.count
        else {
            throw Problem(
                parameter: "conversation", in: query,
                allowed: "1 to \(Self.mostConversations) different ids of conversations with "
                    + "commas",
                isRequired: true)
        }
        let businesses = context.businesses
        var found: [Conversation] = []
        for id in ids {
            let one = try await services.findConversation(id)
            guard let one, businesses.contains(one.business) else { throw .notFound }
            found.append(one)
        }
        return try await answer(found)
    }

    private func answer(_ conversations: [Conversation]) async throws(Problem) -> Response {
        let query = context.request.query
        let format = try query.word("format", TranscriptFormat.self) ?? .html
        let language = try query.word("language", TranscriptLanguage.self) ?? .en
        let hasNotes = try query.word("notes", Truth.self) == .true
        let transcript = Transcript(
            of: conversations, in: language, madeAt: services.time.now(),
            names: services.authorNames)
        let services = services
        var response = Response(
            status: .ok,
            body: .stream { stream in
                do {
                    try await transcript.write(
                        as: format, withNotes: hasNotes, from: services.store
                    ) { try await stream.write($0) }
                } catch {
                    // What failed is in the log; that the reader went away is no failure.
                    if let failure = error as? StoreError { _ = services.problem(failure) }
                    await stream.cut()
                }
            })
        let name = conversations.count == 1 ? conversations[0].id.text : "conversations"
        response.headers.append("Content-Type", format.mediaType)
        response.headers.append(
            "Content-Disposition",
            FileName.disposition(
                "transcript-\(name).\(format.rawValue == "text" ? "txt" : format.rawValue)",
                isInline: format == .html))
        response.headers.append("Content-Security-Policy", PageHeaders.untrustedFilePolicy)
        response.headers.append("Cache-Control", "private, no-store")
        return response
    }
}

/// How a transcript is written.
enum TranscriptFormat: String, CaseIterable {
    /// A page of its own, for reading and for printing; nothing in it runs.
    case html
    /// Plain text.
    case text
    /// One JSON object with the messages as the API answers them.
    case json

    var mediaType: String {
        switch self {
        case .html: "text/html; charset=utf-8"
        case .text: "text/plain; charset=utf-8"
        case .json: "application/json"
        }
    }
}
