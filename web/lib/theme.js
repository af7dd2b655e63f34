/**
 * Light, dark, or as the system says. The choice is the browser's, for console, sandbox and documents; it changes
 * when the style sheet of the dark colours applies.
 */

/** The choices, the system's first. */
export const themes = Object.freeze(["auto", "light", "dark"]);

const STORAGE_KEY = "fd.theme";
let current = stored();

/** The theme chosen. */
export function theme() {
  return current;
}

/** Chooses a theme and remembers it. @param {string} next */
export function setTheme(next) {
  if (!themes.includes(next)) return;
  current = next;
  try {
    localStorage.setItem(STORAGE_KEY, next);
  } catch {
    // Safe: a browser without storage only forgets the choice.
  }
  apply();
}

function stored() {
  try {
    const found = localStorage.getItem(STORAGE_KEY);
    return themes.includes(found) ? found : "auto";
  } catch {
    return "auto";  // Safe: no storage, no remembered choice.
  }
}

/** Shows a theme on this page alone, without remembering it. @param {string} shown */
export function showScheme(shown) {
  const media = { auto: "(prefers-color-scheme: dark)", dark: "all", light: "not all" }[shown];
  for (const link of document.querySelectorAll('link[href$="/tokens-dark.css"]')) link.media = media;
}

const apply = () => showScheme(current);

if (typeof document !== "undefined") {
  apply();
  // Another tab changes it for all.
  addEventListener("storage", (event) => {
    if (event.key !== STORAGE_KEY) return;
    current = stored();
    apply();
  });
}
