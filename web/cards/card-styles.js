import { sheet } from "../lib/dom.js";

/** How a bubble or a card looks. */
export const cardStyles = sheet(`
*, *::before, *::after { box-sizing: border-box; }
:host {
  display: block; min-width: 0; max-width: 100%;
  font: 400 var(--fd-text-md) / 1.4 var(--fd-font); color: var(--fd-ink);
}
:focus-visible { outline: 2px solid var(--fd-focus); outline-offset: 2px; }
p { margin: 0; }
img { display: block; }
small { font-size: var(--fd-text-sm); }
strong { font-weight: 600; }
.stack { display: flex; flex-direction: column; align-items: flex-start; gap: 3px; min-width: 0; }
.stack.is-mine { align-items: flex-end; }

.bubble {
  max-width: 100%; padding: 8px 13px 9px; border-radius: var(--fd-round, 20px); background: var(--fd-bubble);
  color: var(--fd-ink); white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: plaintext;
}
.is-mine > .bubble { background: var(--fd-accent); color: var(--fd-accent-ink); }
.bubble a { color: inherit; text-underline-offset: 2px; }
.bubble.is-empty { color: var(--fd-ink-3); background: transparent; border: 1px dashed var(--fd-line-strong); }
.emoji { font-size: 2.75rem; line-height: 1.15; padding: 2px 0; }
/* --fd-tail: the corner at the side of the writer; --fd-join: that above it, towards an earlier bubble. */
.stack > :first-child:last-child.bubble {
  border-end-start-radius: var(--fd-tail, var(--fd-round, 20px)); border-start-start-radius: var(--fd-join, var(--fd-round, 20px));
}
.stack.is-mine > :first-child:last-child.bubble {
  border-start-start-radius: var(--fd-round, 20px); border-end-start-radius: var(--fd-round, 20px);
  border-start-end-radius: var(--fd-join, var(--fd-round, 20px)); border-end-end-radius: var(--fd-tail, var(--fd-round, 20px));
}

.picture {
  display: block; width: 260px; max-width: 100%; height: 220px; padding: 0; border: 0; overflow: hidden;
  border-radius: var(--fd-radius-lg); background: var(--fd-bg-hover); cursor: zoom-in;
}
.picture { position: relative; }
.picture::after {
  content: ""; position: absolute; inset: 0; border-radius: inherit;
  box-shadow: inset 0 0 0 1px rgb(128 132 148 / 0.28);
}
.picture img { width: 100%; height: 100%; object-fit: cover; }
.picture.is-whole img { object-fit: contain; }
.media {
  display: block; width: 280px; max-width: 100%; aspect-ratio: 16 / 9; background: #000;
  border-radius: var(--fd-radius-lg); object-fit: contain;
}
:is(.film, .audio) figcaption {
  display: flex; align-items: center; gap: 8px; padding: 0 4px; font-size: var(--fd-text-sm);
  overflow-wrap: anywhere;
}
:is(.film, .audio) figcaption span { flex: 1; min-width: 0; }
.film { display: grid; gap: 2px; width: 280px; max-width: 100%; margin: 0; }
.download {
  display: grid; place-items: center; flex: none; width: 36px; height: 36px; border-radius: var(--fd-radius-sm);
  color: var(--fd-ink-2);
}
.download:hover { background: var(--fd-bg-hover); color: var(--fd-ink); }
@media (pointer: coarse) { .download { width: 44px; height: 44px; } }
.audio {
  display: grid; gap: 6px; width: 280px; max-width: 100%; margin: 0; padding: 10px;
  border-radius: var(--fd-radius-lg); background: var(--fd-bubble);
}
.audio audio { width: 100%; height: 40px; }
.file {
  display: flex; align-items: center; gap: 10px; width: 280px; max-width: 100%; min-height: 60px;
  padding: 8px 14px 8px 10px; border: 1px solid var(--fd-line); border-radius: var(--fd-radius-lg);
  background: var(--fd-bg-raised); color: var(--fd-ink); text-decoration: none;
  box-shadow: var(--fd-shadow-1);
}
a.file:hover { background: var(--fd-bg-hover); }
.file svg { flex: none; color: var(--fd-ink-3); }
.file-icon { position: relative; flex: none; display: grid; place-items: center; width: 42px; height: 42px; }
.file-icon svg { color: var(--fd-accent-text); stroke-width: 1.2; width: 42px; height: 42px; }
.file-icon b { position: absolute; bottom: 9px; font-size: 8.5px; letter-spacing: 0.02em; color: var(--fd-accent-text); }
.file-words { flex: 1; display: grid; min-width: 0; }
.file-words strong {
  font-weight: 500; overflow: hidden; text-overflow: ellipsis; display: -webkit-box;
  -webkit-line-clamp: 2; -webkit-box-orient: vertical; overflow-wrap: anywhere; line-height: 1.3;
}
.file-words small { color: var(--fd-ink-2); font-size: var(--fd-text-xs); }

.chips { display: flex; flex-wrap: wrap; gap: 8px; max-width: 100%; padding-top: 5px; }
.is-mine .chips { justify-content: flex-end; }
.chip {
  display: inline-flex; align-items: center; gap: 6px; min-height: 44px; padding: 6px 18px;
  border: 1.5px solid var(--fd-accent-text); border-radius: var(--fd-radius-full);
  background: var(--fd-bg); color: var(--fd-accent-text); font: inherit; font-weight: 500;
  text-align: start; overflow-wrap: anywhere;
}
button.chip { cursor: pointer; transition: background var(--fd-quick); }
button.chip:hover { background: var(--fd-accent-soft); }
.chip.is-chosen { background: var(--fd-accent); border-color: var(--fd-accent); color: var(--fd-accent-ink); }
.chip.is-over { border-color: var(--fd-line-strong); color: var(--fd-ink-3); font-weight: 400; }

.card {
  width: 280px; max-width: 100%; overflow: hidden; background: var(--fd-bg-raised); color: var(--fd-ink);
  border: 1px solid var(--fd-line); border-radius: 20px; box-shadow: var(--fd-shadow-2);
}
.card.is-answer:not(.is-open) { width: fit-content; max-width: 280px; }
.head {
  display: block; width: 100%; padding: 0; border: 0; background: none; color: inherit;
  font: inherit; text-align: start;
}
button.head { cursor: pointer; transition: background var(--fd-quick); }
button.head:hover { background: var(--fd-bg-hover); }
button.head:active { background: var(--fd-bg-pressed); }
button.head:focus-visible { outline-offset: -3px; border-radius: 20px; }
.face { display: flex; align-items: center; gap: 12px; padding: 12px 14px; min-height: 66px; }
.face-picture { flex: none; }
.face-picture img { width: 42px; height: 42px; object-fit: cover; border-radius: 10px; background: var(--fd-bg-sunken); }
.face.is-small .face-picture img { width: 60px; height: 60px; border-radius: 12px; }
.face.is-large { flex-direction: column; align-items: stretch; gap: 0; padding: 0; }
.face.is-large .face-picture img { width: 100%; height: 158px; border-radius: 0; }
.face.is-large .face-words { padding: 11px 14px 12px; }
.face-words { display: grid; gap: 1px; min-width: 0; overflow-wrap: anywhere; }
.face-words strong { line-height: 1.3; }
.face-words small { color: var(--fd-ink-2); line-height: 1.4; }
.tile {
  display: grid; place-items: center; width: 42px; height: 42px; border-radius: 11px;
  background: var(--fd-accent-soft); color: var(--fd-accent-text);
}
.tile.is-date {
  grid-template-rows: auto 1fr; overflow: hidden; background: var(--fd-bg);
  border: 1px solid var(--fd-line-strong); color: var(--fd-ink);
}
.tile.is-date b {
  width: 100%; padding: 1px 0; text-align: center; background: var(--fd-accent);
  color: var(--fd-accent-ink); font-size: 9px; font-weight: 600; line-height: 1.25;
}
.tile.is-date i { font-style: normal; font-size: 17px; font-weight: 600; line-height: 1; align-self: center; }
.hint {
  display: flex; align-items: center; justify-content: space-between; gap: 8px;
  min-height: 40px; padding: 8px 14px; border-top: 1px solid var(--fd-line);
  font-size: var(--fd-text-sm); color: var(--fd-ink-2);
}
button.head .hint { color: var(--fd-accent-text); font-weight: 500; }
.hint svg { flex: none; transition: transform var(--fd-calm) var(--fd-ease); }
.is-open .hint svg { transform: rotate(90deg); }
.hint.is-app { font-weight: 400; }
.hint.is-payment {
  justify-content: center; margin: 2px 14px 14px; border: 0; border-radius: var(--fd-radius-full);
  background: var(--fd-ink); color: var(--fd-bg); font-weight: 600; min-height: 44px;
}
button.head .hint.is-payment { color: var(--fd-bg); font-weight: 600; }
.hint.is-payment svg { display: none; }
.bill { padding: 2px 14px 12px; }
.details { padding: 14px; border-top: 1px solid var(--fd-line); background: var(--fd-bg-sunken); }
.mark {
  display: flex; align-items: flex-start; gap: 8px; padding: 10px 14px;
  border-top: 1px solid var(--fd-line); background: var(--fd-ok-soft); color: var(--fd-ok);
  font-size: var(--fd-text-sm); font-weight: 500; overflow-wrap: anywhere;
}
.head > .mark { border-top: 0; }
.mark svg { flex: none; margin-top: 1px; }
.mark span { display: grid; min-width: 0; }
.mark small { font-weight: 400; font-family: var(--fd-font-mono); font-size: var(--fd-text-xs); }
.mark.is-bad { background: var(--fd-danger-soft); color: var(--fd-danger); }
.mark.is-quiet { background: var(--fd-bg-sunken); color: var(--fd-ink-2); }
.card:has(.mark.is-ok) .hint:is(.is-payment, .is-authentication) { display: none; }

.app-head {
  display: flex; align-items: center; gap: 8px; padding: 10px 14px; font-size: var(--fd-text-sm);
  font-weight: 600; color: var(--fd-ink-2);
}
.app-icon { flex: none; width: 24px; height: 24px; border-radius: 6px; object-fit: cover; }
.app-icon.is-made {
  display: grid; place-items: center; background: var(--fd-accent); color: var(--fd-accent-ink);
  font-size: 13px; font-weight: 600;
}
.app-picture { position: relative; }
.app-picture img { width: 100%; height: 158px; object-fit: cover; background: var(--fd-bg-sunken); }
.app-caption {
  position: absolute; inset: auto 0 0; display: grid; padding: 28px 14px 10px; color: #fff;
  background: linear-gradient(transparent, rgb(0 0 0 / 0.72));
}
.app-words { display: flex; justify-content: space-between; gap: 12px; padding: 4px 14px 12px; }
.app-picture + .app-words { padding-top: 10px; }
.app-words span { display: grid; align-content: start; min-width: 0; overflow-wrap: anywhere; }
.app-words small { color: var(--fd-ink-2); }
.app-words .is-right { flex: none; max-width: 42%; text-align: end; }
.app-words .url { font-family: var(--fd-font-mono); font-size: var(--fd-text-xs); word-break: break-all; }

.questions { display: grid; gap: 12px; margin: 0; padding: 0 0 0 20px; font-size: var(--fd-text-sm); }
.questions strong { display: block; font-weight: 500; }
.questions span { color: var(--fd-ink-2); }
.questions .answer { display: block; color: var(--fd-ink); white-space: pre-line; overflow-wrap: anywhere; }
.questions .is-none { color: var(--fd-ink-3); }

.card.link { display: block; color: var(--fd-ink); text-decoration: none; }
a.card.link:hover { background: var(--fd-bg-hover); }
.link-picture { position: relative; display: block; background: var(--fd-bg-sunken); }
.link-picture img { width: 100%; height: 100%; object-fit: cover; }
.link.is-square .link-picture { aspect-ratio: 1; }
.link.is-icon, .link.is-plain { display: flex; align-items: center; }
.link.is-icon .link-picture {
  flex: none; order: 2; width: 52px; height: 52px; margin: 12px; overflow: hidden;
  border-radius: 11px;
}
.link-words { flex: 1; display: grid; gap: 1px; min-width: 0; padding: 11px 14px 12px; overflow-wrap: anywhere; }
.link-words strong { line-height: 1.3; }
.link-words small { color: var(--fd-ink-2); }
.link-mark { flex: none; margin-inline-end: 14px; color: var(--fd-ink-3); }
.play {
  position: absolute; inset: 0; display: grid; place-items: center; width: 54px; height: 54px;
  margin: auto; border-radius: 50%; background: rgb(0 0 0 / 0.6); color: #fff;
}
.play svg { fill: currentColor; margin-inline-start: 3px; }
`);
