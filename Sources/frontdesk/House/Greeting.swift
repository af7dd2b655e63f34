import DeskAPI

/// What `serve` prints when it is ready: where to go.
struct Greeting: Sendable {
    let publicURL: PublicURL
    /// The link that makes the first owner; nil when there is one.
    let setupLink: String?
    /// The link that opens the sandbox; nil when there is no sandbox.
    let sandboxLink: String?
    /// Where a customer writes.
    let entryLink: String?

    /// The text, its last line being the newest thing to read.
    var text: String {
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
            lines.append("  For a phone on the same network: make run LAN=1, or --listen with this")
            lines.append("  machine's network address and the same in --public-url.")
            lines.append("")
        }
        return lines.joined(separator: "\n")
    }
}
