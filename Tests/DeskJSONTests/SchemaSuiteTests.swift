import DeskJSON
import Testing

/// The JSON Schema test suite, draft 2020-12.
struct SchemaSuiteTests {
    @Test func `every required test of the suite passes`() throws {
        guard
            let tally = try SchemaSuite.run("", formats: .annotated, isPart: { !$0.contains("/") })
        else { return }
        print("conformance: JSON Schema, required:", tally.passed, "passed")
        #expect(tally.failed == [])
        #expect(tally.passed == 1299)
    }

    @Test func `every optional test passes`() throws {
        guard
            let tally = try SchemaSuite.run(
                "optional/", formats: .annotated, isPart: { !$0.contains("/") })
        else { return }
        print("conformance: JSON Schema, optional:", tally.passed, "passed")
        #expect(tally.failed == [])
        #expect(tally.passed == 162)
    }

    @Test func `every format test passes`() throws {
        guard
            let tally = try SchemaSuite.run(
                "optional/format/", formats: .asserted, isPart: { _ in true })
        else { return }
        print("conformance: JSON Schema, formats:", tally.passed, "passed")
        #expect(tally.failed == [])
        #expect(tally.passed == 764)
    }
}
