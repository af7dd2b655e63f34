package import DeskHTTP
package import DeskJSON
import Synchronization

/// A server of chat completions that answers what it was given, in order.
package final class ScriptedModel: OutgoingClient {
    /// One answer.
    package enum Answer: Sendable {
        /// What the model writes.
        case says(String)
        /// An answer's whole body.
        case body(String)
        /// Another status.
        case status(Int)
        /// No answer.
        case fails(OutgoingError.Code)
    }

    private struct State {
        var answers: [Answer]
        var requests: [OutgoingRequest] = []
    }

    private let state: Mutex<State>
    private let whenAsked: @Sendable () -> Void

    /// Gives these answers, and then refuses.
    package init(_ answers: [Answer], whenAsked: @escaping @Sendable () -> Void = {}) {
        state = Mutex(State(answers: answers))
        self.whenAsked = whenAsked
    }

    /// Everything that was asked.
    package var requests: [OutgoingRequest] { state.withLock { $0.requests } }

    /// The bodies of what was asked, as JSON.
    package var bodies: [JSONValue] {
        requests.compactMap { request in
            guard case .bytes(let bytes) = request.body else { return nil }
            return JSONValue.parsed(bytes)
        }
    }

    /// The texts of all messages of a request, in order.
    package static func texts(of body: JSONValue) -> [String] {
        body["messages"].map { $0.elements.compactMap { $0["content"]?.string } } ?? []
    }

    package func send(_ request: OutgoingRequest) async throws(OutgoingError) -> OutgoingAnswer {
        let answer = state.withLock { state in
            state.requests.append(request)
            return state.answers.isEmpty ? nil : state.answers.removeFirst()
        }
        whenAsked()
        switch answer {
        case .says(let text):
            let content = JSON.string(text).text()
            let body =
                #"{"choices":[{"message":{"role":"assistant","content":\#(content)},"finish_reason":"stop"}]}"#
            return Self.answer(200, body)
        case .body(let body): return Self.answer(200, body)
        case .status(let status): return Self.answer(status, "{}")
        case .fails(let code): throw OutgoingError(code, "scripted")
        case nil: throw OutgoingError(.connection, "nothing more is scripted")
        }
    }

    package func open(_ request: OutgoingRequest) async throws(OutgoingError) -> OutgoingAnswer {
        try await send(request)
    }

    private static func answer(_ status: Int, _ body: String) -> OutgoingAnswer {
        OutgoingAnswer(status: Status(status), body: RequestBody(Array(body.utf8)))
    }
}
