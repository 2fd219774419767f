package dev.xmem.agents;

import java.util.List;
import java.util.UUID;

/** What a model does next: it calls tools, or says something and is done. */
public record Turn(String text, List<Call> calls) {
    /** A call of a tool with JSON arguments. */
    public record Call(String id, String tool, String arguments) {}

    public static Turn say(String text) {
        return new Turn(text, List.of());
    }

    public static Turn call(Call... calls) {
        return new Turn("", List.of(calls));
    }

    /** A call of a tool of {@link Library}. */
    public static Call read(String path) {
        return new Call("call-" + UUID.randomUUID(), "read", "{\"path\":\"" + path + "\"}");
    }
}
