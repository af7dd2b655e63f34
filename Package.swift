// swift-tools-version: 6.2
import PackageDescription

/// What every target of ours is compiled with; docs/architecture.md, "Direction rules", says why.
let strictSettings: [SwiftSetting] = [
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

/// Whether this is the one build of `scripts/test`, of which both the tests and the server that they start are linked.
let isTested = Context.environment["FRONTDESK_TESTING"] != nil

/// What every module of the server is compiled with: its tests see inside, also in the build that they are linked of.
let moduleSettings: [SwiftSetting] =
    strictSettings
    + (isTested ? [.unsafeFlags(["-enable-testing"], .when(configuration: .release))] : [])

/// What tests and their supports are compiled with: not optimized, since compiling them takes longer than running them.
let testSettings: [SwiftSetting] =
    strictSettings
    + [
        .unsafeFlags(
            ["-Onone", "-no-whole-module-optimization", "-enable-batch-mode"],
            .when(configuration: .release))
    ]

/// A module of the server: a library target whose dependency list is its whole import list.
func module(
    _ name: String, _ dependencies: [Target.Dependency] = [], settings: [SwiftSetting] = []
) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: moduleSettings + settings)
}

/// Leaves out, in release builds, the check at run time that nothing is changed while it is read.
///
/// For objects of one thread: the writer's, touched some 60 times a message, spend a twelfth of their work on
/// it, a connection's, touched some 20 times a request, a twentieth. Every test runs with it.
let unwatched: [SwiftSetting] =
    isTested
    ? []
    : [.unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release))]

/// The tests of one module.
func tests(
    _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []
) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, exclude: exclude, swiftSettings: testSettings)
}

/// A C library of Debian, imported by exactly one module.
func library(_ name: String, pkgConfig: String, package: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([package])])
}

/// Programs that measure and are no part of the product, in the tests' build so that they keep up with it.
let measuring: [Target] =
    !isTested && Context.environment["FRONTDESK_BENCH"] == nil
    ? []
    : [
        measuringProgram("RulesBench", ["DeskJSON"]),
        measuringProgram("StoreBuilder", ["DeskAPI", "DeskStoreSQLite", "DeskStore", "DeskModel"]),
        measuringProgram("WriterBench", ["DeskStoreSQLite", "DeskStore", "DeskModel"]),
    ]

func measuringProgram(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, path: "Tests/bench/\(name)",
        swiftSettings: isTested ? testSettings : strictSettings)
}

/// The server with a weakened store, for the controls of the fault tests: the same objects, and one more
/// that stands between them and SQLite or the system.
let weakened: (targets: [Target], products: [Product]) =
    !isTested && Context.environment["FRONTDESK_FAULTS"] == nil
    ? ([], [])
    : (
        [.target(name: "Weakened", path: "Tests/faults/Weakened")],
        [.executable(name: "frontdesk-weakened", targets: ["frontdesk", "Weakened"])]
    )

/// libFuzzer brings the entry point of these, so no other build may link them.
let fuzzing: [Target] =
    Context.environment["FRONTDESK_FUZZ"] == nil
    ? []
    : ["FuzzJSON", "FuzzSchema", "FuzzPattern", "FuzzDoctor"].map { name in
        .executableTarget(
            name: name, dependencies: ["FuzzChecks"], path: "Tests/fuzz/\(name)",
            exclude: ["seeds"],
            swiftSettings: strictSettings + [.unsafeFlags(["-parse-as-library"])])
    } + [
        .executableTarget(
            name: "JSONVerdicts", dependencies: ["FuzzChecks"], path: "Tests/fuzz/JSONVerdicts",
            swiftSettings: strictSettings)
    ]

let package = Package(
    name: "frontdesk",
    products: [.executable(name: "frontdesk", targets: ["frontdesk"])] + weakened.products,
    targets: [
        library("COpenSSL", pkgConfig: "openssl", package: "libssl-dev"),
        library("CSQLite", pkgConfig: "sqlite3", package: "libsqlite3-dev"),
        library("CZlib", pkgConfig: "zlib", package: "zlib1g-dev"),
        library("CQREncode", pkgConfig: "libqrencode", package: "libqrencode-dev"),
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CProcessor"),
        .target(name: "CLoading"),
        // What they load when it is first needed, nothing links; docs/adr/0015-libcurl-later.md.
        .target(name: "CCurl", dependencies: ["CLoading"]),
        .target(name: "CPostgres", dependencies: ["CLoading"]),
        .target(
            name: "CXML", dependencies: ["CLoading"],
            cSettings: [.unsafeFlags(["-I/usr/include/libxml2"])]),
        .target(name: "CRE2", linkerSettings: [.linkedLibrary("re2"), .linkedLibrary("stdc++")]),

        module("DeskModel", ["DeskBytes"]),
        module("DeskLog", ["DeskModel", "DeskBytes"]),
        module("DeskBytes", ["CZlib", "CProcessor"]),
        .target(name: "COpenSSLStart"),
        module("DeskCrypto", ["COpenSSL", "COpenSSLStart"]),
        module("DeskWebhooks", ["DeskCrypto", "DeskBytes"]),
        module("DeskJSON", ["DeskModel", "DeskBytes", "CRE2"]),
        module("DeskHTTP", ["DeskModel", "DeskBytes", "DeskCrypto"]),
        module("DeskMail", ["DeskHTTP", "DeskModel", "DeskBytes"]),
        module("DeskDiagnosis", ["DeskJSON", "DeskBytes"]),
        module("DeskSCIM", ["DeskJSON", "DeskModel", "DeskBytes"]),
        module("DeskSAML", ["CXML", "DeskModel", "DeskBytes", "DeskCrypto"]),
        module("DeskMessages", ["DeskDiagnosis", "DeskJSON", "DeskModel", "DeskBytes"]),
        module("DeskTranslate", ["DeskMessages", "DeskJSON", "DeskModel"]),
        module(
            "DeskAssistant",
            ["DeskMessages", "DeskHTTP", "DeskJSON", "DeskModel", "DeskBytes"]),
        module("DeskScript", ["DeskMessages", "DeskJSON", "DeskModel"]),
        module("DeskCalendar", ["DeskJSON", "DeskModel"]),
        module("DeskStore", ["DeskJSON", "DeskModel", "DeskBytes", "DeskCrypto"]),
        module("DeskSQL", ["DeskStore", "DeskModel", "DeskCrypto", "DeskLog"]),
        module(
            "DeskStoreSQLite",
            ["CSQLite", "DeskSQL", "DeskStore", "DeskModel", "DeskBytes", "DeskCrypto", "DeskLog"],
            settings: unwatched),
        module(
            "DeskStorePostgres",
            [
                "CPostgres", "DeskSQL", "DeskStore", "DeskModel", "DeskBytes", "DeskCrypto",
                "DeskLog",
            ]),
        module("DeskS3", ["DeskStore", "DeskHTTP", "DeskModel", "DeskBytes", "DeskCrypto"]),
        module("DeskBroker", ["DeskStore", "DeskModel", "DeskJSON", "DeskLog"]),
        module(
            "DeskNet",
            ["DeskMail", "DeskHTTP", "DeskBytes", "DeskCrypto", "DeskLog", "CLinux", "CCurl"],
            settings: unwatched),
        module(
            "DeskTeam",
            ["DeskCalendar", "DeskBroker", "DeskStore", "DeskModel", "DeskJSON", "DeskLog"]),
        module(
            "DeskLinks",
            ["DeskBroker", "DeskStore", "DeskModel", "DeskJSON", "DeskCrypto", "DeskBytes"]),
        module(
            "DeskArchive",
            ["DeskStore", "DeskMessages", "DeskModel", "DeskJSON", "DeskBytes", "DeskCrypto"]),
        module("DeskCommandLine", ["DeskModel"]),
        module(
            "DeskLint",
            ["DeskCommandLine", "DeskMessages", "DeskDiagnosis", "DeskModel", "DeskJSON"]),
        module(
            "DeskEventJSON",
            ["DeskBroker", "DeskStore", "DeskMessages", "DeskModel", "DeskJSON", "DeskBytes"]),
        module(
            "DeskDelivery",
            [
                "DeskWebhooks", "DeskEventJSON", "DeskTeam", "DeskBroker", "DeskStore",
                "DeskModel",
                "DeskJSON", "DeskHTTP", "DeskBytes", "DeskCrypto", "DeskLog",
            ]),
        module(
            "DeskWeb",
            [
                "DeskStore", "DeskModel", "DeskJSON", "DeskHTTP", "DeskBytes", "DeskCrypto",
                "DeskLog",
            ]),
        module(
            "DeskAPI",
            [
                "DeskWeb", "DeskDelivery", "DeskWebhooks", "DeskEventJSON", "DeskCalendar",
                "DeskLinks", "DeskTeam", "DeskBroker", "DeskStore", "DeskMessages",
                "DeskDiagnosis",
                "DeskScript", "DeskTranslate", "DeskAssistant", "DeskMail", "DeskSCIM",
                "DeskSAML", "DeskModel", "DeskJSON", "DeskHTTP", "DeskBytes", "DeskCrypto",
                "DeskLog",
                "CQREncode",
            ]),
        module(
            "DeskGateway",
            [
                "DeskLinks", "DeskBroker", "DeskStore", "DeskTranslate", "DeskMessages",
                "DeskModel", "DeskJSON",
                "DeskHTTP",
                "DeskBytes", "DeskCrypto", "DeskLog",
            ]),
        module(
            "DeskSandbox",
            [
                "DeskAPI", "DeskGateway", "DeskWeb", "DeskEventJSON", "DeskLinks", "DeskBroker",
                "DeskStore",
                "DeskMessages", "DeskScript", "DeskModel", "DeskJSON", "DeskHTTP", "DeskBytes",
                "DeskCrypto",
                "DeskLog",
            ]),
        .executableTarget(
            name: "frontdesk",
            dependencies: [
                "DeskSandbox", "DeskAPI", "DeskDelivery", "DeskGateway", "DeskWeb", "DeskLinks",
                "DeskTeam", "DeskBroker", "DeskStore",
                "DeskSQL", "DeskStoreSQLite", "DeskStorePostgres", "DeskS3", "DeskArchive",
                "DeskLint",
                "DeskCommandLine",
                "DeskMessages", "DeskDiagnosis", "DeskScript", "DeskTranslate", "DeskAssistant",
                "DeskModel", "DeskNet", "DeskMail", "DeskHTTP", "DeskJSON", "DeskWebhooks",
                "DeskSAML", "DeskCrypto", "DeskBytes", "DeskLog",
            ],
            swiftSettings: moduleSettings,
            // What threads allocate others free all along a message's way; docs/performance.md. Not beside the tests'
            // allocator, which counts.
            linkerSettings: isTested
                ? [] : [.linkedLibrary("jemalloc", .when(configuration: .release))]),

        tests("DeskBytesTests", ["DeskBytes", "TestSupport"]),
        tests("DeskCryptoTests", ["DeskCrypto", "DeskBytes"]),
        tests(
            "DeskWebhooksTests",
            ["DeskWebhooks", "DeskCrypto", "DeskJSON", "DeskBytes", "TestSupport"]),
        tests("DeskMailTests", ["DeskMail", "DeskModel", "TestSupport"]),
        tests("DeskSCIMTests", ["DeskSCIM", "DeskJSON", "TestSupport"]),
        tests(
            "DeskSAMLTests", ["DeskSAML", "DeskModel", "DeskBytes"],
            // Documents of the tests, read from the tree by their path.
            exclude: ["Fixtures"]),
        tests("DeskLogTests", ["DeskLog"]),
        tests(
            "DeskModelTests", ["DeskModel", "DeskStorePostgres", "PostgresSupport", "TestSupport"]),
        .target(
            name: "FuzzChecks", dependencies: ["DeskJSON", "DeskDiagnosis"],
            path: "Tests/fuzz/FuzzChecks",
            swiftSettings: testSettings),
        .testTarget(
            name: "FuzzTests", dependencies: ["FuzzChecks"], path: "Tests/fuzz/FuzzTests",
            swiftSettings: testSettings),
        .target(name: "CAllocationCount", path: "Tests/support/CAllocationCount"),
        tests("DeskJSONTests", ["DeskJSON", "CAllocationCount", "TestSupport"]),
        .target(
            name: "TestSupport", dependencies: ["DeskMessages", "DeskModel", "DeskBytes"],
            path: "Tests/support/TestSupport", swiftSettings: testSettings),
        .target(name: "HTTPCases", path: "Tests/support/HTTPCases", swiftSettings: testSettings),
        tests("DeskHTTPTests", ["DeskHTTP", "HTTPCases"]),
        tests(
            "DeskNetTests", ["DeskNet", "DeskHTTP", "DeskCrypto", "DeskLog", "HTTPCases"]),
        tests("DeskDiagnosisTests", ["DeskDiagnosis", "DeskBytes", "TestSupport"]),
        tests(
            "DeskMessagesTests",
            [
                "DeskMessages", "DeskDiagnosis", "DeskJSON", "DeskModel", "DeskBytes",
                "TestSupport",
            ]),
        tests(
            "DeskTranslateTests",
            ["DeskTranslate", "DeskMessages", "DeskJSON", "DeskModel", "TestSupport"]),
        tests(
            "DeskAssistantTests",
            [
                "APITestSupport", "DeskAssistant", "DeskHTTP", "DeskJSON", "DeskModel",
                "TestSupport",
            ]),
        tests("DeskCalendarTests", ["DeskCalendar", "DeskJSON", "DeskModel"]),
        tests(
            "DeskScriptTests",
            ["DeskScript", "DeskMessages", "DeskJSON", "DeskModel", "TestSupport"]),
        tests(
            "DeskStoreTests",
            [
                "DeskStore", "DeskSQL", "DeskStoreSQLite", "DeskStorePostgres", "DeskModel",
                "DeskLog", "PostgresSupport", "S3Support", "StoreSupport", "TestSupport",
            ],
            // Stores of every schema version, read from the tree by their path.
            exclude: ["Fixtures"]),
        tests(
            "DeskBrokerTests",
            [
                "DeskBroker", "DeskStore", "DeskStoreSQLite", "DeskStorePostgres", "DeskModel",
                "DeskLog", "PostgresSupport", "StoreSupport", "TestSupport",
            ]),
        tests(
            "DeskTeamTests",
            [
                "DeskTeam", "DeskCalendar", "DeskBroker", "DeskStore", "DeskStoreSQLite",
                "DeskModel", "DeskJSON", "DeskLog",
                "StoreSupport", "TestSupport",
            ]),
        .target(
            name: "APITestSupport",
            dependencies: [
                "DeskSandbox", "DeskAPI", "DeskWeb", "DeskEventJSON", "DeskLinks", "DeskBroker",
                "DeskStore", "DeskStoreSQLite",
                "DeskMessages", "DeskAssistant", "DeskModel", "DeskJSON", "DeskHTTP", "DeskCrypto",
                "DeskLog", "TestSupport",
            ],
            path: "Tests/support/APITestSupport", swiftSettings: testSettings),
        tests(
            "DeskSandboxTests",
            [
                "DeskSandbox", "DeskGateway", "DeskLinks", "DeskAPI", "DeskWeb", "DeskBroker",
                "DeskStore",
                "DeskMessages",
                "DeskScript", "DeskModel", "DeskJSON", "DeskHTTP", "DeskBytes", "DeskCrypto",
                "APITestSupport", "GatewayTestSupport", "TestSupport",
            ]),
        tests(
            "DeskDeliveryTests",
            [
                "DeskDelivery", "DeskEventJSON", "DeskBroker", "DeskStore",
                "DeskStoreSQLite", "DeskModel", "DeskJSON", "DeskHTTP", "DeskBytes", "DeskCrypto",
                "DeskLog", "StoreSupport",
                "TestSupport",
            ]),
        tests(
            "DeskWebTests",
            [
                "DeskWeb", "DeskStore", "DeskModel", "DeskHTTP", "DeskBytes", "DeskCrypto",
                "DeskLog", "TestSupport",
            ]),
        tests(
            "DeskAPITests",
            [
                "APITestSupport", "DeskSAML", "DeskAPI", "DeskWeb", "DeskEventJSON", "DeskLinks",
                "DeskTeam",
                "DeskBroker", "DeskStore",
                "DeskStoreSQLite",
                "DeskMessages", "DeskAssistant", "DeskModel", "DeskJSON", "DeskHTTP", "DeskBytes",
                "DeskCrypto",
                "DeskLog", "StoreSupport", "TestSupport",
            ]),
        .target(
            name: "GatewayTestSupport",
            dependencies: [
                "DeskGateway", "DeskLinks", "DeskBroker", "DeskStore", "DeskStoreSQLite",
                "DeskModel", "DeskJSON", "DeskHTTP", "DeskBytes", "DeskCrypto", "DeskLog",
                "StoreSupport", "TestSupport",
            ],
            path: "Tests/support/GatewayTestSupport", swiftSettings: testSettings),
        .target(
            name: "StoreSupport",
            dependencies: [
                "DeskStoreSQLite", "DeskSQL", "DeskStore", "DeskModel", "TestSupport",
            ],
            path: "Tests/support/StoreSupport", swiftSettings: testSettings),
        .target(
            name: "PostgresSupport",
            dependencies: [
                "DeskStorePostgres", "DeskSQL", "DeskStore", "DeskModel", "TestSupport",
            ],
            path: "Tests/support/PostgresSupport", swiftSettings: testSettings),
        .target(
            name: "S3Support",
            dependencies: ["DeskS3", "DeskNet", "DeskModel", "TestSupport"],
            path: "Tests/support/S3Support", swiftSettings: testSettings),
        tests(
            "DeskS3Tests",
            ["DeskS3", "DeskNet", "DeskStore", "DeskHTTP", "DeskModel", "S3Support", "TestSupport"]),
        tests(
            "DeskArchiveTests",
            [
                "DeskArchive", "DeskStoreSQLite", "DeskStorePostgres", "DeskStore", "DeskModel",
                "PostgresSupport", "StoreSupport", "TestSupport",
            ]),
        tests(
            "DeskLintTests",
            ["DeskLint", "DeskCommandLine", "DeskMessages", "DeskModel", "DeskJSON"]),
        tests(
            "DeskGatewayTests",
            [
                "GatewayTestSupport", "DeskGateway", "DeskLinks", "DeskBroker", "DeskStore",
                "DeskStoreSQLite", "DeskMessages", "DeskModel", "DeskJSON", "DeskHTTP", "DeskBytes",
                "DeskCrypto", "StoreSupport", "TestSupport",
            ]),
        tests(
            "FrontdeskTests",
            [
                "frontdesk", "DeskAPI", "DeskWeb", "DeskHTTP", "DeskModel", "DeskStore",
                "DeskStoreSQLite", "DeskStorePostgres", "DeskLint", "DeskCommandLine", "DeskLog",
                "DeskWebhooks", "DeskAssistant", "DeskJSON", "StoreSupport", "TestSupport",
            ]),
    ] + measuring + weakened.targets + fuzzing,
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)
