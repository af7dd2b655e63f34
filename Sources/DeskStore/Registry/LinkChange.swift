public import DeskModel

/// A change of links to providers and upstreams, and of outboxes.
public enum LinkChange: Hashable, Sendable {
    /// A link was added or changed.
    case saveLink(GatewayLinkID, of: BusinessID)
    /// A link was removed.
    case removeLink(GatewayLinkID, of: BusinessID?)
    /// A conversation's customer is reached over an upstream link from now on.
    case bindUpstream(ConversationID, to: GatewayLinkID)
    /// Ciphertext was kept.
    case saveObject(String, of: BusinessID)
    /// Ciphertext is kept for good, since a message names it.
    case keepObjects([String])
    /// Expired ciphertext was deleted.
    case pruneObjects(before: Timestamp)
    /// An exchange over a link was noted.
    case noteExchange(over: GatewayLinkID, of: BusinessID)
    /// An outbox was begun.
    case openOutbox(OutboxID)
    /// An outbox was ended.
    case closeOutbox(OutboxID)
    /// Deliveries were queued, or a cursor moved.
    case enqueue(of: OutboxID)
    /// Deliveries were claimed before they are sent.
    case claim(of: OutboxID)
    /// The result of an attempt at a delivery was stored.
    case settleDelivery(of: OutboxID, at: Position)
    /// What a channel said of an accepted message was kept.
    case noteReceipt(of: OutboxID, at: Position)
    /// As many dead deliveries are attempted again.
    case requeue(of: OutboxID, count: Int)
    /// Deliveries were brought forward.
    case reschedule(of: OutboxID)
    /// Old deliveries were deleted.
    case pruneDeliveries
    /// A webhook endpoint was added, changed, enabled or disabled.
    case saveWebhook(WebhookID, of: BusinessID)
    /// A webhook endpoint was removed.
    case removeWebhook(WebhookID, of: BusinessID?)
    /// It was noted what a handshake with an endpoint found.
    case noteHandshake(WebhookID)
    /// Results of attempts at deliveries to endpoints were stored.
    case settleWebhooks
    /// Deliveries of an endpoint that is to be removed were removed.
    case removeDeliveries(of: OutboxID)

    /// What is written down of it.
    var facts: ChangeFacts {
        switch self {
        case .saveLink(let id, let business): .kept("link_saved", id.text, of: business)
        case .removeLink(let id, let business): .kept("link_removed", id.text, of: business)
        case .bindUpstream(let conversation, _):
            .bookkeeping("upstream_bound", conversation.text)
        case .saveObject(let id, let business): .bookkeeping("object_kept", id, of: business)
        case .keepObjects: .bookkeeping("objects_named")
        case .pruneObjects: .bookkeeping("objects_pruned")
        case .noteExchange(let link, let business):
            .bookkeeping("exchange_noted", link.text, of: business)
        case .openOutbox(let id): .kept("outbox_opened", id.text)
        case .closeOutbox(let id): .kept("outbox_closed", id.text)
        case .enqueue(let id): .bookkeeping("deliveries_queued", id.text)
        case .claim(let id): .bookkeeping("deliveries_claimed", id.text)
        case .settleDelivery(let id, _): .bookkeeping("delivery_attempted", id.text)
        case .noteReceipt(let id, _): .bookkeeping("receipt_noted", id.text)
        case .requeue(let id, _): .kept("deliveries_requeued", id.text)
        case .reschedule(let id): .kept("deliveries_rescheduled", id.text)
        case .pruneDeliveries: .bookkeeping("deliveries_pruned")
        case .saveWebhook(let id, let business): .kept("webhook_saved", id.text, of: business)
        case .removeWebhook(let id, let business):
            .kept("webhook_removed", id.text, of: business)
        case .noteHandshake(let id): .bookkeeping("webhook_handshake", id.text)
        case .settleWebhooks: .bookkeeping("webhooks_attempted")
        case .removeDeliveries(let id): .bookkeeping("deliveries_removed", id.text)
        }
    }
}
