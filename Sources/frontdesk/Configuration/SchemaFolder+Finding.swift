import DeskCommandLine
import DeskLint

extension SchemaFolder {
    /// Reads the folder that was said, or the one of this installation.
    init(_ said: String?, executable: String) throws(UsageError) {
        try self.init(ShareFolders.findSchemas(said, executable: executable))
    }
}
