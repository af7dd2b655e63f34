import DeskAPI
import DeskCommandLine
import DeskModel
import DeskNet

/// `frontdesk gateway --ephemeral`: a gateway for the length of a test run.
enum EphemeralCommand {
    static func run(_ parsed: Parsed, executable: String, _ signals: SignalWatch) async -> Int32 {
        await ServerCommand.run {
            let configuration = try EphemeralConfiguration(parsed)
            let server = try await EphemeralGateway.build(configuration, executable: executable)
            try configuration.portFile.write(server.server.port)
            Output.print(greeting(of: server))
            try await server.run(signals)
        }
    }

    private static func greeting(of server: EphemeralGateway) -> String {
        let configuration = server.configuration
        let secret =
            configuration.isSecretMade
            ? LinkSecret.encode(configuration.secret) : "as it was given"
        let webhook =
            configuration.webhook.map { one in
                "\nWebhook:      \(one.url), verified with \(one.receiverKey)"
            } ?? ""
        return """
            Frontdesk \(Version.number): an ephemeral gateway at \(server.origin)
            NOT DURABLE: everything is in memory, and gone when this process ends.

            Base URL:     \(server.origin)/v1
            Business id:  \(configuration.business.text)
            MSP id:       \(configuration.mspID)
            Secret:       \(secret)
            Endpoint:     \(configuration.endpoint), with /message appended
            Clock:        \(configuration.start.text), and stands still until it is advanced\(webhook)

            """
    }
}
