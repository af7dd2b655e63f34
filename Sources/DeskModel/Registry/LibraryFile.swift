/// A file that a business keeps to send again: a picture of its goods, a price list.
///
/// The same bytes are in a business's library once. What was sent of it stays when it is removed.
public struct LibraryFile: Hashable, Sendable {
    /// Most files in the library of a business; one more is refused.
    public static let most = 1_000
    /// Most bytes of the files of a business's library together; beyond it 422.
    public static let mostBytes: Int64 = 1_024 * 1_024 * 1_024
    /// Longest name in bytes of UTF-8.
    public static let maximumNameBytes = 200
    /// Hours for which a removed file can be sent yet, by whom had it in a message already.
    public static let hoursAfterRemoval = 24

    /// Its name on the server.
    public let id: LibraryFileID
    /// Whose it is.
    public let business: BusinessID
    /// The bytes, under the name and media type that messages give it.
    public var use: AttachmentUse
    /// Pixels from left to right; nil for what is no picture.
    public let width: Int?
    /// Pixels from top to bottom; nil for what is no picture.
    public let height: Int?
    /// Who added it.
    public let author: Author
    /// When.
    public let addedAt: Timestamp

    /// Describes a file.
    public init(
        id: LibraryFileID, business: BusinessID, use: AttachmentUse, width: Int?, height: Int?,
        author: Author, addedAt: Timestamp
    ) {
        self.id = id
        self.business = business
        self.use = use
        self.width = width
        self.height = height
        self.author = author
        self.addedAt = addedAt
    }
}

/// A file of a library with its place in it.
public struct ListedLibraryFile: Hashable, Sendable {
    /// The place; a later file has a higher one.
    public let place: Int64
    /// The file.
    public let file: LibraryFile

    /// Puts the two together.
    public init(place: Int64, file: LibraryFile) {
        self.place = place
        self.file = file
    }
}
