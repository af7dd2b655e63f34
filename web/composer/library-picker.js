/** A popup with the files of a business's library, to put one into a message. */
import { api } from "../lib/api.js";
import { adopt, h, replace, sheet } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { openPopup } from "../lib/popup.js";
import { refusalSentence } from "../lib/refusals.js";
import { SteadyList } from "../lib/steady-list.js";
import { icon } from "./icons.js";
import { addressOf, libraryPath } from "./library.js";
import { formatBytes } from "./sizes.js";

/** Files of one page, and how long the typing pauses before it is searched, in milliseconds. */
const PAGE = 24;
const REST_MILLISECONDS = 200;

const styles = sheet(`
.library-popup { width: min(440px, calc(100vw - 16px)); max-width: none; padding: 10px; }
.library-pick { display: grid; gap: 8px; }
.library-grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(92px, 1fr)); gap: 6px; max-height: 320px; overflow-y: auto; padding: 2px; }
.library-cell { display: grid; gap: 4px; min-width: 0; padding: 4px; border: 1px solid var(--fd-line); border-radius: var(--fd-radius-sm);
  background: none; color: inherit; font-size: var(--fd-text-xs); line-height: 1.3; text-align: start; cursor: pointer; }
.library-cell:is(:hover, :focus-visible) { background: var(--fd-bg-hover); }
.library-thumb { display: grid; place-items: center; height: 64px; border-radius: 4px; background: var(--fd-bg-sunken, var(--fd-bg-hover)); color: var(--fd-ink-2); overflow: hidden; }
.library-thumb img { width: 100%; height: 100%; object-fit: contain; }
.library-thumb .cp-icon { width: 24px; height: 24px; fill: none; stroke: currentColor; stroke-width: 1.5; }
.library-name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.library-size { color: var(--fd-ink-3); }
`);

/** Adds the styles of the files to the page, once. */
export function useLibraryStyles() {
  adopt(styles);
}

/**
 * Opens the library beside a button; arrow keys move between files, Enter and a press choose one.
 * @param {HTMLElement} anchor
 * @param {import("./library.js").Place & {kind?: "picture", choose: (entry: import("./library.js").LibraryFile) => void}} place `kind`: only pictures
 */
export function openLibrary(anchor, place) {
  useLibraryStyles();
  const popup = openPopup(anchor, null, { label: t("library.title"), className: "library-popup", side: "above" });
  if (!popup) return;
  const search = h("input", { class: "fd-input", type: "search", placeholder: t("library.search"), "aria-label": t("library.search"), autocomplete: "off" });
  const grid = h("div", { class: "library-grid", role: "group", "aria-label": t("library.files") });
  const steady = new SteadyList(grid);
  const status = h("p", { class: "fd-help", role: "status" });
  const more = h("button", { type: "button", class: "fd-button is-plain", hidden: true, onClick: () => read(next) }, t("library.more"));
  let [round, next, timer] = [0, null, 0];
  /** The files of all pages so far: a page that waits for a press is drawn with those that came after it. */
  let all = [];

  const read = async (after = null) => {
    const mine = (round += 1);
    if (!after) status.textContent = t("shared.loading");
    try {
      const page = await api.get(libraryPath(place), {
        query: { q: search.value.trim(), "filter[kind]": place.kind, "page[size]": PAGE, "page[after]": after },
      });
      if (mine !== round) return;
      const cells = page.data.map((entry) => fileCell(place, entry, () => {
        popup.close();
        place.choose(entry);
      }));
      all = after ? [...all, ...cells] : cells;
      steady.draw(() => all);
      if (after) cells[0]?.focus();
      next = page.next;
      more.hidden = !page.hasMore;
      status.textContent = page.found ? t("library.found", { count: page.found }) : t(page.files ? "library.noMatch" : "library.none");
    } catch (problem) {
      if (mine !== round) return;
      status.textContent = refusalSentence(problem);
    }
    popup.settle();
  };
  search.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(read, REST_MILLISECONDS);
  });
  popup.element.addEventListener("keydown", (event) => moveInGrid(event, search, grid));
  replace(popup.element, h("div", { class: "library-pick" }, search, grid, more, status));
  search.focus();
  return read();
}

/**
 * A file of a library with its picture, its name and its size.
 * @param {import("./library.js").Place} place @param {import("./library.js").LibraryFile} entry @param {() => void} press
 */
function fileCell(place, entry, press) {
  return h("button", { type: "button", class: "library-cell", title: entry.name, onClick: press },
    thumbnail(place, entry), h("span", { class: "library-name" }, entry.name),
    h("span", { class: "library-size" }, formatBytes(entry.file.size)));
}

/** What a file of a library looks like. @param {import("./library.js").Place} place @param {import("./library.js").LibraryFile} entry */
export function thumbnail(place, entry) {
  const drawing = () => icon(entry.file.mimeType.startsWith("audio/") ? "music" : entry.file.mimeType.startsWith("video/") ? "play" : "file");
  const box = h("span", { class: "library-thumb" });
  const isShown = entry.width !== null && /^image\/(png|jpeg|gif|webp|avif)$/.test(entry.file.mimeType);
  box.append(isShown ? h("img", { src: addressOf(place, entry), alt: "", loading: "lazy", onError: () => box.replaceChildren(drawing()) }) : drawing());
  return box;
}

/** Arrow keys: from the search into the grid, within it by its columns, and back. */
function moveInGrid(event, search, grid) {
  if (event.isComposing) return;
  const cells = /** @type {HTMLElement[]} */ ([...grid.querySelectorAll(".library-cell")]);
  const at = cells.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  if (at < 0) {
    if (event.key !== "ArrowDown" || document.activeElement !== search || !cells.length) return;
    event.preventDefault();
    cells[0].focus();
    return;
  }
  const columns = cells.findIndex((cell) => cell.offsetTop !== cells[0].offsetTop);
  const across = columns < 0 ? cells.length : columns;
  const next = { ArrowRight: at + 1, ArrowLeft: at - 1, ArrowDown: at + across, ArrowUp: at - across, Home: 0, End: cells.length - 1 }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  if (next < 0) search.focus();
  else cells[Math.min(next, cells.length - 1)].focus();
}
