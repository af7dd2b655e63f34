import DeskAPI
import DeskWeb

/// What `serve` prints when it is ready: where to go.
///
/// Sign-in links and drawings are for the person at a terminal alone: any other standard output may
/// be kept by a service manager where others read it.
struct Greeting: Sendable {
    let publicURL: PublicURL
    /// The data directory, as the commands for the links name it.
    let data: String
    /// Whether there is no owner yet.
    let needsOwner: Bool
    /// The link that makes the first owner; nil when there is one, or no terminal shows it.
    let setupLink: String?
    /// Whether there is a sandbox.
    let hasSandbox: Bool
    /// The link that opens the sandbox; nil when there is none, or no terminal shows it.
    let sandboxLink: String?
    /// Where a customer writes.
    let entryLink: String?
    /// Whether it was started in a checkout.
    let isInCheckout: Bool
    /// Whether a person looks.
    let isTerminal: Bool

    /// The text, its last line being the newest thing to read.
    var text: String { isTerminal ? terminalText : plainText }

    /// Nothing here is a credential.
    private var plainText: String {
        var lines = ["Frontdesk \(Version.number) is ready at \(publicURL.origin)"]
        if needsOwner {
            lines.append("The first owner: frontdesk owner link --data \(data)")
        }
        if hasSandbox { lines.append("The sandbox: frontdesk sandbox link --data \(data)") }
        return lines.joined(separator: "\n")
    }

    private var terminalText: String {
        var lines = ["Frontdesk \(Version.number) is ready at \(publicURL.origin)", ""]
        if let setupLink {
            lines.append("  Console   \(setupLink)")
            lines.append("            makes you the owner; the link works once")
        } else {
            lines.append("  Console   \(publicURL.origin)/console")
        }
        if let sandboxLink { lines.append("  Sandbox   \(sandboxLink)") }
        if let entryLink {
            lines.append("  Customer  \(entryLink)")
            lines.append("")
            if let code = QRCode(entryLink) {
                lines.append(
                    code.terminal.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n"))
            }
        }
        lines.append("")
        if publicURL.isLoopback {
            lines.append(
                "  Only this machine can reach this address; a phone cannot scan its way in.")
            let make = isInCheckout ? "make run LAN=1, or " : ""
            lines.append("  For a phone on the same network: \(make)--listen with this")
            lines.append("  machine's network address and the same in --public-url.")
            lines.append("")
        }
        return lines.joined(separator: "\n")
    }
}
