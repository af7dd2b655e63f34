import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { wholeList } from "../../web/console/list-filter.js";
import { ListedConversations } from "../../web/console/listed-conversations.js";

const conversation = (id, minute) => ({
  id, business: "shop", state: "open", assignee: null, labels: [], revision: 1, unread: 0,
  lastMessage: { time: `2026-01-01T10:${minute}:00Z` }, waitingSince: `2026-01-01T10:${minute}:00Z`,
});

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A list on a server that answers when the test says so; time passes when the test says so. */
async function list(filter, page) {
  mock.timers.enable({ apis: ["setTimeout"] });
  const waiting = [];
  globalThis.fetch = (url) => new Promise((resolve) => waiting.push({ url: String(url), resolve }));
  const answer = async (body, at = 0) => {
    waiting.splice(at, 1)[0].resolve(new Response(JSON.stringify({ next: null, hasMore: false, ...body }), { headers: { "Content-Type": "application/json" } }));
    for (let turn = 0; turn < 5; turn += 1) await settle();
  };
  const shown = new ListedConversations(() => {});
  const loaded = shown.load({ ...wholeList, ...filter });
  await settle();
  await answer(page);
  await loaded;
  const check = async () => {
    mock.timers.tick(1_000);
    await settle();
  };
  const ids = () => shown.rows("me").map(({ id }) => id);
  return { shown, answer, check, ids, waiting };
}

test.afterEach(() => mock.timers.reset());

for (const [name, filter, data, kept] of [
  ["the latest first", { assignee: "bot" }, [["c", "30"], ["b", "20"], ["a", "10"]], ["d", "c", "a"]],
  ["the longest wait first", { view: "waiting" }, [["a", "10"], ["b", "20"], ["c", "30"]], ["a", "c"]],
]) {
  test(`what the server lists no more is gone from a long list, ${name}`, async () => {
    const rows = data.map(([id, minute]) => conversation(id, minute));
    const { shown, answer, check, ids, waiting } = await list(filter, { data: rows, hasMore: true, next: "p" });
    assert.deepEqual(ids(), data.map(([id]) => id));
    shown.noteBots(true);
    await check();
    assert.equal(waiting.length, 1);
    // One in the middle left it; another may have come.
    await answer({ data: kept.map((id) => rows.find((one) => one.id === id) ?? conversation(id, "40")), hasMore: true, next: "p" });
    assert.deepEqual(ids(), kept);
  });
}

test("of two answers about what belongs to the list the one that was asked for last counts", async () => {
  const [a, b] = [conversation("a", "10"), conversation("b", "20")];
  const { shown, answer, check, ids, waiting } = await list({ assignee: "bot" }, { data: [b, a] });
  shown.recheck();
  await check();
  shown.recheck();
  await check();
  assert.equal(waiting.length, 2);
  await answer({ data: [b] }, 1);
  await answer({ data: [a] }, 0);
  assert.deepEqual(ids(), ["b"]);
});

test("what was written before an automatic message in an unknown conversation is read with the page, once", async () => {
  const { shown, answer, check, waiting } = await list({}, { data: [conversation("a", "10")] });
  const automatic = { ...conversation("b", "20"), lastMessage: { time: "2026-01-01T10:20:00Z", summary: "Sorry", author: { type: "rule" } } };
  shown.put(automatic);
  await check();
  assert.equal(waiting.length, 1);
  await answer({ data: [{ ...automatic, lastNonAutomatic: { summary: "Is it there?", author: { type: "customer" } } }, conversation("a", "10")] });
  assert.equal(shown.store.get("b").lastNonAutomatic.summary, "Is it there?");
  shown.put({ ...automatic, revision: 2 });
  await check();
  assert.equal(waiting.length, 0);
  assert.equal(shown.store.get("b").lastNonAutomatic.summary, "Is it there?");
});
