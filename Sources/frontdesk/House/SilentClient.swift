import DeskHTTP

/// Asks nobody; stands in until the house has a client.
struct SilentClient: OutgoingClient {
    func send(_ request: OutgoingRequest) async throws(OutgoingError) -> OutgoingAnswer {
        throw OutgoingError(.connection, "nothing is sent yet")
    }

    func open(_ request: OutgoingRequest) async throws(OutgoingError) -> OutgoingAnswer {
        try await send(request)
    }
}
