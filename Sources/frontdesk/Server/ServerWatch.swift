import DeskAPI
import DeskGateway
import DeskHTTP
import DeskModel
import DeskWeb

/// Does around the gateway's requests what the API does around its own: the same names, lines and counts.
struct ServerWatch: GatewayWatch {
    let notes: RequestNotes
    let disk: DiskGuard

    var isFull: Bool { disk.isFull }

    func begin(_ request: Request) -> RequestTrace { notes.begin(request) }

    func end(
        _ trace: RequestTrace, operation: String, _ status: Status, refusal: GatewayRefusal?,
        by link: GatewayLinkID?, lasting span: Duration
    ) {
        notes.end(
            trace, operation: operation, status, refusal.flatMap(Self.problem),
            isMeant: refusal?.isMeant ?? false, by: link.map { "link:\($0.text)" }, lasting: span)
    }

    func noteRefused() { disk.noteRefused() }

    func noteFull() { disk.noteFull() }

    /// The word under which the API counts a refusal of this kind; nil for one that it never gives.
    private static func problem(_ refusal: GatewayRefusal) -> ProblemCode? {
        switch refusal.status {
        case .badRequest: .badRequest
        case .unauthorized: .unauthenticated
        case .forbidden: .forbidden
        case .notFound: .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .requestTimeout: .requestTimeout
        case .gone: .customerLeft
        case .contentTooLarge: .tooLarge
        case .unsupportedMediaType: .unsupportedMediaType
        case .tooManyRequests: .rateLimited
        case .serviceUnavailable: refusal == .storageFull ? .storageFull : .unavailable
        default: nil
        }
    }
}
