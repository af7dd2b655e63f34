import DeskMessages

/// The subject and the text of an e-mail.
struct MailText: Sendable, Equatable {
    let subject: String
    let text: String

    /// An account that a link is for, as the person finds it among several.
    struct Account: Sendable {
        let name: String
        let businesses: [String]
        let link: String
    }

    /// To a person who is invited.
    static func invitation(
        to business: String, by inviter: String, link: String, days: Int, _ language: Language
    ) -> MailText {
        switch language {
        case .english:
            MailText(
                subject: "\(inviter) invites you to \(business)",
                text: """
                    Hello,

                    \(inviter) invites you to answer the customers of \(business).
                    Accept the invitation within \(days) days:

                    \(link)

                    If you do not know \(business), ignore this message: nothing happens then.
                    """)
        case .japanese:
            MailText(
                subject: "\(inviter)さんから\(business)への招待",
                text: """
                    こんにちは。

                    \(inviter)さんが、\(business)のお客様に対応するメンバーとしてあなたを招待しています。
                    \(days)日以内に招待を承諾してください。

                    \(link)

                    \(business)に心当たりがない場合は、このメールを無視してください。何も起こりません。
                    """)
        }
    }

    /// To a person who asked for a new password: a link for each account of the address.
    static func newPassword(
        at origin: String, for accounts: [Account], minutes: Int, _ language: Language
    ) -> MailText {
        let links = accounts.map { account in
            guard accounts.count > 1 else { return account.link }
            let businesses = account.businesses.joined(separator: ", ")
            return "\(account.name)\(businesses.isEmpty ? "" : " (\(businesses))")\n\(account.link)"
        }.joined(separator: "\n\n")
        return switch language {
        case .english:
            MailText(
                subject: "Set a new password",
                text: """
                    Hello,

                    a new password was asked for with this e-mail address at \(origin).
                    Set one within \(minutes) minutes:

                    \(links)

                    If it was not you, ignore this message: your password stays as it is.
                    """)
        case .japanese:
            MailText(
                subject: "新しいパスワードの設定",
                text: """
                    こんにちは。

                    \(origin) で、このメールアドレスのパスワードの再設定が申し込まれました。
                    \(minutes)分以内に新しいパスワードを設定してください。

                    \(links)

                    お心当たりがない場合は、このメールを無視してください。パスワードは変わりません。
                    """)
        }
    }

    /// To a person who asked for a new password and signs in at the identity provider.
    static func signsInElsewhere(
        at origin: String, through provider: String, _ language: Language
    ) -> MailText {
        switch language {
        case .english:
            MailText(
                subject: "How you sign in",
                text: """
                    Hello,

                    a new password was asked for with this e-mail address at \(origin).
                    You sign in there with \(provider), and need no other password:

                    \(origin)/console

                    If it was not you, ignore this message.
                    """)
        case .japanese:
            MailText(
                subject: "サインインの方法",
                text: """
                    こんにちは。

                    \(origin) で、このメールアドレスのパスワードの再設定が申し込まれました。
                    \(provider)でサインインしてください。別のパスワードは必要ありません。

                    \(origin)/console

                    お心当たりがない場合は、このメールを無視してください。
                    """)
        }
    }

    /// To an owner whom others ask for an approval: in both languages, since it is not known which one is read.
    static func approvalAsked(by name: String, in business: String, link: String) -> MailText {
        MailText(
            subject: "\(business): approval needed / 承認の依頼",
            text: """
                Hello,

                \(name) asks for something in \(business) that a second person has to approve. Look at it and decide:

                \(link)

                \(business)で、\(name)さんが承認を求めています。内容を確認して、承認するか却下してください。
                """)
    }

    /// To a person to whose account a passkey was added.
    static func passkeyAdded(
        _ name: String, at origin: String, _ language: Language
    ) -> MailText {
        switch language {
        case .english:
            MailText(
                subject: "A passkey was added to your account",
                text: """
                    Hello,

                    the passkey “\(name)” was added to your account at \(origin). It signs you in without your password.

                    If it was not you, ask for a new password on the sign-in page at once: that removes all passkeys. \
                    And inform an owner:

                    \(origin)/console
                    """)
        case .japanese:
            MailText(
                subject: "パスキーが追加されました",
                text: """
                    こんにちは。

                    \(origin) のアカウントにパスキー「\(name)」が追加されました。パスワードなしでサインインできます。

                    お心当たりがない場合は、すぐにサインインのページで新しいパスワードを申し込み（すべてのパスキーが削除されます）、\
                    オーナーに知らせてください。

                    \(origin)/console
                    """)
        }
    }

    /// To a person whose password was replaced.
    static func passwordChanged(at origin: String, _ language: Language) -> MailText {
        switch language {
        case .english:
            MailText(
                subject: "Your password was changed",
                text: """
                    Hello,

                    the password of your account at \(origin) was changed, and all its sessions ended.

                    If it was not you, ask for a new one on the sign-in page at once, and inform an owner:

                    \(origin)/console
                    """)
        case .japanese:
            MailText(
                subject: "パスワードが変更されました",
                text: """
                    こんにちは。

                    \(origin) のアカウントのパスワードが変更され、すべてのセッションが終了しました。

                    お心当たりがない場合は、すぐにサインインのページで新しいパスワードを申し込み、オーナーに知らせてください。

                    \(origin)/console
                    """)
        }
    }
}
