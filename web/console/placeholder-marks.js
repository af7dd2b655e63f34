import { adopt, h, oncePerFrame, replace, sheet } from "../lib/dom.js";
import { markedParts } from "./marked-parts.js";
import { placesOfParameters } from "./template-parameters.js";

const styles = sheet(`
.mark-layer { position: absolute; overflow: hidden; border: 1px solid transparent; background: var(--fd-bg); color: transparent; pointer-events: none;
  text-align: start; overflow-wrap: break-word; }
.mark-layer > div { white-space: pre; }
.mark-layer.is-tall > div { white-space: pre-wrap; }
.mark-layer mark { border-radius: 5px; background: var(--fd-accent-soft); color: transparent; box-shadow: 0 0 0 1px color-mix(in srgb, var(--fd-accent) 35%, transparent); }
.has-marks { position: relative; }
.has-marks > :is(input, textarea) { position: relative; background: none; }
@media (forced-colors: active) { .mark-layer { display: none; } }
`);

/** What has to be equal for two texts to run alike. */
const LIKE = ["font", "letterSpacing", "lineHeight", "padding", "borderWidth", "borderRadius", "textIndent", "tabSize", "direction"];

/**
 * Draws the placeholders of the text fields of a panel as chips: a layer behind each field has the same text with the
 * placeholders marked. The fields stay plain, so that typing, undo and screen readers work as ever.
 * @param {HTMLElement} panel whose fields come and go
 */
export function markPlaceholders(panel) {
  adopt(styles);
  const known = new WeakSet();
  const sizes = new ResizeObserver((entries) => { for (const { target } of entries) target.drawMarks?.(); });
  const addLayers = () => {
    for (const control of panel.querySelectorAll("input[type=text], textarea")) {
      if (known.has(control)) continue;
      known.add(control);
      addLayer(control);
      sizes.observe(control);
    }
  };
  const changes = new MutationObserver(addLayers);
  changes.observe(panel, { childList: true, subtree: true });
  addLayers();
}

function addLayer(control) {
  const text = h("div");
  const isTall = control instanceof HTMLTextAreaElement;
  const layer = h("div", { class: `mark-layer${isTall ? " is-tall" : ""}`, "aria-hidden": "true" }, text);
  const draw = oncePerFrame(() => control.isConnected && drawLayer(control, layer, text));
  control.drawMarks = draw;
  for (const type of ["input", "keyup", "pointerup", "scroll", "focus", "blur"]) control.addEventListener(type, draw);
  control.before(layer);
  draw();
}

function drawLayer(control, layer, text) {
  const places = placesOfParameters(control.value);
  control.parentElement.classList.toggle("has-marks", places.length > 0);
  if (!places.length) return layer.style.setProperty("display", "none");
  const look = getComputedStyle(control);
  for (const name of LIKE) layer.style[name] = look[name];
  const { offsetTop, offsetLeft, offsetHeight, clientWidth } = control;
  const edges = Number.parseFloat(look.borderLeftWidth) + Number.parseFloat(look.borderRightWidth);
  // One line stands in the middle of its field.
  const isTall = control instanceof HTMLTextAreaElement;
  for (const [name, value] of [
    ["top", `${offsetTop}px`], ["left", `${offsetLeft}px`], ["width", `${clientWidth + edges}px`], ["height", `${offsetHeight}px`],
    ["box-sizing", "border-box"], ["display", isTall ? "block" : "grid"], ["align-items", "center"],
  ]) layer.style.setProperty(name, value);
  // A last line that is empty has a height only with something in it.
  replace(text, markedParts({ text: `${control.value}\u200b`, marks: places }).map((part) => (part.isMarked ? h("mark", null, part.text) : part.text)));
  layer.scrollTop = control.scrollTop;
  layer.scrollLeft = control.scrollLeft;
}
