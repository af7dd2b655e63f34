/** A page that is covered by less than this, in pixels, has a bar of the browser over it and no keyboard. */
const SMALLEST_KEYBOARD = 100;

/**
 * Keeps the page above the keyboard of a phone where that lies over the page, as on iOS: its style sheets lay it out between
 * `--seen-top` and `--seen-bottom`, with `--seen-height`. Others make the page itself smaller (`interactive-widget`).
 */
export function keepAboveKeyboard() {
  const view = window.visualViewport;
  // A frame is as large as the page around it makes it.
  if (!view || window.top !== window) return;
  const root = document.documentElement;
  const fit = () => {
    const { height, offsetTop, scale } = view;
    const covered = root.clientHeight - height;
    // Enlarged with two fingers less of the page is seen too, and it stays as it is.
    const isCovered = scale < 1.01 && covered >= SMALLEST_KEYBOARD;
    const seen = { top: offsetTop, bottom: Math.max(0, covered - offsetTop), height };
    for (const [name, pixels] of Object.entries(seen)) {
      if (isCovered) root.style.setProperty(`--seen-${name}`, `${pixels}px`);
      else root.style.removeProperty(`--seen-${name}`);
    }
  };
  view.addEventListener("resize", fit);
  view.addEventListener("scroll", fit);
}
