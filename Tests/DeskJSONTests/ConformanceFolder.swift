import FoundationEssentials

/// The folder of published conformance suites beside the package, where there is one.
enum ConformanceFolder {
    /// Its path: `FRONTDESK_CONFORMANCE`, else `../shared/conformance` from the package root.
    static var path: String {
        if let path = ProcessInfo.processInfo.environment["FRONTDESK_CONFORMANCE"] { return path }
        let parts = #filePath.split(separator: "/").dropLast(4)
        return "/" + parts.joined(separator: "/") + "/shared/conformance"
    }

    /// The files of a folder in it, by relative path; nil, after saying so, when it is absent.
    static func files(in folder: String, cases: String) -> [(name: String, bytes: [UInt8])]? {
        let root = path + "/" + folder
        // Safe: an absent folder is announced below.
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: root)) ?? []
        guard !names.isEmpty else {
            print("conformance: \(folder) is absent, so \(cases) did not run")
            return nil
        }
        return names.filter { $0.hasSuffix(".json") }.sorted().compactMap { name in
            FileManager.default.contents(atPath: root + "/" + name).map { (name, Array($0)) }
        }
    }
}
