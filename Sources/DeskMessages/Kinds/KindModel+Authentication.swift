import DeskJSON
import DeskModel

extension KindModel {
    /// A request to sign in and how it ended (protocol page 3.7).
    static let authentication = KindModel(
        .authentication, name: Wording(english: "Sign-in", japanese: "サインイン"),
        schemas: Schemas(outbound: "authentication", inbound: "authentication-reply"),
        feature: Feature(
            key: "authenticate", mistakenKeys: ["authentication"], answerMember: "status",
            // Without the secrets of the OAuth client and the sealed token.
            devicePart: .only([
                "oauth2": .named(
                    "responseType", "scope", "state", "redirectURI", "responseEncryptionKey"),
                "status": .whole, "errors": .whole,
            ]),
            judge: { $0.judgeSignIn($1) },
            answerLine: { feature, words in
                switch feature["status"]?.string {
                case "authenticated": words.language.signIn(isDone: true)
                case "failed": words.language.signIn(isDone: false)
                // A word that is not known is no failure (protocol page 13.17).
                case let status: words.line(words.name(of: .authentication), status)
                }
            }),
        capability: { data in
            let isSecond =
                data["version"]?.equals("2.0") == true
                || data["authenticate"]?["oauth2"]?[stated: "redirectURI"] != nil
            return isSecond ? .auth2 : .auth
        })
}
