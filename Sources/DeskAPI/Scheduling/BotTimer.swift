import DeskBroker
import DeskLog
import DeskModel
import DeskStore
import DeskWeb

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
    /// Conversations that are read at once.
    static let stride = 100

    private let services: Services

    /// Works on the store of a server.
    public init(services: Services) { self.services = services }

    /// Looks whenever this process holds the lease, until it is cancelled.
    public func run() async {
        await LeaseHolder(of: services.store, named: Self.lease).run { _ in
            while !Task.isCancelled {
                do throws(StoreError) {
                    // A full page may have more behind it.
                    if try await self.doRound() == Self.stride { continue }
                } catch {
                    self.services.log.warning(
                        "bot_timer_failed", ["reason": .text(error.description)])
                }
                // Safe: the loop asks for cancellation.
                try? await self.services.time.sleep(Self.pause)
            }
        }
    }

    /// Hands over what is overdue now; returns how many there were.
    func doRound() async throws(StoreError) -> Int {
        let overdue = try await services.store.overdueControls(
            until: services.time.now(), limit: Self.stride)
        for control in overdue where !Task.isCancelled {
            do throws(BrokerError) {
                try await services.broker.endBotWait(control)
            } catch {
                switch error {
                case .refused: continue
                case .store(let failure):
                    guard failure.code == .damaged else { throw failure }
                    services.log.warning(
                        "bot_timer_damaged", ["conversation": .text(control.conversation.text)])
                }
            }
        }
        return overdue.count
    }
}
