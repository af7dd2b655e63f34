import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { caretIn, pathAt } from "../../web/composer/editor/caret.js";
import { completionAt } from "../../web/composer/editor/completion.js";
import { replaced } from "../../web/composer/editor/edits.js";
import { factsOf } from "../../web/composer/editor/schema-facts.js";
import { SchemaCache } from "../../web/composer/editor/schema-cache.js";
import { viewsAt } from "../../web/composer/editor/schema-walk.js";
import { readTree } from "../../web/composer/editor/text-tree.js";

const folder = new URL("../../Schemas/", import.meta.url);
const schemas = new SchemaCache(async (path) =>
  JSON.parse(readFileSync(new URL(path.replace("/schemas/v1/", ""), folder), "utf8")));
const root = "/schemas/v1/outbound/message.json";
await schemas.load(root);

/** What is suggested where `|` stands. */
function suggested(marked, more = {}) {
  const offset = marked.indexOf("|");
  const text = marked.slice(0, offset) + marked.slice(offset + 1);
  const found = completionAt({ schemas: more.schemas ?? schemas, root: more.root ?? root, text, offset, known: more.known });
  return { text, found, labels: (found?.candidates ?? []).map(({ label }) => label) };
}

/** The text after a suggestion was accepted, with `|` where writing goes on. */
function taken(marked, label, more) {
  const { text, found } = suggested(marked, more);
  const candidate = found.candidates.find((one) => one.label === label);
  assert.ok(candidate, `${label} is not among ${found.candidates.map((one) => one.label)}`);
  const after = replaced(text, { start: found.start, end: found.end, replacement: candidate.insert });
  const caret = found.start + candidate.caret;
  return `${after.slice(0, caret)}|${after.slice(caret)}`;
}

const carets = [
  ['{"a|": 1}', "key", [], "a"],
  ['{"|', "key", [], ""],
  ['{"a": |}', "value", ["a"], ""],
  ['{"a": "x|y"}', "value", ["a"], "x"],
  ['{"a": tr|ue}', "value", ["a"], "tr"],
  ['{"a": {"b|', "key", ["a"], "b"],
  ['{"a": [{"b": 1}, |', "value", ["a", 1], ""],
  ['{"a": [{"b": 1}, {"c": "|', "value", ["a", 1, "c"], ""],
  ['{"a": 1, |', "key", [], ""],
  ['{"a": "x" |}', "key", [], ""],
  ['{"a": "x"|}', "key", [], ""],
  ['{"a": \n|\n "b": 1}', "value", ["a"], ""],
  ['{\n "|\n "b": 1}', "key", [], ""],
  ['{"a\\"b|": 1}', "key", [], 'a\\"b'],
  ["|", "value", [], ""],
  ['{"a"|: 1}', null],
  ["{}|", null],
];
for (const [marked, role, path, typed] of carets) {
  test(`the caret in ${JSON.stringify(marked)} is at ${role === null ? "nothing" : `a ${role}`}`, () => {
    const offset = marked.indexOf("|");
    const text = marked.replace("|", "");
    const caret = caretIn(text, readTree(text), offset);
    assert.equal(caret?.role ?? null, role);
    if (caret) assert.deepEqual([caret.path, caret.typed], [path, typed]);
  });
}

test("half-typed text is read without an end to it", () => {
  const pieces = ["{", "}", "[", "]", ",", ":", '"a"', '"', "1", "true", "\n", "\\", "x"];
  let seed = 20261121;
  const next = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;
  for (let round = 0; round < 5000; round += 1) {
    const text = Array.from({ length: 1 + Math.floor(next() * 12) }, () => pieces[Math.floor(next() * pieces.length)]).join("");
    const tree = readTree(text);
    for (let at = 0; at <= text.length; at += 1) {
      const caret = caretIn(text, tree, at);
      if (caret) assert.ok(caret.start <= caret.end && caret.end <= text.length, text);
      pathAt(tree, at);
    }
  }
  assert.ok(readTree("[".repeat(100_000)).root);
});

test("a whole text gives the values that the language's own parser gives", () => {
  const text = readFileSync(new URL("examples/outbound/list-picker/valid-two-sections.json", folder), "utf8");
  const plain = (node) => node.kind === "object" ? Object.fromEntries(node.members.map(({ name, value }) => [name, plain(value)]))
    : node.kind === "array" ? node.items.map(plain) : node.value;
  assert.deepEqual(plain(readTree(text).root), JSON.parse(text));
});

test("required names come first, names that are there already are left out", () => {
  const open = '{"type":"interactive","interactiveData":{"data":{"listPicker":{"sections":[{"title":"A",';
  assert.deepEqual(suggested(`${open}"|`).labels, ["items", "order", "multipleSelection"]);
  const { found } = suggested(`${open.replace('"title":"A",', "")}"|`);
  assert.deepEqual(found.candidates.map(({ label, isRequired }) => [label, isRequired]),
    [["title", true], ["items", true], ["order", false], ["multipleSelection", false]]);
});

test("the type decides which names the message may have", () => {
  const { labels } = suggested('{"type":"text","|"}');
  assert.ok(labels.includes("body"));
  assert.ok(!labels.includes("interactiveData"));
  assert.equal(labels[0], "body");
});

test("before the feature is known all features are offered, afterwards only its own members", () => {
  const features = ["listPicker", "event", "quick-reply", "payment", "authenticate", "dynamic"];
  const open = suggested('{"type":"interactive","interactiveData":{"data":{"|"}}}').labels;
  for (const feature of features) assert.ok(open.includes(feature), feature);
  const known = suggested('{"type":"interactive","interactiveData":{"data":{"event":{},"|"}}}').labels;
  for (const feature of features) assert.ok(!known.includes(feature), feature);
});

test("the bid of another developer's app leaves only the members of an app message", () => {
  const bid = "com.apple.messages.MSMessageExtensionBalloonPlugin:ABCDE12345:com.example.app";
  const { labels } = suggested(`{"type":"interactive","interactiveData":{"bid":"${bid}","|"}}`);
  for (const name of ["URL", "appName", "appId"]) assert.ok(labels.includes(name), name);
  assert.ok(!labels.includes("data"));
});

test("a form's page offers the members of its own type", () => {
  const page = (type) => suggested(`{"type":"interactive","interactiveData":{"data":{"dynamic":{"data":{"pages":[{"type":"${type}","|"}]}}}}}`).labels;
  assert.ok(page("select").includes("multipleSelection"));
  assert.ok(!page("datePicker").includes("multipleSelection"));
});

test("values are those of the schema, narrowed by the typed text", () => {
  assert.deepEqual(suggested('{"type":"|"}').labels, ["text", "interactive", "richLink", "typing_start", "typing_end"]);
  assert.deepEqual(suggested('{"type":"ty|"}').labels, ["typing_start", "typing_end"]);
  assert.deepEqual(suggested('{"type":"interactive","interactiveData":{"receivedMessage":{"style":"|').labels, ["icon", "small", "large"]);
  const flag = '{"type":"interactive","interactiveData":{"data":{"listPicker":{"sections":[{"multipleSelection":|';
  assert.deepEqual(suggested(flag).labels, ["true", "false"]);
});

const insertions = [
  ["a text", '{"type":"text","bo|"}', "body", '{"type":"text","body": "|"}'],
  ["a constant", '{"|}', "v", '{"v": 1|}'],
  ["one of several values is left to the next list", '{"|}', "type", '{"type": "|"}'],
  ["a comma before what follows", '{\n  "|\n  "type": "text"\n}', "body", '{\n  "body": "|",\n  "type": "text"\n}'],
  ["a comma after what goes before", '{\n  "type": "text"\n  "|\n}', "body", '{\n  "type": "text",\n  "body": "|"\n}'],
  ["a name before its colon is replaced alone", '{"type":"text","bo|": "x"}', "body", '{"type":"text","body"|: "x"}'],
  ["a value replaces the whole value", '{"type":"te|"}', "text", '{"type":"text"|}'],
  ["required members within", '{"type":"interactive","interactiveData":{"|}}', "receivedMessage",
    '{"type":"interactive","interactiveData":{"receivedMessage": {\n  "title": "|"\n}}}'],
];
for (const [name, marked, label, wanted] of insertions) {
  test(`taking a suggestion inserts ${name}`, () => assert.equal(taken(marked, label), wanted));
}

test("a list that needs two entries begins with two, indented as the line is", () => {
  const text = taken('{"type":"interactive","interactiveData":{"data":{\n    "|}}}', "quick-reply");
  const payload = JSON.parse(text.replace("|", ""));
  assert.equal(payload.interactiveData.data["quick-reply"].items.length, 2);
  assert.match(text, /\n {6}"items": \[/);
});

test("values of the conversation's envelope are filled in", () => {
  assert.equal(taken('{"|}', "sourceId", { known: { "/sourceId": "b-1" } }), '{"sourceId": "b-1"|}');
});

test("an empty text offers a beginning for each kind, with all that its schema requires", () => {
  const { labels } = suggested("|");
  assert.ok(labels.length >= 10, labels.join());
  const payload = JSON.parse(taken("|", "List picker").replace("|", ""));
  assert.equal(payload.type, "interactive");
  assert.deepEqual(payload.interactiveData.data.listPicker.sections[0].items, [{ identifier: "", title: "" }]);
});

test("the description, kinds and limits of a place are shown", () => {
  const text = readFileSync(new URL("examples/outbound/list-picker/valid-two-sections.json", folder), "utf8");
  const tree = readTree(text);
  const { path } = pathAt(tree, text.indexOf('"identifier"') + 3);
  assert.deepEqual(path.slice(-2), [0, "identifier"]);
  const facts = factsOf(viewsAt(schemas, root, tree.root, path));
  assert.match(facts.description, /^Names the item/);
  assert.deepEqual(facts.types, ["string"]);
  assert.deepEqual(facts.limits, [["minLength", { count: 1 }], ["maxLength", { count: 512 }]]);
});

test("every member of every example is known to the schema that help uses", () => {
  let looked = 0;
  for (const kind of readdirSync(new URL("examples/outbound/", folder))) {
    const kindFolder = new URL(`examples/outbound/${kind}/`, folder);
    for (const file of readdirSync(kindFolder).filter((name) => /^valid-.*\.json$/.test(name) && !name.includes(".expected"))) {
      // What has findings may hold what no schema knows.
      if (existsSync(new URL(file.replace(".json", ".expected.json"), kindFolder))) continue;
      const { root: node } = readTree(readFileSync(new URL(file, kindFolder), "utf8"));
      const look = (inner, path) => {
        for (const [name, value] of inner.kind === "object" ? inner.members.map((one) => [one.name, one.value]) : (inner.items ?? []).entries()) {
          const views = viewsAt(schemas, root, node, [...path, name]);
          // A merchant session is the payment provider's own.
          assert.ok(views.length > 0 || path.includes("merchantSession"), `${kind}/${file} ${[...path, name].join("/")}`);
          looked += 1;
          if (["object", "array"].includes(value.kind)) look(value, [...path, name]);
        }
      };
      look(node, []);
    }
  }
  assert.ok(looked > 300, `only ${looked}`);
});

test("a schema that refers to itself, and alternatives, are followed without an end", async () => {
  const files = {
    "/t/a.json": { $ref: "#/$defs/node", $defs: { node: { type: "object", required: ["kids"], properties: {
      kids: { type: "array", minItems: 1, items: { $ref: "#/$defs/node" } }, shape: { oneOf: [
        { properties: { kind: { const: "round" }, radius: { type: "number" } }, required: ["radius"] },
        { properties: { kind: { const: "square" }, side: { $ref: "b.json" } }, required: ["side"] }] } } } } },
    "/t/b.json": { $ref: "b.json", type: "number" },
  };
  const own = new SchemaCache(async (path) => files[path]);
  await own.load("/t/a.json");
  const more = { schemas: own, root: "/t/a.json" };
  assert.deepEqual(suggested('{"kids":[{"|', more).labels, ["kids", "shape"]);
  assert.deepEqual(suggested('{"shape":{"kind":"square","|', more).labels, ["side"]);
  assert.deepEqual(suggested('{"shape":{"|', more).labels, ["kind", "radius", "side"]);
  assert.ok(taken('{"|}', "kids", more).length < 2000);
});

test("a file that cannot be fetched is requested again", async () => {
  let calls = 0;
  const own = new SchemaCache(async () => {
    calls += 1;
    if (calls === 1) throw new Error("no line");
    return { type: "object" };
  });
  await assert.rejects(own.load("/t/a.json"));
  assert.equal(own.has("/t/a.json"), false);
  await own.load("/t/a.json");
  assert.equal(own.has("/t/a.json"), true);
});
