public import DeskBroker
import DeskLinks
import DeskLog
public import DeskModel
import DeskStore

/// Sends events to the providers and upstreams that receive them.
public struct GatewayRunner: Sendable {
    private let parts: GatewayParts
    private let slots: AttemptSemaphore
    private let settings: OutboxSettings
    private let time: TimeSource

    /// Prepares; nothing is sent before `run()`.
    ///
    /// `time` is what attempts wait by; nil means the parts' clock.
    public init(
        _ parts: GatewayParts, slots: AttemptSemaphore, settings: OutboxSettings,
        time: TimeSource? = nil
    ) {
        self.time = time ?? parts.time
        self.parts = parts
        self.slots = slots
        self.settings = settings
    }

    /// Runs one outbox for each link, and passes typing on beside it, until cancelled.
    public func run() async {
        await parts.links.run(beside: { await TypingRelay(id: $0.id, parts: parts).run() }) {
            link in
            if link.isSecretUnreadable {
                parts.log.error(
                    "gateway_link_secret_unreadable", ["link": .text(link.id.text)])
            }
            let target: any DeliveryTarget =
                switch link.side {
                case .provider: ProviderTarget(id: link.id, parts: parts)
                case .upstream: UpstreamTarget(id: link.id, parts: parts)
                case .whatsapp: WhatsAppTarget(id: link.id, parts: parts)
                }
            return Outbox(
                link.outbox, to: target, of: .businesses([link.business]),
                from: parts.broker, settings: settings, slots: slots, time: time,
                log: parts.log)
        }
    }
}

extension DeliveryResult {
    /// Nothing can be signed until the secret of the link is entered again.
    static let secretUnreadable = DeliveryResult.failed(
        status: nil,
        detail: "the secret of the connection cannot be read: enter it again under Settings, "
            + "Gateway", retryAfter: nil)
}
