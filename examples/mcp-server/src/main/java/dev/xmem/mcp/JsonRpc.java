package dev.xmem.mcp;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes single JSON-RPC 2.0 messages. Every sequence of bytes has a result: a request, a notification, a
 * response, or an invalid message with the error that answers it.
 */
final class JsonRpc {
    /** The most bytes of a message, four times the longest line of a store. */
    static final int MAX_BYTES = 4 << 20;

    static final int PARSE_ERROR = -32700;
    static final int INVALID_REQUEST = -32600;
    static final int INVALID_PARAMS = -32602;
    static final int INTERNAL_ERROR = -32603;
    /** The first code that a server may define itself. */
    static final int SERVER_ERROR = -32000;

    private static final String VERSION = "2.0";
    private static final int MAX_DEPTH = 200;

    /** Writes the objects of the SDK too. */
    static final ObjectMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            .build();

    static {
        JSON.getFactory()
                .setStreamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(MAX_DEPTH)
                        .build());
    }

    private static final String ID = "\"id\"\\s*:\\s*(\"[^\"\\\\]{1,100}\"|-?\\d{1,18})\\s*";
    private static final Pattern FIRST_ID =
            Pattern.compile("\\s*\\{\\s*(?:\"(?:jsonrpc|method)\"\\s*:\\s*\"[^\"\\\\]*\"\\s*,\\s*){0,2}" + ID + ",");
    private static final Pattern LAST_ID = Pattern.compile("[\\w\\]}\"]\\s*,\\s*" + ID + "\\}\\s*$");

    private JsonRpc() {}

    /** A message from a client. */
    sealed interface Message permits Request, Notification, Response, Invalid {}

    /**
     * A message that is answered.
     *
     * @param id a string or a whole number
     */
    record Request(Object id, String method, @Nullable Map<?, ?> params) implements Message {
        boolean isPing() {
            return method.equals("ping");
        }
    }

    /** A message that is not answered. */
    record Notification(String method, @Nullable Map<?, ?> params) implements Message {
        /** Returns the id of the request that this notification cancels; null if it cancels none. */
        @Nullable Object cancels() {
            return method.equals("notifications/cancelled") && params != null ? id(params.get("requestId")) : null;
        }
    }

    /** The response to a request of the server. */
    record Response() implements Message {}

    /**
     * A message that is none.
     *
     * @param id the id of the message if it has a valid one
     */
    record Invalid(@Nullable Object id, int code, String message) implements Message {
        byte[] answer() {
            return error(id, code, message);
        }
    }

    /**
     * The id of a message that was not read as a whole; null if neither end has it. Clients write it before or behind
     * all members that can be long.
     *
     * @param first the first characters of the message
     * @param last its last characters
     */
    static @Nullable Object idOf(String first, String last) {
        Matcher id = FIRST_ID.matcher(first);
        if (!id.lookingAt()) {
            id = LAST_ID.matcher(last);
            if (!id.find()) {
                return null;
            }
        }
        String value = id.group(1);
        return value.startsWith("\"") ? value.substring(1, value.length() - 1) : (Object) Long.valueOf(value);
    }

    static Message parse(byte[] bytes) {
        Object value;
        try {
            value = JSON.readValue(bytes, Object.class);
        } catch (JsonProcessingException e) {
            String where = e.getLocation() == null
                    ? ""
                    : " at byte " + Math.max(0, e.getLocation().getByteOffset());
            return new Invalid(null, PARSE_ERROR, "The message is not valid JSON" + where + ".");
        } catch (IOException | RuntimeException e) {
            return new Invalid(null, PARSE_ERROR, "The message is not valid JSON.");
        } catch (OutOfMemoryError e) {
            return invalid(null, "The message needs more memory than the server has. Send a smaller one.");
        }
        if (value instanceof List) {
            return invalid(null, "Batches are not supported. Send each message on its own.");
        }
        return value instanceof Map<?, ?> map ? message(map) : invalid(null, "A message must be a JSON object.");
    }

    private static Message message(Map<?, ?> map) {
        Object id = id(map.get("id"));
        Object method = map.get("method");
        if (!VERSION.equals(map.get("jsonrpc"))) {
            return invalid(id, "The member jsonrpc must be \"2.0\".");
        }
        if (!map.containsKey("method") && (map.containsKey("result") || map.containsKey("error"))) {
            return new Response();
        }
        if (!(method instanceof String name)) {
            return invalid(id, "The member method must be a string.");
        }
        if (id == null && map.containsKey("id")) {
            return invalid(null, "The member id must be a string or a whole number.");
        }
        Object params = map.get("params");
        if (params != null && !(params instanceof Map)) {
            return id == null
                    ? new Notification(name, null)
                    : new Invalid(id, INVALID_PARAMS, "The member params must be an object.");
        }
        return id == null ? new Notification(name, (Map<?, ?>) params) : new Request(id, name, (Map<?, ?>) params);
    }

    private static Invalid invalid(@Nullable Object id, String message) {
        return new Invalid(id, INVALID_REQUEST, message);
    }

    private static @Nullable Object id(@Nullable Object value) {
        boolean valid = value instanceof String
                || value instanceof Integer
                || value instanceof Long
                || value instanceof BigInteger;
        return valid ? value : null;
    }

    static byte[] error(@Nullable Object id, int code, String message) {
        return message("id", id, "error", Map.of("code", code, "message", message));
    }

    static byte[] result(Object id, Object result) {
        return message("id", id, "result", result);
    }

    static byte[] notification(String method, Object params) {
        return message("method", method, "params", params);
    }

    private static byte[] message(String name, @Nullable Object value, String other, Object otherValue) {
        Map<String, @Nullable Object> message = new LinkedHashMap<>();
        message.put("jsonrpc", VERSION);
        message.put(name, value);
        message.put(other, otherValue);
        return bytes(message);
    }

    static byte[] bytes(Object message) {
        try {
            return JSON.writeValueAsBytes(message);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }
}
