package dev.xmem.mcp;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a hostile or broken client may send before it asks for something. */
final class HostileLines {
    static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":\"after\",\"method\":\"ping\"}\n";
    static final String CALL = "{\"jsonrpc\":\"2.0\",\"id\":\"call\",\"method\":\"tools/call\",\"params\":"
            + "{\"name\":\"stats\",\"arguments\":{}}}\n";
    private static final String INITIALIZE = "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":"
            + "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},"
            + "\"clientInfo\":{\"name\":\"test\",\"version\":\"1\"}}}";

    private HostileLines() {}

    /** The lines by name; a line may have several messages, or not end. */
    static Map<String, byte[]> all() {
        Map<String, byte[]> lines = new LinkedHashMap<>();
        lines.put("empty line", text(""));
        lines.put("blank line", text(" \t "));
        lines.put("carriage return only", text("\r"));
        lines.put("message that ends with CRLF", text(INITIALIZE + "\r"));
        lines.put("byte order mark", text("\uFEFF" + INITIALIZE));
        lines.put("broken JSON", text("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":"));
        lines.put("two messages in a line", text(INITIALIZE + INITIALIZE));
        lines.put("no JSON", text("Content-Length: 52"));
        lines.put("line of 50 MB", bytes(50 << 20, 'x'));
        lines.put("message of 50 MB", huge());
        lines.put("nested arrays", text("[".repeat(100_000)));
        lines.put("nested params", text(request(1, "tools/list", "{\"a\":".repeat(50_000) + "1" + "}".repeat(50_000))));
        lines.put("NUL bytes", bytes(1_000, '\0'));
        lines.put("NUL in a message", text(INITIALIZE.replace("test", "te\0st")));
        lines.put("invalid UTF-8", invalidUtf8());
        lines.put("random bytes", random());
        lines.put("empty batch", text("[]"));
        lines.put("batch", text("[" + INITIALIZE + "," + request(1, "tools/list", "{}") + "]"));
        lines.put("number", text("42"));
        lines.put("null", text("null"));
        lines.put("string", text("\"initialize\""));
        lines.put("empty object", text("{}"));
        lines.put("another version of JSON-RPC", text(INITIALIZE.replace("2.0", "1.0")));
        lines.put("method of a wrong type", text(INITIALIZE.replace("\"initialize\"", "[1]")));
        lines.put("params of a wrong type", text(request(1, "tools/call", "\"stats\"")));
        lines.put(
                "arguments of a wrong type", text(request(1, "tools/call", "{\"name\":\"stats\",\"arguments\":[1]}")));
        lines.put("tool without a name", text(request(1, "tools/call", "{\"name\":null}")));
        lines.put("unknown tool", text(request(1, "tools/call", "{\"name\":\"rm -rf\"}")));
        lines.put("id null", text(request("null", "tools/list", "{}")));
        lines.put("id that is an object", text(request("{\"a\":1}", "tools/list", "{}")));
        lines.put("id with a fraction", text(request("1.5", "tools/list", "{}")));
        lines.put("id of 900 digits", text(request("9".repeat(900), "tools/list", "{}")));
        lines.put("id of 100,000 digits", text(request("9".repeat(100_000), "tools/list", "{}")));
        lines.put(
                "infinite number",
                text(request(1, "tools/call", "{\"name\":\"search\",\"arguments\":{\"limit\":1e9999}}")));
        lines.put(
                "one id twice",
                text(request(1, "tools/list", "{}") + "\n" + request(1, "tools/list", "{}") + "\n"
                        + request(1, "ping", "{}")));
        lines.put(
                "members twice", text("{\"jsonrpc\":\"2.0\",\"id\":1,\"id\":2,\"method\":\"ping\",\"method\":\"x\"}"));
        lines.put("response to nothing", text("{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}"));
        lines.put(
                "error response to nothing",
                text("{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"x\"}}"));
        lines.put("unknown method", text(request(1, "system/exec", "{\"command\":\"id\"}")));
        lines.put("unknown notification", text("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/nothing\"}"));
        lines.put("tool call as a notification", text("{\"jsonrpc\":\"2.0\",\"method\":\"tools/call\",\"params\":[]}"));
        lines.put("initialize twice", text(INITIALIZE + "\n" + INITIALIZE));
        lines.put("initialize without params", text(request(1, "initialize", "null")));
        lines.put("initialize with wrong params", text(request(1, "initialize", "{\"protocolVersion\":{}}")));
        lines.put("unknown protocol version", text(INITIALIZE.replace("2025-06-18", "1999-01-01")));
        lines.put("tool call before initialize", text(request(1, "tools/call", "{\"name\":\"stats\"}")));
        lines.put(
                "cancellation of unknown ids",
                text(cancellation("17") + "\n" + cancellation("null") + "\n" + cancellation("{}")));
        lines.put(
                "wrong progress token",
                text(request(1, "tools/call", "{\"name\":\"stats\",\"_meta\":{\"progressToken\":{\"a\":[]}}}")));
        lines.put("metadata of a wrong type", text(request(1, "tools/call", "{\"name\":\"stats\",\"_meta\":\"x\"}")));
        lines.put("unknown resource", text(request(1, "resources/read", "{\"uri\":\"file:///etc/passwd\"}")));
        lines.put(
                "entry outside the store",
                text(request(1, "resources/read", "{\"uri\":\"xmem://entry/%2E%2E%2F%zz\"}")));
        lines.put("10,000 pings", text((request(1, "ping", "{}") + "\n").repeat(10_000)));
        return lines;
    }

    /** Lines after which the input ends within a line. */
    static Map<String, byte[]> torn() {
        Map<String, byte[]> lines = new LinkedHashMap<>();
        lines.put("nothing", new byte[0]);
        lines.put("half a message", INITIALIZE.substring(0, 40).getBytes(StandardCharsets.UTF_8));
        lines.put("a message without an end of line", CALL.strip().getBytes(StandardCharsets.UTF_8));
        lines.put("half a character", new byte[] {'"', (byte) 0xE2, (byte) 0x82});
        lines.put("a long line", Arrays.copyOf(bytes(20 << 20, '['), 20 << 20));
        return lines;
    }

    private static String request(Object id, String method, String params) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":" + params + "}";
    }

    private static String cancellation(String id) {
        return "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":" + id + "}}";
    }

    private static byte[] text(String line) {
        return (line + "\n").getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] bytes(int length, char c) {
        byte[] bytes = new byte[length + 1];
        Arrays.fill(bytes, (byte) c);
        bytes[length] = '\n';
        return bytes;
    }

    private static byte[] huge() {
        String empty = request(1, "tools/call", "{\"name\":\"search\",\"arguments\":{\"query\":\"\"}}");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int middle = empty.lastIndexOf('"');
        out.writeBytes(empty.substring(0, middle).getBytes(StandardCharsets.UTF_8));
        out.writeBytes(Arrays.copyOf(bytes(50 << 20, 'x'), 50 << 20));
        out.writeBytes((empty.substring(middle) + "\n").getBytes(StandardCharsets.UTF_8));
        return out.toByteArray();
    }

    private static byte[] invalidUtf8() {
        byte[] line = text(INITIALIZE);
        line[line.length / 2] = (byte) 0xFF;
        line[line.length - 5] = (byte) 0xC0;
        return line;
    }

    private static byte[] random() {
        byte[] line = new byte[4_096];
        new java.util.Random(18).nextBytes(line);
        line[line.length - 1] = '\n';
        return line;
    }
}
