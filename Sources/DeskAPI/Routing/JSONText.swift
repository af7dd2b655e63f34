package import DeskJSON

/// The writer of answers.
package typealias JSONText = JSONWriter
