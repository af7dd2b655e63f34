/// What is wrong with an ID token; the words go into the log, and nothing of the token with them.
enum IDTokenFault: String, Error, Hashable, Sendable, CaseIterable {
    /// More bytes than are read.
    case tooLong = "too_long"
    /// Not three parts between dots.
    case parts
    /// A part that is not base64url without padding.
    case encoding
    /// Header or claims that are not a JSON object.
    case notJSON = "not_json"
    /// An algorithm other than RS256, ES256 and EdDSA: `none` and those with a shared secret among them.
    case algorithm
    /// A `crit` in the header, whose extensions nothing here understands.
    case critical
    /// A claim of another type than it has.
    case claimType = "claim_type"
    /// A claim that has to be there and is not.
    case claimMissing = "claim_missing"
    /// The published keys could not be read.
    case noKeys = "no_keys"
    /// No published key has the token's `kid`, or fits its algorithm.
    case unknownKey = "unknown_key"
    /// A signature that is not one of the published key.
    case signature
    /// Made by another provider.
    case issuer
    /// Made for another client.
    case audience
    /// Given to another client: `azp`.
    case authorizedClient = "authorized_client"
    /// Past its `exp`.
    case expired
    /// Before its `nbf`, or made in the future.
    case tooEarly = "too_early"
    /// Made too long ago.
    case tooOld = "too_old"
    /// Made for another sign-in than this one.
    case nonce
    /// A subject that is empty or longer than it may be.
    case subject
}
