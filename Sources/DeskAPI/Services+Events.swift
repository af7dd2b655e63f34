import DeskBroker
import DeskLog
import DeskModel

extension Services {
    /// Publishes what was done already; where that cannot be stored the request has succeeded all the same.
    func announcing(
        _ log: Log, _ publish: (Broker) async throws(BrokerError) -> Void
    ) async {
        do throws(BrokerError) {
            try await publish(broker)
        } catch {
            log.warning("event_not_stored", ["error": .text("\(error)")])
        }
    }
}
