import assert from "node:assert/strict";
import { test } from "node:test";
import { partOfKind, readKept, restoreKept } from "../../web/composer/kept-draft.js";
import { DraftSync } from "../../web/console/draft-sync.js";

const written = (body) => ({ reply: { kind: "text", body, card: null }, note: "", isNote: false });

/** A server with one agent's drafts, as the API describes it. */
function server() {
  const drafts = new Map();
  let version = 100;
  const log = [];
  const conflict = (current) => Object.assign(new Error("conflict"), {
    status: 409, code: "draft_conflict", mayRetry: false, body: { current: current ?? null },
  });
  return {
    drafts, log, isDown: false,
    save(path, draft) {
      drafts.set(path, { ...draft, version: (version += 1) });
      return drafts.get(path);
    },
    async get(path) {
      log.push("get");
      if (drafts.has(path)) return drafts.get(path);
      throw Object.assign(new Error("none"), { status: 404 });
    },
    async put(path, draft) {
      log.push(`put ${draft.version}`);
      if (this.isDown) throw Object.assign(new Error("offline"), { status: 0, code: "offline", mayRetry: true, body: {} });
      const known = drafts.get(path);
      if ((known?.version ?? 0) !== draft.version) throw conflict(known);
      return this.save(path, draft);
    },
    async delete(path, { query }) {
      log.push(`delete ${query.version}`);
      if (drafts.has(path) && drafts.get(path).version !== query.version) throw conflict(drafts.get(path));
      drafts.delete(path);
    },
  };
}

const path = "/api/conversations/c/draft";

test("a draft is saved, changed and deleted, each with the version before", async () => {
  const requests = server();
  const sync = new DraftSync(requests);
  sync.change("c", written("One"));
  await sync.save("c");
  sync.change("c", written("One, two"));
  await sync.save("c");
  assert.equal(requests.drafts.get(path).text, "One, two");
  assert.equal(sync.version("c"), 102);
  sync.change("c", null);
  await sync.save("c");
  assert.deepEqual(requests.log, ["put 0", "put 101", "delete 102"]);
  assert.equal(sync.version("c"), 0);
});

test("what the server has already is not saved again, and a draft that never was is not deleted", async () => {
  const requests = server();
  const sync = new DraftSync(requests);
  sync.change("c", null);
  await sync.save("c");
  requests.save(path, { kind: "text", text: "Elsewhere", content: written("Elsewhere") });
  assert.deepEqual(await sync.read("c", { version: 101 }), written("Elsewhere"));
  sync.change("c", written("Elsewhere"));
  await sync.save("c");
  assert.deepEqual(requests.log, ["get"]);
});

test("without a mark nothing is read", async () => {
  const requests = server();
  assert.equal(await new DraftSync(requests).read("c", null), null);
  assert.deepEqual(requests.log, []);
});

test("of two devices the one that writes now wins, and the other's draft is offered", async () => {
  const requests = server();
  const offered = [];
  const sync = new DraftSync(requests, { overwritten: (id, other) => offered.push([id, other]) });
  requests.save(path, { kind: "text", text: "From the phone", content: null });
  sync.change("c", written("From the desk"));
  await sync.save("c");
  assert.equal(requests.drafts.get(path).text, "From the desk");
  assert.deepEqual(offered, [["c", written("From the phone")]]);
});

test("a sent message takes its draft along, and what waited is not saved after it", async () => {
  const requests = server();
  const sync = new DraftSync(requests);
  sync.change("c", written("Almost"));
  await sync.save("c");
  sync.change("c", written("Almost done"));
  assert.equal(await sync.versionToSend("c"), 101);
  requests.drafts.delete(path);
  sync.sent("c");
  sync.change("c", null);
  await sync.save("c");
  assert.deepEqual(requests.log, ["put 0"]);
});

test("what is being sent is not saved as a draft, whatever is announced of it meanwhile", async () => {
  const requests = server();
  const sync = new DraftSync(requests);
  sync.change("c", written("On its way"));
  assert.equal(await sync.versionToSend("c", written("On its way")), 0);
  sync.change("c", written("On its way"));
  await sync.save("c");
  sync.sent("c");
  await sync.save("c");
  assert.deepEqual(requests.log, []);
  sync.change("c", written("The next one"));
  await sync.save("c");
  assert.equal(requests.drafts.get(path).text, "The next one");
});

test("a message that was not sent is a draft again", async () => {
  const requests = server();
  const sync = new DraftSync(requests);
  sync.change("c", written("Refused"));
  await sync.versionToSend("c", written("Refused"));
  sync.unsent("c");
  await sync.save("c");
  assert.equal(requests.drafts.get(path).text, "Refused");
  sync.unsent("c");
  await sync.save("c");
  assert.deepEqual(requests.log, ["put 0"]);
});

test("a save that failed is repeated with the next one", async () => {
  const requests = server();
  const sync = new DraftSync(requests);
  requests.isDown = true;
  sync.change("c", written("Typed offline"));
  await sync.save("c");
  assert.equal(sync.has("c", written("Typed offline")), false);
  requests.isDown = false;
  await sync.save("c");
  assert.equal(requests.drafts.get(path).text, "Typed offline");
  assert.equal(sync.has("c", written("Typed offline")), true);
});

/** Forms as the composer keeps them, without a page. */
function forms(drafts = {}) {
  const all = new Map();
  const make = (kind) => ({
    kind, ids: undefined, draft: drafts[kind], get isWritten() { return Boolean(this.draft); },
    blankDraft: () => (kind === "text" ? { body: "", attachments: [] } : {}), setDraft(draft) { this.draft = draft; },
  });
  for (const kind of Object.keys(drafts)) all.set(kind, make(kind));
  const require = (kind) => all.get(kind) ?? all.set(kind, make(kind)).get(kind);
  const open = (kind) => {
    const form = require(kind);
    all.delete(kind);
    all.set(kind, form);
    return form;
  };
  return { get kinds() { return [...all.keys()].reverse(); }, find: (kind) => all.get(kind), require, open };
}

test("what was written without a connection in several conversations is saved once there is one", async () => {
  const requests = server();
  const sync = new DraftSync(requests);
  requests.isDown = true;
  for (const id of ["c", "d"]) {
    sync.change(id, written(`In ${id}`));
    await sync.save(id);
  }
  assert.equal(requests.drafts.size, 0);
  requests.isDown = false;
  await sync.saveAll();
  assert.deepEqual([...requests.drafts.values()].map((one) => one.text), ["In c", "In d"]);
  assert.ok(sync.has("d", written("In d")));
});

test("a text and a card come back as they were", () => {
  const { draft, isWhole } = readKept(forms({ text: { body: "And this" }, list: { title: "Teas" } }), "list");
  assert.deepEqual(draft, { kind: "list", body: "And this", card: { kind: "list", draft: { title: "Teas" } } });
  assert.equal(isWhole, true);
  const other = forms();
  restoreKept(other, JSON.parse(JSON.stringify(draft)));
  assert.equal(other.find("text").draft.body, "And this");
  assert.deepEqual(other.find("list").draft, { title: "Teas" });
});

test("a card that was put aside for a text is kept behind it, and goes with the draft that is removed elsewhere", () => {
  const here = forms({ text: { body: "First this" }, list: { title: "Teas" } });
  const { draft } = readKept(here, "text");
  assert.deepEqual(draft, { kind: "text", body: "First this", card: { kind: "list", draft: { title: "Teas" } } });
  const there = forms();
  restoreKept(there, JSON.parse(JSON.stringify(draft)));
  assert.deepEqual(there.find("list").draft, { title: "Teas" });
  restoreKept(there, null, "text");
  assert.equal(readKept(there, "text").draft, null);
  // One that was too large to be kept is in this tab alone.
  const large = forms({ list: { picture: "x".repeat(60_000) } });
  restoreKept(large, null, "text");
  assert.equal(large.find("list").draft.picture.length, 60_000);
});

test("every card is kept in the order in which they were opened, with the ids of its message, and so is the text", () => {
  const here = forms({ text: { body: "First this" }, list: { title: "Teas" }, time: { title: "When" }, form: { title: "Who" } });
  for (const kind of ["text", "list", "time"]) here.find(kind).ids = { id: kind, requestID: `${kind}-request` };
  const { draft } = readKept(here, "text");
  assert.deepEqual([draft.card, ...draft.behind].map((card) => [card.kind, card.ids?.id]), [["form", undefined], ["time", "time"], ["list", "list"]]);
  assert.deepEqual(draft.ids, { id: "text", requestID: "text-request" });
  // What was opened in another order there is kept in the order of here: else two devices would go on correcting each other.
  const there = forms({ time: {}, list: {} });
  restoreKept(there, JSON.parse(JSON.stringify(draft)), "text");
  const again = readKept(there, "text").draft;
  assert.deepEqual({ ...again, card: null }, { ...draft, card: null });
  assert.equal(readKept(here, "list").draft.card.kind, "list");
  assert.deepEqual(readKept(here, "list").draft.behind.map(({ kind }) => kind), ["form", "time"]);
  // A message of the same words that is begun after one was sent elsewhere is another message.
  restoreKept(there, null, "text");
  assert.notDeepEqual(there.find("text").ids, draft.ids);
  assert.equal(readKept(there, "text").draft, null);
});

test("cards too large together are kept as far as there is room", () => {
  const { draft, isWhole } = readKept(forms({ list: { title: "Teas" }, time: { picture: "x".repeat(39_990) }, form: { title: "Who" } }), "form");
  assert.deepEqual([draft.card, ...draft.behind].map(({ kind }) => kind), ["form", "list"]);
  assert.equal(isWhole, false);
});

test("the next card is left of a card that was sent, and all of them of a text", async () => {
  const [list, time, form] = ["list", "time", "form"].map((kind) => ({ kind, draft: {}, ids: { id: kind, requestID: kind } }));
  for (const [reply, left] of [
    [{ kind: "list", body: "Words", card: list, behind: [time, form], ids: { id: "w", requestID: "w" } }, { kind: "text", body: "Words", card: time, ids: { id: "w", requestID: "w" }, behind: [form] }],
    [{ kind: "list", body: "", card: list, behind: [time] }, { kind: "text", body: "", card: time }],
    [{ kind: "text", body: "Words", card: list, behind: [time], ids: { id: "w", requestID: "w" } }, { kind: "text", body: "", card: list, behind: [time] }],
    [{ kind: "list", body: "", card: list }, null],
  ]) {
    const requests = server();
    const sync = new DraftSync(requests);
    const draft = { reply, note: "", isNote: false };
    await sync.versionToSend("c", draft);
    sync.sent("c", true);
    await sync.save("c");
    assert.deepEqual(requests.drafts.get(path)?.content.reply ?? null, left);
  }
});

test("what is put back of a message that was withdrawn is that message, and not what was written beside it", () => {
  const { draft } = readKept(forms({ text: { body: "First this" }, list: { title: "Teas" } }), "text");
  assert.deepEqual(partOfKind(draft, "text"), { kind: "text", body: "First this", card: null });
  assert.deepEqual(partOfKind({ ...draft, kind: "list" }, "list"), { kind: "list", body: "", card: { kind: "list", draft: { title: "Teas" } } });
  assert.equal(partOfKind(draft, "time"), null);
});

test("the card behind a text that was sent and left is a draft still, and its row names it", async () => {
  const requests = server();
  const sync = new DraftSync(requests);
  const card = { kind: "list", draft: { title: "Teas" } };
  const draft = { reply: { kind: "text", body: "First this", card }, note: "", isNote: false };
  sync.change("c", draft);
  await sync.versionToSend("c", draft);
  sync.sent("c", true);
  await sync.save("c");
  const { kind, text, content } = requests.drafts.get(path);
  assert.deepEqual([kind, text, content.reply], ["list", "", { kind: "text", body: "", card }]);
});

test("a template that is sent beside a draft leaves it, and it is deleted when its author does so", async () => {
  const requests = server();
  const replaced = [];
  const sync = new DraftSync(requests, { overwritten: (id) => replaced.push(id) });
  sync.change("c", written("My own"));
  await sync.save("c");
  sync.sent("c");
  sync.change("c", written("My own words"));
  await sync.save("c");
  assert.deepEqual([requests.drafts.get(path).text, replaced], ["My own words", []]);
  sync.sent("c");
  sync.change("c", null);
  await sync.save("c");
  assert.equal(requests.drafts.size, 0);
});

test("nothing written is no draft, and a card full of pictures is said not to be kept", () => {
  assert.deepEqual(readKept(forms({ text: { body: "  " } }), "text"), { draft: null, isWhole: true });
  const large = readKept(forms({ text: { body: "Kept" }, list: { picture: "x".repeat(60_000) } }), "list");
  assert.deepEqual(large, { draft: { kind: "text", body: "Kept", card: null }, isWhole: false });
});

test("the size of a card is counted in bytes, as the server counts it", () => {
  assert.equal(readKept(forms({ list: { title: "茶".repeat(20_000) } }), "list").isWhole, false);
});

test("files are kept by their stored ids, in their order, and one that is on its way stays in its tab", () => {
  const stored = (id) => ({ id, name: `${id}.txt`, size: 3, type: "text/plain", attachment: { key: id } });
  const coming = { name: "coming.txt", attachment: null, problem: null };
  const here = forms({ text: { body: "", attachments: [stored("a"), coming, { ...stored("b"), preview: "blob:b" }], attachmentsFirst: false } });
  const { draft } = readKept(here, "text");
  assert.deepEqual(draft, { kind: "text", body: "", card: null, files: [stored("a"), stored("b")], areFilesLast: true });
  const there = forms();
  restoreKept(there, JSON.parse(JSON.stringify(draft)));
  const { attachments, attachmentsFirst } = there.find("text").draft;
  assert.deepEqual(attachments.map(({ id, isKept }) => [id, isKept]), [["a", true], ["b", true]]);
  assert.equal(attachmentsFirst, false);
  restoreKept(here, draft);
  assert.deepEqual(here.find("text").draft.attachments.map(({ name }) => name), ["a.txt", "b.txt", "coming.txt"]);
  assert.equal(here.find("text").draft.attachments[1].preview, "blob:b");
});

test("a draft that the server refuses is said, and one that cannot reach it is not", async () => {
  const requests = server();
  const refused = [];
  const sync = new DraftSync(requests, { refused: (id, problem) => refused.push([id, problem.status]) });
  requests.isDown = true;
  sync.change("c", written("Offline"));
  await sync.save("c");
  assert.deepEqual(refused, []);
  requests.put = async () => {
    throw Object.assign(new Error("large"), { status: 413, code: "too_large", mayRetry: false, body: {} });
  };
  sync.change("c", written("Too large"));
  await sync.save("c");
  assert.deepEqual(refused, [["c", 413]]);
  assert.equal(sync.has("c", written("Too large")), false);
});

test("what comes back to a conversation that was left is saved as its draft, and over no other", async () => {
  const requests = server();
  const sync = new DraftSync(requests);
  sync.begin("c", written("Withdrawn").reply);
  await sync.save("c");
  assert.deepEqual(requests.drafts.get(path).content, written("Withdrawn"));
  sync.begin("c", written("Once more").reply);
  sync.begin("d", null);
  await sync.save("c");
  assert.deepEqual(requests.drafts.get(path).content, written("Withdrawn"));
  assert.deepEqual(requests.log, ["put 0"]);
});

test("what comes back while the answer about its message is on its way is saved as the draft after it", async () => {
  const requests = server();
  const sync = new DraftSync(requests);
  sync.change("c", written("Withdrawn"));
  await sync.versionToSend("c", written("Withdrawn"));
  sync.begin("c", written("Withdrawn").reply);
  assert.deepEqual(requests.log, []);
  sync.sent("c", true);
  await sync.save("c");
  assert.deepEqual(requests.drafts.get(path).content, written("Withdrawn"));
  assert.deepEqual(requests.log, ["put 0"]);
});

for (const [name, before, after] of [
  ["alone", { reply: null, note: "For colleagues", isNote: true }, null],
  ["beside an answer", { ...written("Hello"), note: "For colleagues", isNote: true }, { ...written("Hello"), note: "", isNote: false }],
  ["another one by now", { reply: null, note: "Another one", isNote: true }, { reply: null, note: "Another one", isNote: true }],
]) {
  test(`of a note that was stored after its conversation was left no draft stays: ${name}`, async () => {
    const requests = server();
    const sync = new DraftSync(requests);
    sync.change("c", before);
    const saving = sync.save("c");
    await sync.noteSaved("c", "For colleagues");
    await saving;
    await sync.save("c");
    assert.deepEqual(requests.drafts.get(path)?.content ?? null, after);
  });
}

test("a draft that was read while this device saved or sent it does not bring back what it was", async () => {
  for (const end of ["deleted", "sent"]) {
    const requests = server();
    const sync = new DraftSync(requests);
    sync.change("c", written("On its way"));
    await sync.save("c");
    const plain = requests.get;
    let answer;
    requests.get = async (asked) => {
      const draft = await plain.call(requests, asked);
      return new Promise((resolve) => { answer = () => resolve(draft); });
    };
    const reading = sync.read("c", { version: 101 });
    await new Promise((resolve) => setImmediate(resolve));
    if (end === "sent") {
      await sync.versionToSend("c");
      requests.drafts.delete(path);
      sync.sent("c");
    } else {
      sync.change("c", null);
      await sync.save("c");
    }
    answer();
    assert.equal(await reading, undefined, end);
    assert.equal(sync.version("c"), 0, end);
  }
});
