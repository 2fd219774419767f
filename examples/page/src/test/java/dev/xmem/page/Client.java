package dev.xmem.page;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** An HTTP client that sends what it is told, also what a browser would not. */
final class Client {
    static final String TOKEN = "a-token-of-the-tests";

    private final int port;
    private final Map<String, String> headers = new LinkedHashMap<>();

    Client(PageServer server) {
        this(server.uri().getPort());
    }

    Client(int port) {
        this.port = port;
        headers.put("Host", "127.0.0.1:" + port);
    }

    /** An answer. */
    record Answer(int status, Map<String, String> headers, String body) {
        String header(String name) {
            return headers.getOrDefault(name.toLowerCase(Locale.ROOT), "");
        }

        Map<String, Object> json() throws IOException {
            return Json.read(body);
        }
    }

    /** A copy with another value of a header. */
    Client with(String name, String value) {
        Client copy = new Client(port);
        copy.headers.putAll(headers);
        copy.headers.put(name, value);
        return copy;
    }

    /** A copy with the cookie and the secret of acts, as the page has them. */
    Client entered() throws IOException {
        Answer answer = post("/enter", TOKEN);
        Client known = with("Cookie", answer.header("Set-Cookie").split(";", -1)[0]);
        String act = String.valueOf(known.get("/api/hello").json().get("act"));
        return known.with("X-Xmem-Act", act).with("Content-Type", "application/json");
    }

    Answer get(String path) throws IOException {
        return send("GET", path, "");
    }

    Answer post(String path, String body) throws IOException {
        return send("POST", path, body);
    }

    Answer send(String method, String path, String body) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            StringBuilder head = new StringBuilder(method + ' ' + path + " HTTP/1.1\r\n");
            headers.forEach((name, value) ->
                    head.append(name).append(": ").append(value).append("\r\n"));
            head.append("Connection: close\r\nContent-Length: ")
                    .append(bytes.length)
                    .append("\r\n\r\n");
            OutputStream out = socket.getOutputStream();
            out.write(head.toString().getBytes(StandardCharsets.UTF_8));
            try {
                out.write(bytes);
                out.flush();
            } catch (IOException e) {
                // The server has answered already.
            }
            return parsed(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    private static Answer parsed(String text) {
        int end = text.indexOf("\r\n\r\n");
        String[] head = text.substring(0, end).split("\r\n", -1);
        Map<String, String> headers = new LinkedHashMap<>();
        for (int i = 1; i < head.length; i++) {
            int colon = head[i].indexOf(':');
            headers.put(
                    head[i].substring(0, colon).toLowerCase(Locale.ROOT),
                    head[i].substring(colon + 1).strip());
        }
        return new Answer(Integer.parseInt(head[0].split(" ", -1)[1]), headers, text.substring(end + 4));
    }
}
