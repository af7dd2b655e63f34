import DeskBroker
import DeskJSON
import DeskModel
import DeskStore

extension ProviderTarget {
    /// Most messages that are looked at for invitations, which begin a conversation.
    private static let mostMessages = 300

    /// What the invitations of a conversation are called by the provider, each once.
    func invitations(
        in conversation: Conversation
    ) async throws(DeliveryFault) -> [String] {
        do throws(StoreError) {
            let page = try await parts.store.messages(
                in: conversation.id, .after(.start), limit: Self.mostMessages)
            var references: [String] = []
            for message in page.elements
            where message.facts.direction == .outbound && message.facts.kind == .invitation {
                let whole = try await parts.store.findMessage(message.id, in: conversation.id)
                // Safe: an invitation that cannot be read names nothing.
                let root = try? JSONDocument(parsing: whole?.payload.carriedBytes ?? []).root
                let notification = root?["interactiveData"]?["data"]?["notification"]
                guard let reference = notification?["referenceId"]?.string,
                    !references.contains(where: { $0.utf8.elementsEqual(reference.utf8) })
                else { continue }
                references.append(reference)
            }
            return references
        } catch {
            throw DeliveryFault(
                .failed(status: nil, detail: "the store: \(error.code)", retryAfter: nil))
        }
    }
}
