import Synchronization

/// Where the bytes of a request's body come from; the connection is one, tests bring their own.
public protocol BodySource: Sendable {
    /// Waits for the next piece; nil at the end, for ever after.
    ///
    /// Order: pieces come as sent. Limit: a piece has at most 64 KiB; nothing is read ahead of the
    /// caller beyond one piece. One caller at a time.
    func next() async throws(BodyError) -> [UInt8]?
}

/// Why a body could not be read; the connection is closed after the response.
public enum BodyError: Error, Sendable, Equatable {
    /// More bytes than the route or the caller allows: 413.
    case tooLarge
    /// The framing is broken: 400.
    case malformed
    /// The deadline or the minimum rate was missed: 408.
    case tooSlow
    /// The peer went away, or the server ends.
    case disconnected

    /// The status of the response.
    public var status: Status {
        switch self {
        case .tooLarge: .contentTooLarge
        case .malformed, .disconnected: .badRequest
        case .tooSlow: .requestTimeout
        }
    }

    /// The problem code, for the client's program.
    public var code: String {
        switch self {
        case .tooLarge: "too_large"
        case .malformed: "bad_body_framing"
        case .tooSlow: "body_too_slow"
        case .disconnected: "body_incomplete"
        }
    }
}

/// The body of one request: collected at once, or read piece by piece as it arrives.
///
/// An unread body is skipped when it is small; otherwise the connection ends after the response.
public struct RequestBody: Sendable {
    private enum Origin: Sendable {
        case empty
        case whole(WholeBody)
        case source(any BodySource)
    }

    private let origin: Origin

    /// The length the client declared; nil when it sends chunks.
    public let declaredLength: Int?

    /// Largest number of bytes that may be read; the router sets it to the route's limit.
    public var limit: Int

    /// Makes a body without bytes.
    public init() {
        origin = .empty
        declaredLength = 0
        limit = .max
    }

    /// Makes a body whose bytes are all here.
    public init(_ bytes: [UInt8]) {
        origin = bytes.isEmpty ? .empty : .whole(WholeBody(bytes))
        declaredLength = bytes.count
        limit = .max
    }

    /// Makes a body that is read from `source`; the length is nil when it is not known before.
    public init(source: any BodySource, declaredLength: Int?) {
        origin = .source(source)
        self.declaredLength = declaredLength
        limit = .max
    }

    /// Whether it is known to have no bytes.
    public var isEmpty: Bool { declaredLength == 0 }

    /// Whether the declared length is above the limit already.
    public var exceedsLimit: Bool { (declaredLength ?? 0) > limit }

    /// Waits for the next piece; nil at the end.
    ///
    /// This alone does not count towards `limit`: the caller counts.
    /// Pieces have at most 64 KiB; the socket is not read further until the next call.
    public func next() async throws(BodyError) -> [UInt8]? {
        switch origin {
        case .empty: return nil
        case .whole(let body): return body.take()
        case .source(let source): return try await source.next()
        }
    }

    /// Waits for all of it.
    ///
    /// Limit: the smaller of `count` and `limit`; one byte more throws `tooLarge` without reading on.
    public func collect(upTo count: Int) async throws(BodyError) -> [UInt8] {
        let most = min(count, limit)
        guard (declaredLength ?? 0) <= most else { throw .tooLarge }
        switch origin {
        case .empty: return []
        case .whole(let body): return body.bytes
        case .source(let source):
            guard var all = try await source.next() else { return [] }
            guard all.count <= most else { throw .tooLarge }
            // Memory is reserved for the declared length only once the first bytes have arrived.
            all.reserveCapacity(min(declaredLength ?? 0, most, 16 * all.count))
            while let piece = try await source.next() {
                guard piece.count <= most - all.count else { throw .tooLarge }
                all.append(contentsOf: piece)
            }
            return all
        }
    }

    /// Passes every piece to `consume` as it arrives; reads the next when it returns.
    ///
    /// Limit: the smaller of `count` and `limit`, as `collect`.
    public func forEachPiece<Failure: Error>(
        upTo count: Int, orElse wrap: (BodyError) -> Failure,
        _ consume: ([UInt8]) async throws(Failure) -> Void
    ) async throws(Failure) {
        let most = min(count, limit)
        guard (declaredLength ?? 0) <= most else { throw wrap(.tooLarge) }
        var total = 0
        while true {
            let piece: [UInt8]?
            do throws(BodyError) { piece = try await next() } catch { throw wrap(error) }
            guard let piece else { return }
            guard piece.count <= most - total else { throw wrap(.tooLarge) }
            total += piece.count
            try await consume(piece)
        }
    }
}

/// A body that arrived with its head; readable piecewise once, or whole any number of times.
private final class WholeBody: Sendable {
    let bytes: [UInt8]
    private let isTaken = Atomic(false)

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func take() -> [UInt8]? {
        isTaken.exchange(true, ordering: .relaxed) ? nil : bytes
    }
}
