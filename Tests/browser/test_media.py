"""Sound and film play in place: real media, made on the spot, sent by an agent and by a customer."""

import base64
import io
import math
import struct
import wave

from pages import join
from playwright.sync_api import expect
from support.words import Words

FILM = """async () => {
  const canvas = document.createElement("canvas");
  canvas.width = 160; canvas.height = 120;
  const pen = canvas.getContext("2d");
  const recorder = new MediaRecorder(canvas.captureStream(25), { mimeType: "video/webm" });
  const parts = [];
  recorder.ondataavailable = (event) => parts.push(event.data);
  const done = new Promise((resolve) => { recorder.onstop = resolve; });
  recorder.start();
  for (let frame = 0; frame < 30; frame += 1) {
    pen.fillStyle = `hsl(${frame * 12} 70% 50%)`;
    pen.fillRect(0, 0, 160, 120);
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
  recorder.stop();
  await done;
  const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}"""
PLAYS = """async (media) => {
  media.muted = true;
  await media.play();
  await new Promise((resolve) => {
    const look = () => media.currentTime > 0.05 ? resolve() : setTimeout(look, 20);
    look();
  });
  media.pause();
  return media.error === null;
}"""


def sound():
    """A second of a tone as a WAV file."""
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(8000)
        out.writeframes(b"".join(
            struct.pack("<h", int(8000 * math.sin(index / 5))) for index in range(8000)))
    return buffer.getvalue()


def test_sound_and_film_play_in_place_on_both_sides(desk, tmp_path):
    words = Words("en")
    sandbox, phone = join(desk, words, tmp_path, "light")
    film = base64.b64decode(sandbox.page.evaluate(FILM))
    files = [{"name": "tone.wav", "mimeType": "audio/wav", "buffer": sound()},
             {"name": "colours.webm", "mimeType": "video/webm", "buffer": film}]
    phone.say("Do you have the sound of it?")
    expect(sandbox.composer()).to_be_visible()

    sandbox.choose_kind("text")
    sandbox.composer().locator("input[type=file][multiple]").set_input_files(files)
    sandbox.send()
    for page in (phone.page, sandbox.device):
        for kind in ("audio", "video"):
            media = page.locator(f"desk-card {kind}").last
            expect(media).to_be_visible()
            assert media.evaluate(PLAYS), f"{kind} plays"
    desk.shot(phone.page, "phone-media")

    films = sandbox.device.locator("desk-card video")
    before = films.count()
    phone.page.locator("input[type=file]").set_input_files(files[1])
    phone.say("And mine")
    expect(films).to_have_count(before + 1)
    assert films.last.evaluate(PLAYS), "the customer's film plays at the agent's"
