import DeskCommandLine
import DeskLinks

/// The commands of links to providers and to upstream gateways.
extension Catalogue {
    static let gatewayRegister = CommandDescription(
        "gateway register", access: .serverOrStore,
        summary: "register a provider for which Frontdesk is the gateway",
        about: """
            Registers the provider of a business: Frontdesk posts its customers' messages to
            URL/message, and the provider posts messages to them to Frontdesk's /v1. Prints the MSP id,
            the base URL and, only this once, the secret. Plain http is for test businesses, or for a loopback
            or private host. Works while the server runs, and without it.
            """,
        flags: [
            gatewayBusiness,
            Flag("endpoint", .value("URL"), "the provider's address; /message is appended"),
            Flag("msp-id", .value("ID"), "the provider's id (default: a new one)"),
            Flag("secret-file", .value("FILE"), secretFile + " (default: a new one)"),
            Flag("secret", .value("BASE64"), secret),
        ] + anyStore,
        examples: [
            "frontdesk gateway register --business Sandbox --endpoint http://127.0.0.1:9000"
        ])

    static let gatewayConnect = CommandDescription(
        "gateway connect", access: .serverOrStore,
        summary: "connect a business to an upstream gateway",
        about: """
            Makes Frontdesk the provider of a business at a gateway. Prints the address to enter
            there, to which the gateway appends /message. Works while the server runs, and
            without it.
            """,
        flags: [
            gatewayBusiness,
            Flag("base-url", .value("URL"), "the gateway's address with its /v1"),
            Flag("msp-id", .value("ID"), "your id as a provider there"),
            Flag("secret-file", .value("FILE"), secretFile),
            Flag("secret", .value("BASE64"), secret),
        ] + anyStore,
        examples: [
            "frontdesk gateway connect --business \"My business\" --msp-id 5a1c9f "
                + "--base-url https://gateway.example/v1 --secret-file gateway.secret"
        ])

    static let gatewayWhatsApp = CommandDescription(
        "gateway whatsapp", access: .serverOrStore,
        summary: "connect a business to its number at WhatsApp",
        about: """
            Connects a business to a number at WhatsApp's Cloud API. Prints the callback URL and,
            only this once, the verify token, which are entered at Meta. Works while the server runs,
            and without it.
            """,
        flags: [
            gatewayBusiness,
            Flag("phone-number-id", .value("ID"), "the id of the number at Meta"),
            Flag("account-id", .value("ID"), "the id of the WhatsApp Business Account (optional)"),
            Flag(
                "read-marks", .onOrOff,
                "show customers that their messages were read, and that an answer is written (default: on)"
            ),
            Flag(
                "graph-url", .value("URL"),
                "the Graph API with its version (default: \(WhatsAppSettings.graph))"),
            Flag(
                "secret-file", .value("FILE"),
                "a file with {\"accessToken\": …, \"appSecret\": …}; - is standard input"),
            Flag(
                "secret", .value("JSON"),
                "the same itself: everybody on this machine sees it in ps; better --secret-file"),
        ] + anyStore,
        examples: [
            "frontdesk gateway whatsapp --business \"My business\" "
                + "--phone-number-id 106540352242922 --secret-file whatsapp.json"
        ])

    static let gatewayList = CommandDescription(
        "gateway list", access: .serverOrStore,
        summary: "list providers, upstream gateways and numbers at WhatsApp",
        about: """
            Lists the links: id, business, address, MSP id, and the numbers of pending, dead and
            completed deliveries. Secrets are not shown.
            """, flags: anyStore)

    static let gatewayRemove = CommandDescription(
        "gateway remove", access: .serverOrStore, arguments: "ID",
        summary: "remove a link of any of these kinds",
        about: """
            Removes a link at once, with its pending deliveries and its wire log.
            """,
        flags: anyStore,
        examples: ["frontdesk gateway remove 3f0c9f0e-6a3b-4d0c-9b1e-2a4f5c6d7e8f"])

    private static let secretFile =
        "a file with the secret, 16 to 256 bytes in base64; - is standard input"

    private static let secret =
        "the secret itself: everybody on this machine sees it in ps; better --secret-file"

    private static let gatewayBusiness = Flag(
        "business", .value("NAME|ID"), "the business")
}
