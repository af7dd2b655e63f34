import DeskJSON
import DeskModel

extension GroupDecision {
    /// Adds a file, or finds the one of the same bytes; that has no event.
    mutating func add(_ step: AddLibraryFile) throws(Undecided) -> LibraryFile {
        let file = step.file
        let number = try require(file.business)
        let library = try library(of: file.business)
        if let known = library.first(where: { $0.use.id == file.use.id }) { return known }
        guard try areHeld([file.use]) else { throw .refused(.notFound) }
        let bytes = library.reduce(0) { $0 + $1.use.byteCount }
        guard library.count < LibraryFile.most,
            file.use.byteCount <= LibraryFile.mostBytes - bytes
        else { throw .refused(.unusable) }
        rows.libraries[file.business] = [file] + library
        keep(file, as: .libraryFile(file), by: file.author, at: file.addedAt)
        append(
            .libraryFileSaved, of: file.business, beside: nil,
            .json(LibraryText.event(file, by: file.author)),
            EventPlace(business: number, conversation: nil, note: nil), at: file.addedAt)
        return file
    }

    /// Renames a file; to the name that it has already is no event.
    mutating func rename(_ step: RenameLibraryFile) throws(Undecided) -> LibraryFile {
        let number = try require(step.business)
        var library = try library(of: step.business)
        guard let place = library.firstIndex(where: { $0.id == step.id }) else {
            throw .refused(.notFound)
        }
        let before = library[place].use
        guard before.name != step.name else { return library[place] }
        library[place].use = AttachmentUse(
            id: before.id, name: step.name, mediaType: before.mediaType,
            byteCount: before.byteCount)
        rows.libraries[step.business] = library
        keep(
            library[place], as: .renamedLibraryFile(library[place]), by: step.author, at: step.time)
        append(
            .libraryFileSaved, of: step.business, beside: nil,
            .json(LibraryText.event(library[place], from: before.name, by: step.author)),
            EventPlace(business: number, conversation: nil, note: nil), at: step.time)
        return library[place]
    }

    /// Removes a file.
    mutating func remove(_ step: RemoveLibraryFile) throws(Undecided) -> LibraryFile {
        let number = try require(step.business)
        let library = try library(of: step.business)
        guard let file = library.first(where: { $0.id == step.id }) else {
            throw .refused(.notFound)
        }
        rows.libraries[step.business] = library.filter { $0.id != step.id }
        changes.append(
            .removedLibraryFile(
                file,
                keptUntil: step.time.advanced(
                    by: .seconds(LibraryFile.hoursAfterRemoval * 3_600))))
        changes.append(
            .registry(
                .contents(.removeLibraryFile(file.id, of: file.business)), author: step.author))
        append(
            .libraryFileRemoved, of: step.business, beside: nil,
            .json(LibraryText.event(file, by: step.author)),
            EventPlace(business: number, conversation: nil, note: nil), at: step.time)
        return file
    }

    private mutating func keep(
        _ file: LibraryFile, as change: RowChange, by author: Author, at time: Timestamp
    ) {
        hold(file.use, by: .library(file.business), at: time)
        changes.append(change)
        changes.append(
            .registry(.contents(.saveLibraryFile(file.id, of: file.business)), author: author))
    }

    private func library(of business: BusinessID) throws(Undecided) -> [LibraryFile] {
        guard let library = rows.libraries[business] else { throw .needs(.library(of: business)) }
        return library
    }
}

/// The data of the events of libraries, as JSON text.
private enum LibraryText {
    /// What the events say: which file, and of a renamed one its name before.
    static func event(_ file: LibraryFile, from name: String? = nil, by author: Author) -> [UInt8] {
        JSONWriter.object { text in
            text.member("file") {
                $0.object {
                    $0.member("id", file.id.text)
                    $0.member("business", file.business.text)
                    $0.member("name", file.use.name)
                    $0.member("mimeType", file.use.mediaType)
                    $0.member("size", Int(file.use.byteCount))
                }
            }
            if let name { text.member("from", name) }
            text.by(author)
        }
    }
}
