import DeskHTTP

/// An answer's body as it arrives; releasing it ends the transfer.
final class CurlAnswerBody: BodySource {
    private let transfer: CurlTransfer
    private let client: CurlClient

    init(_ transfer: CurlTransfer, client: CurlClient) {
        self.transfer = transfer
        self.client = client
    }

    deinit { client.letGo(transfer) }

    func next() async throws(BodyError) -> [UInt8]? {
        let piece = await withTaskCancellationHandler {
            await transfer.wait { state -> Result<[UInt8]?, OutgoingError>? in
                guard state.unread.isEmpty else {
                    let piece = state.unread
                    state.unread = []
                    return .success(piece)
                }
                return state.end?.map { nil }
            }
        } onCancel: {
            client.letGo(transfer)
        }
        switch piece {
        case .success(let piece):
            if transfer.pauses.receive { client.goOn(transfer) }
            return piece
        case .failure(let error): throw CurlAnswerBody.bodyError(for: error)
        }
    }

    private static func bodyError(for error: OutgoingError) -> BodyError {
        switch error.code {
        case .timeout: .tooSlow
        case .tooLarge: .tooLarge
        case .address, .name, .forbidden, .connection, .security, .cutOff, .cancelled:
            .disconnected
        }
    }
}
