/**
 * Makes a business's own colour usable: text on it and text in it is readable for every colour.
 */

/** WCAG 2.2, 1.4.3: text against its ground. */
const TEXT_CONTRAST = 4.5;
const LIGHT = { ground: [255, 255, 255], ink: [255, 255, 255], deep: [20, 22, 32] };
const DARK_GROUND = [36, 39, 48];

/**
 * The shades to draw with: `fill` is a ground for `ink`; `text` is readable on the page; `soft` a
 * quiet ground.
 * @param {string|null|undefined} colour `#rrggbb`
 * @param {boolean} isDark
 * @returns {{fill: string, ink: string, text: string, soft: string}}
 */
export function makeAccent(colour, isDark) {
  const base = readColour(colour) ?? [67, 83, 255];
  const ground = isDark ? DARK_GROUND : LIGHT.ground;
  // White on the colour looks best; a pale colour (yellow) gets dark ink instead of turning brown.
  const isPale = contrast(base, [255, 255, 255]) < 1.9;
  const fill = isPale ? base : shift(base, [255, 255, 255], [0, 0, 0]);
  const soft = mix(isDark ? [28, 30, 38] : [255, 255, 255], base, isDark ? 0.24 : 0.1);
  const goal = isDark ? [255, 255, 255] : [0, 0, 0];
  const text = shift(shift(base, ground, goal), soft, goal);
  return {
    fill: write(fill),
    ink: isPale ? write(LIGHT.deep) : "#ffffff",
    text: write(text),
    soft: write(soft),
  };
}

/**
 * Sets the accent tokens on an element, so that everything inside is drawn in this colour.
 * @param {HTMLElement} element
 * @param {string|null|undefined} colour
 * @param {boolean} [isDark]
 */
export function applyAccent(
  element, colour, isDark = getComputedStyle(document.documentElement).colorScheme === "dark",
) {
  const accent = makeAccent(colour, isDark);
  element.style.setProperty("--fd-accent", accent.fill);
  element.style.setProperty("--fd-accent-ink", accent.ink);
  element.style.setProperty("--fd-accent-text", accent.text);
  element.style.setProperty("--fd-accent-soft", accent.soft);
}

/**
 * How far two colours are apart, 1 to 21.
 * @param {number[]} left
 * @param {number[]} right
 */
export function contrast(left, right) {
  const [a, b] = [luminance(left), luminance(right)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** @param {unknown} text */
export function readColour(text) {
  const match = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(String(text ?? ""));
  return match ? match.slice(1).map((part) => parseInt(part, 16)) : null;
}

/** Moves a colour towards `goal` until it can be read against `against`. */
function shift(colour, against, goal) {
  for (let share = 0; share < 1; share += 0.02) {
    const candidate = mix(colour, goal, share);
    if (contrast(candidate, against) >= TEXT_CONTRAST) return candidate;
  }
  return goal;
}

function mix(from, to, share) {
  return from.map((value, index) => Math.round(value + (to[index] - value) * share));
}

function luminance(colour) {
  const [r, g, b] = colour.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function write(colour) {
  return `#${colour.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}
