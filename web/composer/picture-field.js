/** Accepts a picture by picker, drop or paste, scales it down in a canvas and shows it with its size. */
import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { loadPart } from "../lib/late-part.js";
import { placeNodes } from "../lib/reconcile.js";
import { freshElementID, iconButton } from "./fields.js";
import { hasLibrary } from "./file-sources.js";
import { formatBytes } from "./sizes.js";
import { icon } from "./icons.js";

/** The largest file that is read for a picture inside a payload, in bytes. */
const sourceByteLimit = 40 * 1024 * 1024;

/**
 * Scales a picture so that neither side exceeds `edge` pixels, as JPEG or PNG, base64.
 * Quality falls until the bytes fit, then the size does.
 * @param {Blob} file
 * @param {{edge: number, byteLimit: number}} limits
 * @returns {Promise<import("./payloads.js").Picture>}
 */
export async function scalePicture(file, { edge, byteLimit }) {
  if (file.size > sourceByteLimit) throw new Error("too_large");
  const bitmap = await createImageBitmap(file);
  try {
    const keepsAlpha = file.type === "image/png" || file.type === "image/webp" || file.type === "image/gif";
    for (let side = edge; side >= 32; side = Math.round(side * 0.75)) {
      const scale = Math.min(1, side / Math.max(bitmap.width, bitmap.height));
      const canvas = document.createElement("canvas");
      canvas.width = Math.max(1, Math.round(bitmap.width * scale));
      canvas.height = Math.max(1, Math.round(bitmap.height * scale));
      canvas.getContext("2d").drawImage(bitmap, 0, 0, canvas.width, canvas.height);
      for (const quality of keepsAlpha ? [1] : [0.9, 0.75, 0.6]) {
        const type = keepsAlpha ? "image/png" : "image/jpeg";
        const blob = await new Promise((done) => canvas.toBlob(done, type, quality));
        if (blob && blob.size <= byteLimit) {
          return {
            data: await base64(blob), mimeType: type, name: file.name ?? "", bytes: blob.size,
            width: canvas.width, height: canvas.height,
          };
        }
      }
    }
    throw new Error("too_large");
  } finally {
    bitmap.close();
  }
}

const base64 = async (blob) => {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  }
  return btoa(text);
};

/**
 * A field for one picture of a draft.
 * @param {{label: string, draft: object, key: string, changed: () => void, edge?: number,
 *   byteLimit?: number, compact?: boolean, showLimit?: boolean, place?: {business: any, apiBase: string}}} options `place`: whose library is offered
 */
export function pictureField(options) {
  const { draft, key, changed, label, edge = 789, byteLimit = 200_000, compact = false } = options;
  const id = freshElementID("picture");
  const status = h("span", { class: "cp-picture-status", role: "status" });
  const input = h("input", { type: "file", id, class: "fd-hidden-text", accept: "image/*" });
  const box = h("div", { class: compact ? "cp-picture cp-picture-compact" : "cp-picture" });

  const showStatus = (text) => status.replaceChildren(text);
  const use = async (file) => {
    if (!file?.type.startsWith("image/")) return showStatus(t("composer.picture.notPicture"));
    showStatus(t("composer.picture.reading"));
    try {
      draft[key] = await scalePicture(file, { edge, byteLimit });
      draw();
      changed();
    } catch {
      showStatus(t("composer.picture.unreadable"));
    }
  };
  const fromLibrary = hasLibrary(options.place?.business)
    ? iconButton("library", t("composer.library.pictureOf", { label }), () => openPictures(), "cp-small cp-picture-library") : null;
  const openPictures = async () => {
    const parts = await loadPart(() => Promise.all([import("./library.js"), import("./library-picker.js")]));
    if (!parts) return;
    const [{ addressOf }, { openLibrary }] = parts;
    openLibrary(fromLibrary, { ...options.place, kind: "picture", choose: async (entry) => {
      showStatus(t("composer.picture.reading"));
      try {
        const answer = await fetch(addressOf(options.place, entry), { credentials: "same-origin" });
        if (!answer.ok) throw new Error("not_found");
        await use(new File([await answer.blob()], entry.name, { type: entry.file.mimeType }));
      } catch {
        showStatus(t("composer.library.gone", { name: entry.name }));
      }
    } });
  };
  input.addEventListener("change", () => {
    if (input.files[0]) use(input.files[0]);
    input.value = "";
  });
  box.addEventListener("dragover", (event) => {
    event.preventDefault();
    box.classList.add("cp-dropping");
  });
  box.addEventListener("dragleave", () => box.classList.remove("cp-dropping"));
  box.addEventListener("drop", (event) => {
    event.preventDefault();
    event.stopPropagation();
    box.classList.remove("cp-dropping");
    use(event.dataTransfer.files[0]);
  });
  box.addEventListener("paste", (event) => {
    const file = event.clipboardData.files[0];
    if (!file) return;
    event.preventDefault();
    use(file);
  });

  function draw() {
    const picture = draft[key];
    const words = h("label", { class: "cp-picture-button", for: id });
    if (picture) {
      const shown = h("img", { alt: "", src: `data:${picture.mimeType};base64,${picture.data}` });
      words.append(shown, h("span", { class: "fd-hidden-text" }, t("composer.picture.replace", { label })));
    } else {
      words.append(icon("picture"), h("span", { class: compact ? "fd-hidden-text" : "" }, label));
    }
    words.title = label;
    const size = picture && !compact
      ? h("span", { class: "cp-picture-size" }, options.showLimit
        ? t("composer.picture.sizeOf", { size: formatBytes(picture.bytes), limit: formatBytes(byteLimit) })
        : `${picture.width ?? "?"} × ${picture.height ?? "?"} · ${formatBytes(picture.bytes)}`)
      : null;
    const drop = picture
      ? iconButton("close", t("composer.picture.remove", { label }), () => {
        draft[key] = null;
        draw();
        changed();
        input.focus();
      }, "cp-small cp-picture-remove")
      : null;
    showStatus("");
    // What is typed after a picture was chosen is meant for the form: the focus stays in it.
    placeNodes(box, [input, words, fromLibrary, size, drop, status].filter(Boolean));
  }
  draw();
  return box;
}
