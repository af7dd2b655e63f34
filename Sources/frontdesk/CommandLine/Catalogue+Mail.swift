import DeskCommandLine

/// What concerns e-mails.
extension Catalogue {
    /// The flags that name the mail server.
    static let mail = [
        Flag(
            "mail-server", .value("URL"),
            "a mail server by which invitations and links to new passwords are sent, such as "
                + "smtps://mail.example.com or smtp://mail.example.com:587 (default: none)",
            isConfiguration: true),
        Flag(
            "mail-from", .value("ADDRESS"),
            "the address that e-mails are from, alone or as \"Tea shop <desk@example.com>\"",
            isConfiguration: true),
        Flag(
            "mail-user", .value("NAME"), "who signs in to it (default: no sign-in)",
            isConfiguration: true),
        Flag(
            "mail-password-file", .value("FILE"), "a file whose first line is the password there",
            isConfiguration: true),
        Flag(
            "mail-ca-file", .value("FILE"),
            "a PEM file of the authorities that its certificate is trusted by (default: the system's)",
            isConfiguration: true),
    ]

    static let mailTest = CommandDescription(
        "mail test", arguments: "ADDRESS", summary: "send a test e-mail",
        about: """
            Sends an e-mail to an address by the mail server that serve would use, with the same flags or
            variables, and waits until it has accepted it. No server has to run.
            """,
        flags: mail,
        examples: [
            "frontdesk mail test ada@example.com --mail-server smtp://127.0.0.1:25 "
                + "--mail-from desk@example.com"
        ])
}
