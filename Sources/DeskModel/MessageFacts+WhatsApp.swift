extension MessageFacts {
    // Fields that never travel, as that of metadata: they are covered by the row's checksum, are erased with the other
    // content, and are in archives of every version.
    private static let templateName = "whatsapp-template"
    private static let messageName = "whatsapp-id"

    /// What WhatsApp sends in place of the payload: a template of its own and its values, a JSON object's text; nil for
    /// all other messages.
    ///
    /// Such a message is accepted after the time for answers, too.
    public var whatsAppTemplate: String? {
        get { headers.first { $0.name == Self.templateName }?.value }
        set { setHeader(Self.templateName, to: newValue) }
    }

    /// What WhatsApp calls a customer's message; nil for one of another channel, or of an earlier version.
    public var whatsAppName: String? {
        get { headers.first { $0.name == Self.messageName }?.value }
        set { setHeader(Self.messageName, to: newValue) }
    }

    private mutating func setHeader(_ name: String, to value: String?) {
        headers.removeAll { $0.name == name }
        if let value { headers.append(HeaderField(name: name, value: value)) }
    }
}
