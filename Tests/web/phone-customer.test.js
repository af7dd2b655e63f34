import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Conversation } from "../../web/phone/conversation.js";
import { placeOf } from "../../web/phone/route.js";

const BUSINESS = { id: "shop", name: "Tea" };
const settle = async () => { for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve)); };

/** The server as a frame sees it: who the customer of the browser is, and what is posted. */
function server(customer) {
  const state = { customer, posted: [], asked: [] };
  globalThis.WebSocket = class { close() {} };
  globalThis.location ??= { protocol: "https:", host: "desk.example" };
  globalThis.document ??= { addEventListener() {}, removeEventListener() {} };
  globalThis.addEventListener = () => {};
  globalThis.removeEventListener = () => {};
  const answer = (status, body) => new Response(JSON.stringify(body), { status });
  globalThis.fetch = async (path, { method, body }) => {
    state.asked.push(`${method} ${path}`);
    const id = state.customer && `c-${state.customer}`;
    if (method === "GET" && path.endsWith("/phone")) {
      return answer(200, { customer: state.customer && { id: state.customer }, conversation: id && { id } });
    }
    if (method === "GET") return id ? answer(200, { data: [], damaged: [], head: "1", hasMore: false }) : answer(401, { code: "unauthenticated" });
    const posted = JSON.parse(body ?? "{}");
    if (path.endsWith("/messages")) {
      if (posted.conversation && !id) return answer(401, { code: "unauthenticated" });
      if (posted.conversation && posted.conversation !== id) return answer(404, { code: "not_found" });
      state.customer ??= "new";
      state.posted.push(posted);
      return answer(201, { message: { id: posted.id, sequence: 1, conversation: `c-${state.customer}`, payload: {} } });
    }
    return answer(200, {});
  };
  return state;
}

function conversation(customer, place = placeOf("shop", "7")) {
  const info = { business: BUSINESS, customer: customer && { id: customer }, conversation: customer && { id: `c-${customer}` } };
  const made = new Conversation(info, {}, place);
  const heard = [];
  made.addEventListener("replaced", ({ detail }) => heard.push(detail.text ?? null));
  return { made, heard };
}

test("what is written in a frame names the conversation, from the second message on, and on the own page never", async () => {
  const state = server(null);
  const { made } = conversation(null);
  made.sendText("One", []);
  await settle();
  made.meet({ customer: { id: "new" } });
  made.sendText("Two", []);
  await settle();
  assert.deepEqual(state.posted.map((one) => one.conversation), [undefined, "c-new"]);
  const own = conversation("new", placeOf("shop")).made;
  own.sendText("Three", []);
  await settle();
  assert.equal(state.posted.at(-1).conversation, undefined);
});

test("a message is kept with the conversation that it was written in before its body says it", async () => {
  const state = server(null);
  const { made } = conversation(null);
  made.sendText("One", []);
  await settle();
  const attempts = [];
  made.outbox.addEventListener("change", () => attempts.push(...made.outbox.items.map(({ at, body }) => [at, body.conversation])));
  made.sendText("Two", []);
  await settle();
  assert.deepEqual(attempts[0], ["c-new", undefined]);
  assert.equal(state.posted[1].at, undefined);
});

test("what was stored before the customer signed in is said, and not shown in the conversation of after", async () => {
  const state = server("a");
  const { made } = conversation("a");
  let count = 0;
  made.addEventListener("sent-before", () => { count += 1; });
  state.customer = "before";
  made.outbox.add({ id: "m", path: "/messages", body: { id: "m", text: "Hi", former: "c-before" }, preview: null });
  await settle();
  assert.deepEqual([count, made.id, made.thread.has("m")], [1, "c-a", false]);
});

test("what is written below another customer's thread goes nowhere, and the frame begins anew", async () => {
  const state = server("a");
  const { made, heard } = conversation("a");
  state.customer = "b";
  made.sendText("For A", []);
  await settle();
  assert.deepEqual(state.posted, []);
  assert.deepEqual(heard, [null]);
  assert.deepEqual(made.outbox.items, []);
  made.sendText("Too late", []);
  await settle();
  assert.deepEqual(state.posted, []);
});

test("a customer whose session ended keeps what was written, for a new conversation", async () => {
  const state = server("a");
  const { made, heard } = conversation("a");
  state.customer = null;
  made.sendText("Still there?", []);
  made.sendText("And now?", []);
  await settle();
  assert.deepEqual(state.posted, []);
  assert.deepEqual(heard, ["Still there?\n\nAnd now?"]);
});

test("a browser that keeps no cookie goes on as before", async () => {
  const state = server("a");
  const { made, heard } = conversation("a");
  made.isKept = false;
  state.customer = null;
  made.sendText("Hello", []);
  await settle();
  assert.equal(state.posted.length, 1);
  assert.deepEqual(heard, []);
});

test("a frame that is asked again finds out that another customer is there, before it deletes anything", async () => {
  const state = server("a");
  const { made, heard } = conversation("a");
  await made.check();
  assert.deepEqual(heard, []);
  state.customer = "b";
  await assert.rejects(made.delete());
  assert.deepEqual(heard, [null]);
  assert.ok(!state.asked.some((one) => one.startsWith("DELETE")));
});

test("however often a conversation is renewed, one chain of attempts loads it", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const state = server(null);
  const { made } = conversation("a");
  for (let turn = 0; turn < 5; turn += 1) made.renew();
  await settle();
  const before = state.asked.length;
  mock.timers.tick(1_000);
  await settle();
  assert.equal(state.asked.length - before, 1);
  mock.timers.reset();
});

test("a message that the server has from before the customer signed in leaves the outbox and is in no other conversation", async () => {
  const state = server("ada");
  const { made } = conversation("ada");
  const { fetch } = globalThis;
  globalThis.fetch = async (path, options) => {
    const posted = JSON.parse(options.body ?? "{}");
    return posted.former
      ? new Response(JSON.stringify({ message: { id: posted.id, sequence: 1, conversation: posted.former, payload: {} } }), { status: 201 })
      : fetch(path, options);
  };
  made.outbox.add({ id: "m", path: "/messages", body: { id: "m", text: "Lost", former: "c-before" }, preview: null });
  await settle();
  assert.deepEqual(made.outbox.items, []);
  assert.equal(made.id, "c-ada");
  assert.deepEqual(made.thread.messages, []);
  assert.deepEqual(state.posted, []);
});

/** A message that its customer wrote without a name, as it is handed over after signing in. */
const moved = (body) => ({ id: "m", path: "/messages", isMoved: true, body: { id: "m", text: "Hi", ...body }, preview: null });

test("first words that were stored before the customer signed in open the customer's own conversation beside them", async () => {
  const state = server(null);
  const { made } = conversation(null);
  const heard = [];
  for (const name of ["sent-before", "begun"]) made.addEventListener(name, () => heard.push(name));
  const { fetch } = globalThis;
  globalThis.fetch = async (path, options) => {
    if (options.method !== "POST") return fetch(path, options);
    state.customer = "a";
    return new Response(JSON.stringify({ message: { id: "m", sequence: 1, conversation: "c-before", payload: {} } }), { status: 201 });
  };
  made.outbox.add(moved({ secret: "s" }));
  await settle();
  assert.deepEqual([heard, made.id, made.hasCustomer], [["sent-before", "begun"], "c-a", true]);
  assert.deepEqual([made.outbox.items, made.thread.messages], [[], []]);
});

test("first words that were not stored before are the first of the customer's own conversation", async () => {
  const state = server(null);
  const { made } = conversation(null);
  const heard = [];
  for (const name of ["sent-before", "begun"]) made.addEventListener(name, () => heard.push(name));
  made.outbox.add(moved({ secret: "s" }));
  await settle();
  assert.deepEqual([heard, made.id, state.posted.length], [["begun"], "c-new", 1]);
});

test("what a frame without a name has not sent is left for the customer who has signed in meanwhile", async () => {
  for (const [isNamed, left] of [[false, ["m"]], [true, []]]) {
    const stored = new Map();
    globalThis.localStorage = { getItem: (key) => stored.get(key) ?? null, setItem: (key, value) => stored.set(key, value), removeItem: (key) => stored.delete(key) };
    const state = server("before");
    const { made, heard } = conversation("before");
    made.isNamed = isNamed;
    state.customer = "a";
    made.outbox.add({ id: "m", path: "/messages", body: { id: "m", text: "Hi", conversation: "c-before" }, preview: null });
    await settle();
    assert.deepEqual([heard, state.posted], [[null], []]);
    assert.deepEqual(JSON.parse(stored.get("fd.widget.shop.7.outbox") ?? "[]").map(({ id }) => id), left);
    delete globalThis.localStorage;
  }
});

test("words that were refused for a session that came too late are sent once the server has put it aside", async () => {
  const state = server("a");
  const { made, heard } = conversation("a");
  const { fetch } = globalThis;
  let isLate = true;
  globalThis.fetch = async (path, options) => {
    if (options.method === "GET") isLate = false;
    if (isLate) return new Response(JSON.stringify({ code: "not_found" }), { status: 404 });
    return fetch(path, options);
  };
  made.sendText("Hi", []);
  await settle();
  assert.deepEqual([heard, state.posted.length, made.outbox.items], [[], 1, []]);
});

for (const [isNamed, customer, expected] of [[true, null, 1], [true, "a", 0], [false, null, 0]]) {
  const who = isNamed ? "a signed-in customer" : "a customer without a name";
  test(`a stream that ends shows that ${who} is ${customer ? "still there" : "gone"}: said ${expected} times`, async () => {
    const state = server("a");
    let socket;
    globalThis.WebSocket = class { constructor() { socket = this; } send() {} close() {} };
    const { made } = conversation("a");
    made.isNamed = isNamed;
    let count = 0;
    made.addEventListener("ended", () => { count += 1; });
    await made.start();
    socket.onopen();
    // Another host of the shop has signed the customer out: the pages there share the cookies, and hear nothing of each other.
    state.customer = customer;
    socket.onclose();
    await settle();
    assert.equal(count, expected);
    made.delete().catch(() => {});
    await settle();
  });
}

test("a stream that cannot be opened shows that a signed-in customer is gone, by whichever attempt the server answers", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const state = server("a");
  let socket;
  globalThis.WebSocket = class { constructor() { socket = this; } send() {} close() {} };
  const { made } = conversation("a");
  made.isNamed = true;
  let count = 0;
  made.addEventListener("ended", () => { count += 1; });
  await made.start();
  const { fetch } = globalThis;
  state.customer = null;
  globalThis.fetch = async () => new Response(JSON.stringify({ code: "unavailable" }), { status: 503 });
  socket.onclose();
  await settle();
  assert.equal(count, 0);
  globalThis.fetch = fetch;
  mock.timers.tick(20_000);
  socket.onclose();
  await settle();
  assert.equal(count, 1);
  made.delete().catch(() => {});
  await settle();
  mock.timers.reset();
});

test("a customer without a name who is gone is said to be, where the browser keeps the cookie", async () => {
  for (const [isKept, expected] of [[true, 1], [false, 0]]) {
    const state = server("a");
    const { made } = conversation("a");
    let count = 0;
    made.addEventListener("ended", () => { count += 1; });
    made.isKept = isKept;
    state.customer = null;
    await made.check();
    assert.equal(count, expected);
  }
});

test("what the customer writes on another device is said, and what the business writes", async () => {
  server("a");
  let socket;
  globalThis.WebSocket = class { constructor() { socket = this; } send() {} close() {} };
  const { made } = conversation("a");
  const heard = [];
  for (const name of ["wrote", "arrived"]) made.addEventListener(name, ({ detail }) => heard.push([name, detail.message.id]));
  await made.start();
  socket.onopen();
  for (const [at, direction] of [[2, "inbound"], [3, "outbound"]]) {
    socket.onmessage({ data: JSON.stringify({ id: `00000000000${at}`, type: "message.accepted",
      data: { message: { id: `m${at}`, sequence: at, direction, conversation: "c-a", payload: {} } } }) });
  }
  assert.deepEqual(heard, [["wrote", "m2"], ["arrived", "m3"]]);
  await made.delete().catch(() => {});
});

test("a frame without a customer finds the conversation that another tab has begun", async () => {
  const state = server(null);
  const { made } = conversation(null);
  await made.check();
  assert.equal(made.hasCustomer, false);
  state.customer = "a";
  await made.check();
  await settle();
  assert.deepEqual([made.hasCustomer, made.id, made.customer, made.isLoaded], [true, "c-a", "a", true]);
  assert.equal(state.asked.at(-1), "GET /api/widget/shop/phone/messages");
  await made.delete().catch(() => {});
});

test("what is written on the own page after the session ended is the first of a new conversation, without the former thread", async () => {
  const state = server("a");
  const { made } = conversation("a", placeOf("shop"));
  await made.start();
  made.thread.add([{ id: "old", sequence: 7, conversation: "c-a", payload: {} }]);
  const heard = [];
  made.addEventListener("begun-anew", () => heard.push(made.thread.messages.map(({ id }) => id)));
  state.customer = null;
  let first = 0;
  globalThis.WebSocket = class { constructor() { first += 1; } close() {} };
  made.sendText("Still there?", []);
  await settle();
  assert.deepEqual([made.id, heard, made.thread.has("old")], ["c-new", [[]], false]);
  assert.equal(first, 1, "it listens to the new conversation");
  made.sendText("And now?", []);
  await settle();
  assert.deepEqual([heard.length, state.posted.length], [1, 2]);
  made.delete().catch(() => {});
  await settle();
});

test("a conversation that was deleted on another device is gone here too, and what begins there is shown", async () => {
  server("a");
  const sockets = [];
  globalThis.WebSocket = class {
    constructor() { sockets.push(this); }
    close() {}
    send() {}
  };
  const message = (sequence) => ({ id: `m${sequence}`, sequence, conversation: "c-a", direction: "inbound", payload: { type: "text", body: "Hi" } });
  let data = [message(1)];
  const { fetch } = globalThis;
  globalThis.fetch = async (path, options) => (options.method === "GET" && path.endsWith("/messages")
    ? new Response(JSON.stringify({ data, damaged: [], head: "e-1", hasMore: false })) : fetch(path, options));
  const { made } = conversation("a");
  const heard = [];
  made.addEventListener("deleted", () => heard.push("deleted"));
  await made.start();
  const receive = (frame) => sockets.at(-1).onmessage({ data: JSON.stringify(frame) });
  assert.equal(made.thread.messages.length, 1);

  data = [];
  receive({ id: "e-2", type: "customer.left", data: {} });
  await settle();
  assert.deepEqual([made.thread.messages.length, made.hasLeft, heard.length], [0, true, 1]);
  receive({ id: "e-3", type: "message.accepted", data: { message: message(2) } });
  assert.deepEqual([made.thread.messages.map(({ id }) => id), made.hasLeft], [["m2"], false]);

  // What was missed meanwhile is read: the customer has left and come back.
  data = [message(3)];
  receive({ id: "e-4", type: "customer.left", data: {} });
  await settle();
  assert.deepEqual([made.thread.messages.map(({ id }) => id), made.hasLeft, heard.length], [["m3"], false, 2]);
  globalThis.fetch = fetch;
});
