"""scripts/style-rules: paths and names in backticks, dependencies that no file imports, waits without an end."""

import pytest

PACKAGE = """\
// swift-tools-version: 6.2
import PackageDescription
let package = Package(name: "toy", targets: [
    .target(name: "DeskA"), .target(name: "DeskB"),
    .target(name: "DeskC", dependencies: ["DeskA", "DeskB"]),
    .testTarget(name: "DeskCTests", dependencies: ["DeskC", "DeskA"]),
])
"""
TABLE = """\
| module | its job | imports |
|---|---|---|
| `DeskA` | one | nothing |
| `DeskB` | two | nothing |
| `DeskC` | three | A, B |
"""
TOY = {
    "Package.swift": PACKAGE, "docs/architecture.md": TABLE,
    "Sources/DeskA/A.swift": "public enum A {}\n", "Sources/DeskB/B.swift": "public enum B {}\n",
    "Sources/DeskC/C.swift": "import DeskA\nimport DeskB\n",
    "Tests/DeskCTests/T.swift": "import DeskA\nimport Testing\n\n@testable import DeskC\n",
}


def test_a_checkout_without_faults_has_none(rules):
    assert rules(TOY) == []


def test_a_dependency_that_no_file_imports_is_found(rules):
    found = rules({**TOY, "Sources/DeskC/C.swift": "// import DeskB\nimport DeskA\n",
                   "Tests/DeskCTests/T.swift": "@testable import DeskC\n"})
    assert found == [
        "Package.swift: DeskC depends on DeskB, which none of its files imports",
        "Package.swift: DeskCTests depends on DeskA, which none of its files imports"]


@pytest.mark.parametrize("row, fault", [
    ("| `DeskC` | three | A |",
     "docs/architecture.md: DeskC imports ['DeskA'] there, ['DeskA', 'DeskB'] in Package.swift"),
    ("", "docs/architecture.md: no row for DeskC"),
    ("| `DeskC` | three | A, B |\n| `DeskD` | four | A |", "docs/architecture.md: DeskD is no target")])
def test_the_table_of_modules_matches_the_package(rules, row, fault):
    page = TABLE.replace("| `DeskC` | three | A, B |", row)
    found = rules({**TOY, "docs/architecture.md": page})
    assert [line for line in found if "no code has the name" not in line] == [fault]


PROTOCOL = "# The protocol\n\n## 4. Files\n\n### 3.8 Time picker\n"


@pytest.mark.parametrize("comment", [
    "// (protocol page 3.8)", "/// protocol page 3.8 and 4", "// as the protocol\n    // page 4 says",
    "// protocol 3.8"])
def test_a_section_of_the_protocol_that_is_there_may_be_cited(rules, comment):
    assert rules({"docs/protocol.md": PROTOCOL, "Sources/DeskA/A.swift": comment + "\n"}) == []


@pytest.mark.parametrize("comment, section", [
    ("// (protocol page 3.9)", "3.9"), ("/// protocol page 4 and 13.2", "13.2"),
    ("// as the protocol\n    // page 5 says", "5"), ("// protocol 3.10", "3.10")])
def test_a_section_of_the_protocol_that_is_not_there_is_found(rules, comment, section):
    found = rules({"docs/protocol.md": PROTOCOL, "Sources/DeskA/A.swift": comment + "\n"})
    assert found == [f"Sources/DeskA/A.swift:1: docs/protocol.md has no section {section}"]


def test_a_page_of_the_protocol_that_nothing_cites_is_a_fault(rules):
    found = rules({"docs/protocol.md": PROTOCOL, "Sources/DeskA/A.swift": "// protocol 3\n"})
    assert found == ["docs/protocol.md: no comment cites a section; the check finds nothing"]


INDEX = "| number | decision |\n|---|---|\n| [0001](0001-one.md) | The first | in force |\n"


def test_the_index_of_decisions_lists_each_page_under_its_title(rules):
    assert rules({"docs/adr/README.md": INDEX, "docs/adr/0001-one.md": "# 0001. The first\n"}) == []


def test_a_decision_without_a_row_in_the_index_is_found(rules):
    found = rules({"docs/adr/README.md": INDEX, "docs/adr/0001-one.md": "# 0001. The first\n",
                   "docs/adr/0002-two.md": "# 0002. The second\n"})
    assert found == ['docs/adr/README.md: no row for docs/adr/0002-two.md with the title "# 0002. The second"']


def test_a_decision_under_another_title_is_found(rules):
    found = rules({"docs/adr/README.md": INDEX, "docs/adr/0001-one.md": "# 0001. Another\n"})
    assert found == ['docs/adr/README.md: no row for docs/adr/0001-one.md with the title "# 0001. Another"']


@pytest.mark.parametrize("page", ["README.md", "docs/more/page.md"])
@pytest.mark.parametrize("word", [
    "Sources/DeskA/B.swift", "Sources/DeskD", "Tests/nothing/", "A2.swift", "DeskB/A.swift",
    "Sources/*/C2.swift"])
def test_a_path_in_backticks_that_leads_nowhere_is_found(rules, page, word):
    found = rules({"Sources/DeskA/A.swift": "", "Tests/t.py": "", page: f"Read `{word}` first.\n"})
    assert found == [f"{page}: no such file: `{word}`"]


@pytest.mark.parametrize("word", [
    "Sources/DeskA/A.swift", "Sources/", "DeskA/A.swift", "A.swift", "Sources/NAME/A.swift",
    "…-view.js", "application/json", "/api/live", "my_provider.py", "Tests/t.py -k name"])
def test_a_path_in_backticks_that_exists_is_no_fault(rules, word):
    assert rules({"Sources/DeskA/A.swift": "", "Tests/t.py": "", "web/one-view.js": "",
                  "README.md": f"Read `{word}` first.\n\n```sh\nSources/none\n`Sources/none`\n```\n"}) == []


def test_a_link_that_leads_nowhere_is_found(rules):
    assert rules({"README.md": "[a](docs/a.md) [b](docs/b.md#c)\n", "docs/a.md": ""}) == [
        "README.md: no such file: docs/b.md"]


MAP = "# A map\n\n## DeskA: one\n\n| folder | contents |\n|---|---|\n| `Inner` | one |\n\n## DeskB: two\n\n## DeskC: three\n"
NESTED = {**TOY, "Sources/DeskA/Inner/More.swift": "enum More {}\n"}


def test_a_map_that_has_every_folder_is_no_fault(rules):
    assert rules({**NESTED, "docs/sources.md": MAP}) == []


@pytest.mark.parametrize("old, new, fault", [
    ("| `Inner` | one |\n", "", "no row for DeskA/Inner"), ("`Inner`", "`Inner` | one |\n| `More`", "no folder DeskA/More"),
    ("## DeskB: two\n", "", "no chapter for DeskB"), ("## DeskC", "## DeskD: four\n\n## DeskC", "no module DeskD")])
def test_a_folder_and_the_map_that_differ_are_found(rules, old, new, fault):
    found = rules({**NESTED, "docs/sources.md": MAP.replace(old, new)})
    assert f"docs/sources.md: {fault}" in found


@pytest.mark.parametrize("word", ["TailTests", "RowChecksum.check", "DeskE for DeskA", "openLine(_:)", "Guarded"])
def test_a_name_in_backticks_that_no_code_has_is_found(rules, word):
    found = rules({**TOY, "docs/adr/README.md": f"See `{word}`.\n"})
    assert len(found) == 1 and found[0].startswith("docs/adr/README.md: no code has the name `")


@pytest.mark.parametrize("word", ["DeskB", "A", "isA.DeskC", "GET /livez", "If-Match", "--log-level LEVEL", "snake_case"])
def test_a_name_in_backticks_that_code_has_is_no_fault(rules, word):
    code = "enum A { static let isA = true }\n"
    assert rules({**TOY, "Sources/DeskA/A.swift": code, "docs/pages.md": f"See `{word}`.\n"}) == []


def test_names_in_a_superseded_decision_and_in_code_blocks_are_history_and_examples(rules):
    old = "# 0001. One\n\n**Status.** Superseded by 0002.\n\n`RowChecksum`\n"
    index = "| [0001](0001-one.md) | One | superseded |\n"
    assert rules({**TOY, "docs/adr/0001-one.md": old, "docs/adr/README.md": index,
                  "docs/b.md": "```swift\nlet row = `RowChecksum`\n```\n"}) == []


def test_a_test_that_a_page_names_by_another_sentence_is_found(rules):
    page = '`ATests`, "a sentence of before"; `ATests`, "a sentence"\n'
    test = "struct ATests { @Test func `a sentence`() {} }\n"
    assert rules({**TOY, "Tests/DeskCTests/T.swift": TOY["Tests/DeskCTests/T.swift"] + test, "docs/b.md": page}) == [
        'docs/b.md: no test has the name "a sentence of before"']


def test_a_wait_without_an_end_is_found(rules):
    found = rules({"Tests/a/T.swift": "while !isSo { await Task.yield() }\n"
                                      "for _ in 0..<9 { await Task.yield() }  // Bounded: so many times.\n"})
    assert len(found) == 1 and found[0].startswith("Tests/a/T.swift:1: a wait without an end")
