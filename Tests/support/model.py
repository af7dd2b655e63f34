"""A scripted server with the interface of chat completions, for what asks the operator's model."""

import http.server
import json
import threading

# What a model writes that makes a card of three teas.
TEAS = {
    "type": "interactive",
    "interactiveData": {
        "bid": "com.apple.messages.MSMessageExtensionBalloonPlugin:0000000000:com.apple.icloud.apps.messages.business.extension",
        "data": {
            "version": "1.0", "requestIdentifier": "1",
            "listPicker": {"sections": [{"title": "Green teas", "order": 0, "items": [
                {"identifier": name.lower(), "title": name, "order": order}
                for order, name in enumerate(["Sencha", "Gyokuro", "Hojicha"])]}]},
        },
        "receivedMessage": {"title": "Which tea?", "subtitle": "Tap to choose", "style": "icon"},
        "replyMessage": {"title": "Tea"},
    },
}


def text(words):
    """What a model writes that makes a message of words."""
    return json.dumps({"type": "text", "body": words})


class ScriptedModel:
    """Answers with what it is given, in order, and keeps what it was asked.

    An answer is a text that the model writes, a status, or an event: then it waits, until the event is set, and writes
    the text that follows.
    """

    def __init__(self, key="a-secret-of-the-model"):
        self.key, self.answers, self.asked, self.refused = key, [], [], 0
        model = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                status, answer = model.answer(self.path, self.headers.get("Authorization"), json.loads(body))
                content = json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/v1"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def answer(self, path, credential, request):
        """The status and the body for one request."""
        if path != "/v1/chat/completions" or credential != f"Bearer {self.key}":
            self.refused += 1
            return 401, {"error": {"message": "no such key"}}
        self.asked.append(request)
        if not self.answers:
            return 500, {"error": {"message": "nothing is scripted"}}
        answer = self.answers.pop(0)
        if isinstance(answer, threading.Event):
            assert answer.wait(timeout=30), "nobody let the model answer"
            answer = self.answers.pop(0)
        if isinstance(answer, int):
            return answer, {"error": {"message": "scripted"}}
        return 200, {"id": "one", "object": "chat.completion", "model": request["model"], "choices": [
            {"index": 0, "message": {"role": "assistant", "content": answer}, "finish_reason": "stop"}]}

    def said(self, place=-1):
        """All that a request said, as one text."""
        return "\n".join(message["content"] for message in self.asked[place]["messages"])
