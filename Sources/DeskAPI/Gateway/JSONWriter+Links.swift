import DeskBroker
import DeskJSON
import DeskLinks
import DeskModel
import DeskStore
import DeskWeb

extension JSONWriter {
    /// Writes a link without its secret; null when there is none.
    ///
    /// - Parameter unknown: of one to WhatsApp, the numbers for which posts came that no business here has.
    mutating func link(
        _ link: GatewayLink?, _ counts: [GatewayLinkID: [Delivery.State: Int]],
        _ publicURL: PublicURL, unknown: [UnknownNumbers.Entry] = []
    ) {
        guard let link else { return null() }
        object { text in
            text.member("id", link.id.value)
            switch link.side {
            case .provider:
                text.member("mspId", link.mspID)
                text.member("endpoint", link.url)
                text.member("baseUrl", "\(publicURL.origin)/v1")
                text.member("settings", raw: LinkSettings(link.settings).json.bytes())
            case .upstream:
                text.member("mspId", link.mspID)
                text.member("baseUrl", link.url)
                text.member("callbackUrl", "\(publicURL.origin)/msp/\(link.id.text)")
                text.member("settings", raw: LinkSettings(link.settings).json.bytes())
            case .whatsapp:
                text.member("phoneNumberId", link.mspID)
                let settings = WhatsAppSettings(link.settings)
                text.member("accountId", settings.accountID)
                text.member("marksRead", settings.marksRead)
                text.member("graphUrl", link.url)
                text.member("callbackUrl", "\(publicURL.origin)/whatsapp/\(link.id.text)")
                text.member("hasSecrets", WhatsAppSecrets(link.secret) != nil)
                text.member("unknownNumbers") { $0.unknownNumbers(unknown) }
            }
            text.member("isSecretReadable", !link.isSecretUnreadable)
            text.member("createdAt", link.createdAt)
            text.member("deliveries") { text in
                let own = counts[link.id] ?? [:]
                text.object {
                    $0.member("pending", own[.pending] ?? 0)
                    $0.member("dead", own[.dead] ?? 0)
                    $0.member("delivered", own[.delivered] ?? 0)
                }
            }
        }
    }

    private mutating func unknownNumbers(_ entries: [UnknownNumbers.Entry]) {
        array { text in
            for entry in entries {
                text.object {
                    $0.member("phoneNumberId", entry.number)
                    $0.member("posts", entry.posts)
                    $0.member("firstAt", entry.first)
                    $0.member("lastAt", entry.last)
                }
            }
        }
    }

    /// Writes a delivery with what is still known of its event.
    mutating func delivery(_ delivery: Delivery, _ event: Event?) {
        object { text in
            text.member("position", Int(delivery.position.value))
            text.member("conversation", delivery.conversation?.text)
            text.member("event", event?.type.rawValue)
            text.member("message", event?.messageID?.text)
            text.member("state", delivery.state.rawValue)
            text.member("attempts", delivery.attempts)
            text.member("due", delivery.state == .pending ? delivery.due : nil)
            text.member("last") { text in
                guard let last = delivery.last else { return text.null() }
                text.object {
                    $0.member("time", last.time)
                    $0.member("status") { text in
                        if let status = last.status { text.number(status) } else { text.null() }
                    }
                    $0.member("detail", last.detail)
                }
            }
        }
    }

    /// Writes an exchange of the wire log.
    mutating func exchange(_ exchange: WireExchange, _ side: GatewaySide?, origin: String) {
        object { text in
            text.member("number", Int(exchange.number))
            text.member("side", side?.rawValue)
            text.member("course", exchange.course.rawValue)
            text.member("time", exchange.time)
            text.member("milliseconds", exchange.milliseconds)
            text.member("method", exchange.method)
            text.member("target", exchange.target)
            text.member("conversation", exchange.conversation?.text)
            text.member("message", exchange.message?.text)
            text.member("request") { $0.wirePart(exchange.request) }
            text.member("status") { text in
                if let status = exchange.status { text.number(status) } else { text.null() }
            }
            text.member("answer") { $0.wirePart(exchange.answer) }
            if exchange.findings.isEmpty {
                text.member("findings") { $0.array { _ in } }
            } else {
                text.member("findings", raw: exchange.findings)
            }
            text.member("curl", CurlCommand(exchange, origin: origin).text)
        }
    }

    private mutating func wirePart(_ part: WireExchange.Part) {
        object { text in
            text.member("headers") { text in
                text.array { text in
                    for field in part.headers {
                        text.object {
                            $0.member("name", field.name)
                            $0.member("value", field.value)
                        }
                    }
                }
            }
            text.member("body", String(decoding: part.body, as: UTF8.self))
            text.member("bytes", part.byteCount)
        }
    }
}

extension Event {
    /// The message that it is about.
    fileprivate var messageID: MessageID? {
        if case .message(let message) = body { message.id } else { nil }
    }
}
