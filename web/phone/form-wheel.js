import { h } from "../lib/dom.js";

/** How long the wheel rests before the item in front counts as chosen. */
const REST_MILLISECONDS = 140;

/**
 * A wheel: one item in front, turned by finger, by mouse or by the arrow keys.
 * @param {{name: string, label: string, items: {identifier: string, title: string}[],
 *   chosen: string, choose: (identifier: string) => void}} parts
 */
export function wheel({ name, label, items, chosen, choose }) {
  let timer = 0;
  const rows = items.map((item) => {
    const input = h("input", {
      type: "radio", name, value: item.identifier, ".checked": item.identifier === chosen,
      onChange: () => {
        choose(item.identifier);
        turnTo(row, "smooth");
      },
    });
    const row = h("label", { class: "wheel-row" }, input, h("span", { dir: "auto" }, item.title));
    return row;
  });
  const ring = h("div", {
    class: "wheel-ring", onScroll: () => {
      clearTimeout(timer);
      timer = setTimeout(settle, REST_MILLISECONDS);
    },
  }, rows);
  const turnTo = (row, behavior) => {
    const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    ring.scrollTo({
      top: row.offsetTop - (ring.clientHeight - row.offsetHeight) / 2,
      behavior: isCalm ? "instant" : behavior,
    });
  };
  const settle = () => {
    // A wheel that was left while it still turned chooses nothing any more.
    if (!ring.isConnected) return;
    const middle = ring.scrollTop + ring.clientHeight / 2;
    const front = rows.find((row) => middle < row.offsetTop + row.offsetHeight) ?? rows.at(-1);
    const input = front?.querySelector("input");
    if (!input || input.checked) return;
    input.checked = true;
    choose(input.value);
  };
  const first = rows.find((row) => row.querySelector("input").checked) ?? rows[0];
  requestAnimationFrame(() => first && turnTo(first, "instant"));
  return h("div", { class: "wheel", role: "radiogroup", "aria-label": label },
    h("div", { class: "wheel-front", "aria-hidden": "true" }), ring);
}
