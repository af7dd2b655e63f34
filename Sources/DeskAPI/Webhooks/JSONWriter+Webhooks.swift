import DeskJSON
import DeskModel
import DeskStore
import DeskWebhooks

extension JSONWriter {
    /// Writes an endpoint; its secret only where it was made now.
    mutating func webhook(
        _ webhook: Webhook, at now: Timestamp, pending: Int,
        _ counts: [Delivery.State: Int]? = nil, showsSecret: Bool = false
    ) {
        object { text in
            text.member("id", webhook.id.text)
            text.member("url", webhook.url)
            text.member("description", webhook.description)
            text.member("types") { text in
                text.array { text in for type in webhook.types { text.string(type.rawValue) } }
            }
            text.member("filter") { text in
                text.object { text in
                    text.member("direction", webhook.direction?.rawValue)
                    text.member("labels") { text in
                        text.array { text in for id in webhook.labels { text.string(id.text) } }
                    }
                }
            }
            text.member("payload", webhook.payload.rawValue)
            text.member("headers") { text in
                text.array { text in for header in webhook.headers { text.string(header.name) } }
            }
            text.member("order", webhook.order.rawValue)
            text.member("concurrency", webhook.concurrency)
            text.member("signing", webhook.signing.rawValue)
            text.member("publicKey", webhook.publicKey)
            text.member("isSecretReadable", !webhook.isSecretUnreadable)
            text.member(
                "formerSecretUntil",
                webhook.formerSecret.flatMap { $0.until > now ? $0.until : nil })
            text.member("state", webhook.disabled == nil ? "enabled" : "disabled")
            text.member("reason", webhook.disabled?.reason.rawValue)
            text.member("disabledAt", webhook.disabled?.time)
            text.member("failingSince", webhook.failingSince)
            text.member("handshake") { text in
                if let handshake = webhook.handshake {
                    text.webhookHandshake(handshake)
                } else {
                    text.null()
                }
            }
            text.member("pendingDeliveries", min(pending, Webhook.mostCounted))
            text.member("createdAt", webhook.createdAt)
            if let counts {
                text.member("deliveries") { text in
                    text.object { text in
                        text.member("pending", counts[.pending] ?? 0)
                        text.member("delivered", counts[.delivered] ?? 0)
                        text.member("dead", counts[.dead] ?? 0)
                    }
                }
            }
            if showsSecret { text.member("secret", webhook.sharedSecret) }
        }
    }

    /// Writes what a handshake found.
    mutating func webhookHandshake(_ handshake: WebhookHandshake) {
        object { text in
            text.member("time", handshake.time)
            text.member("result", handshake.result.rawValue)
            text.member("signed") { $0.webhookProbe(handshake.signed) }
            text.member("forged") { $0.webhookProbe(handshake.forged) }
        }
    }

    private mutating func webhookProbe(_ probe: WebhookProbe) {
        object { text in
            text.webhookStatus(probe.status)
            text.member("detail", probe.detail)
            text.member("milliseconds", probe.milliseconds)
        }
    }

    private mutating func webhookStatus(_ status: Int?) {
        member("status") { text in
            if let status { text.number(status) } else { text.null() }
        }
    }

    /// Writes what an attempt came to.
    mutating func webhookAttempt(_ attempt: DeliveryAttempt) {
        object { text in
            text.member("time", attempt.time)
            text.member("milliseconds", attempt.milliseconds ?? 0)
            text.webhookStatus(attempt.status)
            text.member("detail", attempt.detail)
            text.member("answer", attempt.answer.map { String(decoding: $0, as: UTF8.self) })
        }
    }

    /// Writes a delivery; `fields` are those of each post, which are no secrets.
    mutating func webhookDelivery(
        _ delivery: Delivery, _ event: Event?, of webhook: Webhook,
        _ fields: [(name: String, value: String)]
    ) {
        object { text in
            text.member("position", Int(delivery.position.value))
            text.member("event", event?.id.text)
            text.member("type", event?.type.rawValue)
            text.member("time", event?.time)
            text.member("conversation", event?.conversation?.id.text)
            text.member("state", delivery.state.rawValue)
            text.member("attempts", delivery.attempts)
            text.member("due", delivery.due)
            text.member("request") { text in
                guard let event, let last = delivery.last else { return text.null() }
                text.webhookRequest(event, last, of: webhook, fields)
            }
            text.member("last") { text in
                if let last = delivery.last { text.webhookAttempt(last) } else { text.null() }
            }
        }
    }

    private mutating func webhookRequest(
        _ event: Event, _ last: DeliveryAttempt, of webhook: Webhook,
        _ fields: [(name: String, value: String)]
    ) {
        let begin = last.time.milliseconds - Int64(last.milliseconds ?? 0)
        let own: [(String, String?)] = [
            (WebhookHeaders.idField, event.id.text),
            (WebhookHeaders.timestampField, String(begin / 1_000)),
            (WebhookHeaders.signatureField, nil),
        ]
        let all: [(String, String?)] =
            fields.map { ($0.name, $0.value) } + own + webhook.headers.map { ($0.name, nil) }
        object { text in
            text.member("headers") { text in
                text.array { text in
                    for (name, value) in all {
                        text.object { text in
                            text.member("name", name)
                            text.member("value", value)
                        }
                    }
                }
            }
        }
    }
}

extension Webhook {
    /// What verifies its deliveries and may be shown: `whpk_…`, for v1a alone.
    fileprivate var publicKey: String? {
        guard signing == .v1a else { return nil }
        // Safe: a seed that cannot be read verifies nothing, and is shown as no key.
        return (try? WebhookSigningKey(seed: secret))?.publicKey.text
    }

    /// What a receiver has to know and is shown once: `whsec_…`, for v1 alone.
    fileprivate var sharedSecret: String? {
        guard signing == .v1 else { return nil }
        // Safe: as above.
        return (try? WebhookSecret(bytes: secret))?.text
    }
}
