"""Long threads and long lists, put into the page as they are: what is measured of them is what the page does."""

# Elements below a node, those of shadow trees too.
COUNT = """
globalThis.countElements = (node) => {
  let all = 0;
  for (const one of node.querySelectorAll("*")) all += 1 + (one.shadowRoot ? countElements(one.shadowRoot) : 0);
  return all;
};
globalThis.frames = (count) => new Promise((resolve) => {
  const next = (left) => (left ? requestAnimationFrame(() => next(left - 1)) : resolve());
  next(count);
});
"""

# A thread of many messages of both sides, with cards among them; `addMessage` is one event of the log.
THREAD = COUNT + """
globalThis.makeThread = async (count) => {
  // The page has its own, from the first sign of a user on; loaded from another address it would be there twice.
  dispatchEvent(new PointerEvent("pointermove"));
  await customElements.whenDefined("desk-thread");
  const begin = Date.UTC(2026, 0, 5, 8);
  globalThis.messageAt = (sequence) => ({
    id: `00000000-0000-4000-8000-${String(sequence).padStart(12, "0")}`, sequence, kind: "text", conversation: "one",
    direction: sequence % 3 ? "inbound" : "outbound", time: new Date(begin + sequence * 97_000).toISOString(),
    author: sequence % 3 ? { type: "customer" } : { type: "agent", id: "a", name: "Ada" },
    summary: `Message ${sequence}`, payload: sequence % 10 ? { type: "text", body: `Message ${sequence} ` + "and some words more ".repeat(sequence % 7) }
      : { type: "richLink", richLinkData: { url: "https://shop.example/", title: `Link ${sequence}`, assets: {} } },
  });
  const thread = document.createElement("desk-thread");
  document.body.replaceChildren(thread);
  Object.assign(document.body.style, { margin: 0 });
  Object.assign(thread.style, { display: "block", height: "700px" });
  thread.messages = Array.from({ length: count }, (_, index) => messageAt(index + 1));
  thread.seenUpTo = count;
  globalThis.thread = thread;
  globalThis.log = thread.shadowRoot.querySelector(".log");
  await frames(6);
};
globalThis.addMessage = () => { thread.messages = [...thread.messages, messageAt(thread.messages.length + 1)]; };
globalThis.drawnRows = () => thread.shadowRoot.querySelector(".rows").children.length;
globalThis.rowInView = () => {
  const { top } = log.getBoundingClientRect();
  const row = [...thread.shadowRoot.querySelectorAll("[data-id]")].find((one) => one.getBoundingClientRect().bottom > top);
  return row && { id: row.dataset.id, top: row.getBoundingClientRect().top - top };
};
"""

# The console's list with many rows; `changeOne` is one event of the log, about a conversation far down.
LIST = COUNT + """
globalThis.fillList = async (count) => {
  const { state } = document.querySelector("desk-workspace");
  const [model] = state.rows;
  const begin = Date.UTC(2026, 0, 5, 8);
  globalThis.conversationAt = (index, revision = 1, time = begin - index * 60_000) => ({
    ...model, id: `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`, revision, unread: 0,
    customer: { id: `urn:mbid:${index}`, name: `Customer ${index}` },
    // What an earlier test wrote there would be shown instead of the message.
    draft: null,
    lastMessage: { ...model.lastMessage, time: new Date(time).toISOString(), summary: `Message of ${index}` },
  });
  for (let index = 0; index < count; index += 1) state.store.put(conversationAt(index));
  state.dispatchEvent(new Event("change"));
  await frames(4);
};
globalThis.changeOne = (index, revision) => {
  const { state } = document.querySelector("desk-workspace");
  state.store.put(conversationAt(index, revision, Date.now() + revision * 1000));
  state.dispatchEvent(new Event("change"));
};
"""

# Which rows of a list are touched by some work: put in, removed, or changed within.
TOUCHED = """
globalThis.touchedBy = async (list, work) => {
  const rows = new Set();
  const rowOf = (node) => {
    for (let at = node; at; at = at.parentNode) if (at.parentNode === list) return at;
    return null;
  };
  const watch = new MutationObserver((records) => {
    for (const { target, addedNodes, removedNodes } of records) {
      if (target === list) for (const node of [...addedNodes, ...removedNodes]) rows.add(node);
      else rows.add(rowOf(target));
    }
  });
  watch.observe(list, { childList: true, subtree: true, attributes: true, characterData: true });
  work();
  await frames(4);
  watch.disconnect();
  rows.delete(null);
  return rows.size;
};
"""
