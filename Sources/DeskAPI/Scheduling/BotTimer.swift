import DeskBroker
import DeskLog
import DeskModel
import DeskStore
import DeskWeb
import Synchronization

/// Hands conversations to people whose bots did not answer in time, in one process of those that share a store.
///
/// Its only state is the moment in each conversation's row of control. Each hand-over demands that moment in its
/// commit, so that a bot that answers at the last moment and a second process that believes to hold the lease change
/// nothing of it. It has a lease of its own, which programs that know no bots never hold.
public final class BotTimer: Sendable {
    /// The lease of the process that does it.
    static let lease = "bots"
    /// Time between two looks.
    static let pause = Duration.milliseconds(500)

    /// How long a conversation that is damaged is passed over.
    static let damagedSeconds: Int64 = 600
    /// Most of them that are remembered; of further ones each is looked at, and logged, in every round.
    static let mostDamaged = 10_000

    private let services: Services
    /// Conversations that are read at once.
    private let stride: Int
    /// Until when damaged conversations are passed over.
    private let damaged = Mutex<[ConversationID: Timestamp]>([:])

    /// Works on the store of a server.
    public convenience init(services: Services) { self.init(services: services, stride: 100) }

    init(services: Services, stride: Int) {
        self.services = services
        self.stride = stride
    }

    /// Looks whenever this process holds the lease, until it is cancelled.
    public func run() async {
        await LeaseHolder(of: services.store, named: Self.lease).run { _ in
            while !Task.isCancelled {
                do throws(StoreError) {
                    _ = try await self.doRound()
                } catch {
                    self.services.log.warning(
                        "bot_timer_failed", ["reason": .text(error.description)])
                }
                // Safe: the loop asks for cancellation.
                try? await self.services.time.sleep(Self.pause)
            }
        }
    }

    /// Hands over what is overdue now, page after page; returns how many conversations it handed over.
    ///
    /// A page begins behind the one before, so that what stays as it is keeps nothing behind it waiting.
    func doRound() async throws(StoreError) -> Int {
        let now = services.time.now()
        damaged.withLock { damaged in damaged = damaged.filter { $0.value > now } }
        var count = 0
        var last: Control?
        while !Task.isCancelled {
            let page = try await services.store.overdueControls(
                until: now, after: last, limit: stride)
            for control in page where !Task.isCancelled && !isPassedOver(control) {
                if try await end(control, at: now) { count += 1 }
            }
            guard page.count == stride else { break }
            last = page.last
        }
        return count
    }

    private func isPassedOver(_ control: Control) -> Bool {
        damaged.withLock { $0[control.conversation] != nil }
    }

    /// Hands a conversation over; false where a bot answered meanwhile, or the conversation is damaged.
    private func end(_ control: Control, at now: Timestamp) async throws(StoreError) -> Bool {
        do throws(BrokerError) {
            try await services.broker.endBotWait(control)
            return true
        } catch {
            switch error {
            case .refused: return false
            case .store(let failure):
                guard failure.code == .damaged else { throw failure }
                services.log.warning(
                    "bot_timer_damaged", ["conversation": .text(control.conversation.text)])
                damaged.withLock { damaged in
                    guard damaged.count < Self.mostDamaged else { return }
                    damaged[control.conversation] = now.advanced(
                        by: .seconds(Self.damagedSeconds))
                }
                return false
            }
        }
    }
}
