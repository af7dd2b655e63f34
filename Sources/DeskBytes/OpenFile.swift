import Glibc

/// A file that is open for reading; closed with its last reference.
///
/// Who holds it can read the file even after another has removed its name.
public final class OpenFile: Sendable {
    /// The file's descriptor; valid as long as this object lives.
    public let descriptor: Int32

    /// Owns an open descriptor from now on.
    public init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }
}
