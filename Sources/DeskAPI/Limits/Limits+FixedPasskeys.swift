import DeskModel

extension Limits {
    static let passkeys: [LimitRow] = [
        LimitRow(
            "Passkey.most", "\(Passkey.most)", bounds: "Passkeys of an account", beyond: "422"),
        LimitRow(
            "PasskeyChallenges.life", "\(PasskeyChallenges.life.components.seconds)",
            bounds: "Seconds in which a passkey answers", beyond: "401; 422 where one is added"),
    ]
}
