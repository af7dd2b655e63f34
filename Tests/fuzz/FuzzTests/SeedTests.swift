import FoundationEssentials
import FuzzChecks
import Testing

/// Kept inputs of the fuzz targets: what was worth keeping must hold for ever.
struct SeedTests {
    @Test(
        arguments: [
            ("FuzzJSON", JSONCheck.run), ("FuzzSchema", SchemaCheck.run),
            ("FuzzPattern", PatternCheck.run), ("FuzzDoctor", DoctorCheck.run),
        ] as [(String, @Sendable ([UInt8]) -> Void)])
    func `every kept seed of a fuzz target passes its check`(
        target: String, check: @Sendable ([UInt8]) -> Void
    ) throws {
        let folder =
            "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
            + "/\(target)/seeds"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(names.count > 5)
        for name in names.sorted() {
            check(Array(try #require(FileManager.default.contents(atPath: folder + "/" + name))))
        }
    }
}
