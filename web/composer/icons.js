/** Line icons as SVG elements, drawn on a grid of 20. */

const paths = {
  raw: "M7 4c-2 0-2 1-2 3s-.5 3-2 3c1.5 0 2 1 2 3s0 3 2 3M13 4c2 0 2 1 2 3s.5 3 2 3c-1.5 0-2 1-2 3s0 3-2 3",
  send: "M10 16V4M5 9l5-5l5 5",
  attach: "M15.5 9.5l-5.7 5.7a3.5 3.5 0 0 1-5-5l6-6a2.3 2.3 0 0 1 3.3 3.3l-6 6a1.2 1.2 0 0 1-1.7-1.7l5.3-5.3",
  template: "M4 4h12v4H4zM4 11h7v5H4zM14 11v5M11.8 13.5h4.4",
  smile: "M10 3a7 7 0 1 1 0 14a7 7 0 0 1 0-14zM7 11.5a3.5 3.5 0 0 0 6 0M7.5 8v.1M12.5 8v.1",
  plus: "M10 4v12M4 10h12",
  close: "M5 5l10 10M15 5L5 15",
  back: "M12 5l-5 5l5 5",
  up: "M5 12l5-5l5 5",
  down: "M5 8l5 5l5-5",
  copy: "M7 7h9v9H7zM4 13V4h9",
  edit: "M4 16l.8-3.5L13 4.3a1.7 1.7 0 0 1 2.7 2.7L7.5 15.2z",
  check: "M4 10.5l4 4l8-9",
  error: "M10 3a7 7 0 1 1 0 14a7 7 0 0 1 0-14zM10 6.5v4.5M10 13.5v.1",
  warning: "M10 3.5l7.5 13h-15zM10 8v4M10 14.2v.1",
  picture: "M3.5 4.5h13v11h-13zM3.5 13l4-4l3.5 3.5l2-2l3.5 3.5M12.5 7.5h.1",
  library: "M3.5 5h9v9h-9zM6 5V3.5h10.5V13H15M3.5 11.5l2.5-2.5l4 4",
  file: "M5 3h6.5L15 6.5V17H5zM11.5 3v3.5H15",
  refresh: "M16 10a6 6 0 1 1-1.8-4.3M16 3.5V6.5h-3",
  phone: "M6.5 2.5h7a1 1 0 0 1 1 1v13a1 1 0 0 1-1 1h-7a1 1 0 0 1-1-1v-13a1 1 0 0 1 1-1zM9 15h2",
  spark: "M10 3l1.6 4.9L16.5 9.5l-4.9 1.6L10 16l-1.6-4.9L3.5 9.5l4.9-1.6z",
  lock: "M5 9h10v8H5zM7 9V6.5a3 3 0 0 1 6 0V9",
  blocked: "M10 3a7 7 0 1 1 0 14a7 7 0 0 1 0-14zM5 5l10 10",
  play: "M6 4l10 6l-10 6z",
  music: "M8 15V5l8-1.5V13M8 15a2 2 0 1 1-4 0a2 2 0 0 1 4 0zM16 13a2 2 0 1 1-4 0a2 2 0 0 1 4 0z",
};

const namespace = "http://www.w3.org/2000/svg";

/**
 * @param {string} name of one of the drawings above, or any name for a drawing of one's own
 * @param {string} [drawing]
 * @returns {SVGElement} hidden from screen readers; the control it sits in has the words
 */
export function icon(name, drawing = paths[name]) {
  const svg = document.createElementNS(namespace, "svg");
  svg.setAttribute("viewBox", "0 0 20 20");
  svg.setAttribute("class", `cp-icon cp-icon-${name}`);
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(namespace, "path");
  path.setAttribute("d", drawing);
  svg.append(path);
  return svg;
}
