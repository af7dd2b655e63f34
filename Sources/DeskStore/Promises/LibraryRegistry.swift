public import DeskModel

/// The files that businesses keep to send again; they are added, renamed and removed through the log.
public protocol LibraryRegistry: Sendable {
    /// Lists a business's library, the newest first.
    ///
    /// Limit: `LibraryFile.most`.
    func library(of business: BusinessID) async throws(StoreError) -> [ListedLibraryFile]
}

/// Adds a file to the library of its business, unless its bytes are there already.
///
/// Refused as `notFound` without the business or the bytes, and as `unusable` for a file or bytes too
/// many.
public struct AddLibraryFile: WriteStep {
    let file: LibraryFile

    /// Says what is added, by whom and when.
    public init(_ file: LibraryFile) { self.file = file }

    /// Answers with the file as the library has it: the one that was there, or the new one.
    public func decide(by decision: inout GroupDecision) throws(Undecided) -> LibraryFile {
        try decision.add(self)
    }
}

/// Gives a file of a library another name; what was sent keeps its own.
///
/// Refused as `notFound` without the file.
public struct RenameLibraryFile: WriteStep {
    let id: LibraryFileID
    let business: BusinessID
    let name: String
    let author: Author
    let time: Timestamp

    /// Says who renames what.
    public init(
        _ id: LibraryFileID, of business: BusinessID, to name: String, by author: Author,
        at time: Timestamp
    ) {
        self.id = id
        self.business = business
        self.name = name
        self.author = author
        self.time = time
    }

    /// Answers with the file as it is then.
    public func decide(by decision: inout GroupDecision) throws(Undecided) -> LibraryFile {
        try decision.rename(self)
    }
}

/// Removes a file from a library; what was sent, and templates, keep it.
///
/// Who has it in a message that is being written can send it for `LibraryFile.hoursAfterRemoval`; then
/// its bytes are deleted, unless something else names them. Refused as `notFound` without the file.
public struct RemoveLibraryFile: WriteStep {
    let id: LibraryFileID
    let business: BusinessID
    let author: Author
    let time: Timestamp

    /// Says who removes what.
    public init(
        _ id: LibraryFileID, of business: BusinessID, by author: Author, at time: Timestamp
    ) {
        self.id = id
        self.business = business
        self.author = author
        self.time = time
    }

    /// Answers with the file that was removed.
    public func decide(by decision: inout GroupDecision) throws(Undecided) -> LibraryFile {
        try decision.remove(self)
    }
}
