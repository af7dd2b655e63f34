import Glibc

/// What the system calls an error.
package enum SystemWords {
    /// The words for an error number.
    package static func text(_ number: Int32) -> String {
        unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
    }
}
