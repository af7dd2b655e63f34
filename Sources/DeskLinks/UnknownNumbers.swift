public import DeskModel
import Synchronization

/// The numbers at WhatsApp for which posts came that no business here has, by the link that they came at.
///
/// In memory, of this process and since its start.
public final class UnknownNumbers: Sendable {
    /// One number, and its posts.
    public struct Entry: Hashable, Sendable {
        /// Its id at Meta.
        public let number: String
        /// How many posts came for it.
        public internal(set) var posts: Int
        /// When the first of them came.
        public let first: Timestamp
        /// When the last of them came.
        public internal(set) var last: Timestamp
    }

    /// Most numbers that are kept of a link; further ones are counted, and replace one of which nothing came for a day.
    public static let most = 20
    /// Most links of which numbers are kept; one more replaces the one of which nothing came for longest.
    static let mostLinks = 1_000
    private static let day: Int64 = 86_400_000

    private struct State {
        var entries: [GatewayLinkID: [Entry]] = [:]
        var posts = 0
    }

    private let state = Mutex(State())

    /// Nothing came yet.
    public init() {}

    /// How many posts came for such numbers in all, those that are not kept among them.
    public var posts: Int { state.withLock(\.posts) }

    /// Notes that a post for a number came at a link.
    ///
    /// - Returns: whether it is the first on its day (UTC) for a number that is kept.
    public func note(_ number: String, at link: GatewayLinkID, time: Timestamp) -> Bool {
        state.withLock { state in
            state.posts += 1
            var own = state.entries[link] ?? []
            if let place = own.firstIndex(where: { $0.number.utf8.elementsEqual(number.utf8) }) {
                let last = own[place].last
                own[place].posts += 1
                own[place].last = max(last, time)
                state.entries[link] = own
                return Self.dayNumber(of: time) > Self.dayNumber(of: last)
            }
            if own.count >= Self.most {
                guard let place = own.indices.min(by: { own[$0].last < own[$1].last }),
                    time.milliseconds - own[place].last.milliseconds >= Self.day
                else { return false }
                own.remove(at: place)
            }
            if own.isEmpty { Self.makeRoom(in: &state) }
            own.append(Entry(number: number, posts: 1, first: time, last: time))
            state.entries[link] = own
            return true
        }
    }

    /// What is kept of a link, in the order in which the numbers came first.
    func entries(at link: GatewayLinkID) -> [Entry] { state.withLock { $0.entries[link] ?? [] } }

    private static func dayNumber(of time: Timestamp) -> Int64 { time.milliseconds / day }

    private static func makeRoom(in state: inout State) {
        guard state.entries.count >= mostLinks else { return }
        let newest = state.entries.mapValues { $0.map(\.last.milliseconds).max() ?? 0 }
        if let oldest = newest.min(by: { $0.value < $1.value }) { state.entries[oldest.key] = nil }
    }
}
