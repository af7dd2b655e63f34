import assert from "node:assert/strict";
import { test } from "node:test";
import { BusinessLists } from "../../web/console/business-lists.js";

const label = (id, more = {}) => ({ id, business: "shop", name: id, colour: "#112233", order: 0, retired: false, ...more });

/** A server that answers when the test says so. */
function server() {
  const waiting = [];
  const fetch = (path) => new Promise((resolve, reject) => waiting.push({ path, resolve, reject }));
  const answer = async (data) => {
    waiting.shift().resolve({ data });
    for (let turn = 0; turn < 5; turn += 1) await null;
  };
  const refuse = async () => {
    waiting.shift().reject(new Error("refused"));
    for (let turn = 0; turn < 5; turn += 1) await null;
  };
  return { waiting, fetch, answer, refuse };
}

test("a list is read once, when it is needed first, and is in its order", async () => {
  const { fetch, waiting, answer } = server();
  const lists = new BusinessLists(fetch);
  let changes = 0;
  lists.addEventListener("change", () => { changes += 1; });
  assert.deepEqual(lists.labels("shop"), []);
  assert.deepEqual(lists.labels("shop"), []);
  assert.deepEqual(waiting.map(({ path }) => path), ["/api/businesses/shop/labels"]);
  await answer([label("b"), label("c", { order: -1 }), label("a")]);
  assert.deepEqual(lists.labels("shop").map(({ id }) => id), ["c", "a", "b"]);
  assert.equal(changes, 1);
  assert.equal(waiting.length, 0);
});

test("a label that is saved elsewhere has its new name here", async () => {
  const { fetch, answer } = server();
  const lists = new BusinessLists(fetch);
  lists.labels("shop");
  await answer([label("a")]);
  lists.apply({ type: "label.saved", data: { label: label("a", { name: "Returns" }) } });
  lists.apply({ type: "label.saved", data: { label: label("z", { name: "VIP" }) } });
  assert.deepEqual(lists.labelsOf({ business: "shop", labels: ["z", "gone", "a"] }).map(({ name }) => name), ["VIP", "Returns"]);
  assert.equal(lists.labelNamed("a").name, "Returns");
});

test("an answer that is older than an event is read again", async () => {
  const { fetch, waiting, answer } = server();
  const lists = new BusinessLists(fetch);
  lists.labels("shop");
  lists.apply({ type: "label.saved", data: { label: label("a", { name: "New" }) } });
  await answer([label("a", { name: "Old" })]);
  assert.equal(waiting.length, 1);
  await answer([label("a", { name: "New" })]);
  assert.equal(lists.labelNamed("a").name, "New");
  assert.equal(waiting.length, 0);
});

test("an event of a business that nobody looks at reads nothing", () => {
  const { fetch, waiting } = server();
  const lists = new BusinessLists(fetch);
  lists.apply({ type: "label.saved", data: { label: label("a") } });
  lists.apply({ type: "conversation.closed", data: {} });
  assert.equal(waiting.length, 0);
});

test("a refused list is not asked for again at once", async () => {
  const { fetch, waiting, refuse } = server();
  const lists = new BusinessLists(fetch);
  lists.teams("shop");
  await refuse();
  assert.deepEqual(lists.teams("shop"), []);
  assert.equal(waiting.length, 0);
});

test("after missed events a list is read again, and shown as it was until then", async () => {
  const { fetch, waiting, answer } = server();
  const lists = new BusinessLists(fetch);
  lists.labels("shop");
  await answer([label("a")]);
  lists.forget();
  assert.deepEqual(lists.labels("shop").map(({ id }) => id), ["a"]);
  assert.equal(waiting.length, 1);
});

test("people who are invited are no members yet", async () => {
  const { fetch, answer } = server();
  const lists = new BusinessLists(fetch);
  const read = lists.read("shop", "members");
  await answer([{ id: "ada", name: "Ada" }, { id: "x", name: "", invited: true }]);
  assert.deepEqual((await read).map(({ id }) => id), ["ada"]);
});
