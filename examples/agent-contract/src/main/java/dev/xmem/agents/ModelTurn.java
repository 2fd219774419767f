package dev.xmem.agents;

import java.util.List;
import java.util.UUID;

/** The next turn of the model: it calls tools, or answers and is done. */
public record ModelTurn(String text, List<Call> calls) {
    /** A tool call with JSON arguments. */
    public record Call(String id, String tool, String arguments) {}

    public static ModelTurn say(String text) {
        return new ModelTurn(text, List.of());
    }

    public static ModelTurn call(Call... calls) {
        return new ModelTurn("", List.of(calls));
    }

    /** A call of {@link FileTool}. */
    public static Call read(String path) {
        return new Call("call-" + UUID.randomUUID(), "read", "{\"path\":\"" + path + "\"}");
    }
}
