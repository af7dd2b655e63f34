import DeskModel

extension Limits {
    static let mails: [LimitRow] = [
        LimitRow(
            "Mailer.mostToAddress", "\(Mailer.mostToAddress)",
            bounds: "E-mails of one kind to an address in an hour",
            beyond: "an invitation says `limited`; others are not sent"),
        LimitRow(
            "Mailer.mostAskedByNetwork", "\(Mailer.mostAskedByNetwork)",
            bounds: "Links to new passwords that an address or network asks for in an hour",
            beyond: "429"),
        LimitRow(
            "Mailer.mostAtOnce", "\(Mailer.mostAtOnce)",
            bounds: "Invitations that wait for the mail server at once",
            beyond: "the invitation says `failed`"),
        LimitRow(
            "Mailer.mostWaiting", "\(Mailer.mostWaiting)",
            bounds: "Other e-mails that wait", beyond: "one more is not sent"),
        LimitRow(
            "OneTimeLinks.passwordMinutes", "\(OneTimeLinks.passwordMinutes)",
            bounds: "Minutes that a link to a new password works that was sent by e-mail",
            beyond: "401"),
    ]
}
