/// A secret by which a shop's server vouches for its customers towards the widget.
public struct WidgetSecret: Hashable, Sendable {
    /// Most secrets of a business that are valid at once; a further one ends the oldest.
    public static let most = 2

    /// Its name, which is no secret.
    public let id: UniqueID
    /// What signatures are made with: the bytes of the text that the business was shown.
    public let bytes: [UInt8]
    /// When it was made.
    public let madeAt: Timestamp

    /// Puts a secret together.
    public init(id: UniqueID, bytes: [UInt8], madeAt: Timestamp) {
        self.id = id
        self.bytes = bytes
        self.madeAt = madeAt
    }
}

/// The widget of a business, as a store has it.
public struct StoredWidget: Hashable, Sendable {
    /// What was chosen, a JSON object's text; nil until something is.
    public var settings: [UInt8]?
    /// The secrets that are valid, the newest first.
    public var secrets: [WidgetSecret]
    /// Whether the stored secrets could not be decrypted: `secrets` is empty then, until another one is added.
    public var areSecretsUnreadable = false

    /// Puts the two together.
    public init(settings: [UInt8]? = nil, secrets: [WidgetSecret] = []) {
        self.settings = settings
        self.secrets = secrets
    }
}
