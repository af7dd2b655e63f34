/** Two short notes. Browsers play nothing before the first press or key in a page. */

const NOTES = [[880, 0], [1174.7, 0.12]];
const LENGTH_SECONDS = 0.28;
const LOUDNESS = 0.12;

/** @type {AudioContext|null} */
let context = null;

/** Plays the sound of a notice; resolves to whether the browser plays it. */
export async function playNotice() {
  try {
    context ??= new AudioContext();
    if (context.state === "suspended") await Promise.race([context.resume(), new Promise((end) => setTimeout(end, 200))]);
    if (context.state !== "running") return false;
    for (const [hertz, after] of NOTES) ring(context, hertz, context.currentTime + after);
    return true;
  } catch {
    return false;  // Safe: a browser without sound.
  }
}

function ring(audio, hertz, at) {
  const note = audio.createOscillator();
  const level = audio.createGain();
  note.frequency.value = hertz;
  level.gain.setValueAtTime(0, at);
  level.gain.linearRampToValueAtTime(LOUDNESS, at + 0.01);
  level.gain.exponentialRampToValueAtTime(0.0001, at + LENGTH_SECONDS);
  note.connect(level).connect(audio.destination);
  note.start(at);
  note.stop(at + LENGTH_SECONDS);
}
