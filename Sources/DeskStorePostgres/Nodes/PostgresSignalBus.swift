import DeskModel
public import DeskStore
import Synchronization

/// The signals of all nodes that share a database: gathered for 50 ms, of each subject the newest.
///
/// Listeners of the publishing node are called before `publish` returns, those of others by a notice.
public final class PostgresSignalBus: SignalBus {
    private let local = LocalSignalBus()
    private let pending = PendingSignals()
    private let gatherer: NoticeGatherer

    /// A bus over a node's notices, once for each node.
    public init(_ notices: PostgresNotices) {
        gatherer = NoticeGatherer(
            notices, on: .signals, every: .milliseconds(50),
            drain: { [pending] _ in pending.drain().map(\.text) },
            receive: { [local] item, _ in
                // What a newer program says, this one does not understand, and readers bear the loss.
                if let notice = SignalNotice(text: item) { local.publish([notice]) }
            })
    }

    /// What was lost is made up for within this time; presence that is not repeated for three ends.
    public var repeatInterval: Duration? { .seconds(20) }

    /// Sends notices to the listeners of every node.
    public func publish(_ notices: [SignalNotice]) {
        local.publish(notices)
        pending.add(notices)
        gatherer.gather()
    }

    /// Sends what was gathered, without waiting for more.
    package func flush() { gatherer.gather(atOnce: true) }

    /// Calls a listener with what any node publishes from now on.
    public func subscribe(_ listener: @escaping @Sendable ([SignalNotice]) -> Void) {
        local.subscribe(listener)
    }
}

/// What was published and not sent yet: the newest notice of each subject, in the order they came.
private final class PendingSignals: Sendable {
    /// Most subjects that wait; what comes beyond them is lost, which readers bear.
    private static let maximum = 20_000

    private struct Subject: Hashable {
        let kind: Signal.Kind
        let business: BusinessID
        let conversation: ConversationID?
        let who: Author
        let stream: UniqueID?
    }

    private struct State {
        var places: [Subject: Int] = [:]
        var notices: [SignalNotice] = []
    }

    private let state = Mutex(State())

    func add(_ notices: [SignalNotice]) {
        state.withLock { state in
            for notice in notices {
                let signal = notice.signal
                let subject = Subject(
                    kind: signal.kind, business: signal.business,
                    conversation: signal.conversation, who: signal.who,
                    stream: notice.report?.stream)
                if let place = state.places[subject] {
                    state.notices[place] = notice
                } else if state.notices.count < Self.maximum {
                    state.places[subject] = state.notices.count
                    state.notices.append(notice)
                }
            }
        }
    }

    func drain() -> [SignalNotice] {
        state.withLock { state in
            defer { state = State() }
            return state.notices
        }
    }
}

extension SignalNotice {
    /// The notice in words.
    var text: String {
        [
            signal.kind.rawValue, signal.state.rawValue, signal.business.text,
            NoticeText.word(ifAny: signal.conversation?.text), signal.who.kind,
            NoticeText.word(signal.who.name),
            NoticeText.word(ifAny: signal.version.map { String($0) }),
            NoticeText.word(ifAny: report?.stream.text),
            NoticeText.word(ifAny: report.map { String($0.number) }),
        ].joined(separator: " ")
    }

    /// Reads what `text` wrote; nil for anything else.
    init?(text: Substring) {
        let words = NoticeText.words(text)
        guard words.count == 9, let kind = Signal.Kind(rawValue: String(words[0])),
            let state = Signal.State(rawValue: String(words[1])),
            let business = BusinessID(words[2]), let name = NoticeText.text(words[5]),
            let who = Author(kind: String(words[4]), name: name)
        else { return nil }
        let conversation = ConversationID(words[3])
        guard conversation != nil || words[3] == "-" else { return nil }
        var report: Report?
        if let stream = UniqueID(words[7]), let number = Int64(words[8]) {
            report = Report(stream: stream, number: number)
        }
        self.init(
            Signal(
                kind: kind, business: business, conversation: conversation, who: who, state: state,
                version: Int64(words[6])), report: report)
    }
}
