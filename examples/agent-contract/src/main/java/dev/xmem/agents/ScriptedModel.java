package dev.xmem.agents;

import dev.xmem.agents.ModelMessage.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A fake model: its turns follow from the messages it receives, and it keeps all requests. For one chat at a time; not
 * thread-safe.
 */
public final class ScriptedModel {
    private final Function<List<ModelMessage>, ModelTurn> script;
    private final List<List<ModelMessage>> requests = new ArrayList<>();

    private ScriptedModel(Function<List<ModelMessage>, ModelTurn> script) {
        this.script = script;
    }

    /** Takes these turns in order, whatever it receives, and then says "done". */
    public static ScriptedModel of(ModelTurn... turns) {
        return new ScriptedModel(messages -> {
            int taken = (int) messages.stream()
                    .filter(message -> message.role() == Role.MODEL)
                    .count();
            return taken < turns.length ? turns[taken] : ModelTurn.say("done");
        });
    }

    /**
     * Tries to read a file. After a failure it follows the advice if there is any, otherwise it repeats the call,
     * {@code attempts} times at most.
     */
    public static ScriptedModel reader(String path, int attempts) {
        return new ScriptedModel(messages -> {
            List<String> answers = texts(messages, Role.TOOL);
            String last = answers.isEmpty() ? "" : answers.get(answers.size() - 1);
            if (last.contains("# docs/")) {
                return ModelTurn.say("It says: " + last);
            }
            if (answers.size() == attempts) {
                return ModelTurn.say("I give up.");
            }
            return ModelTurn.call(ModelTurn.read(last.contains("docs/") ? "docs/" + path : path));
        });
    }

    /** The next turn of the model for these messages. */
    public ModelTurn next(List<ModelMessage> messages) {
        requests.add(List.copyOf(messages));
        return script.apply(messages);
    }

    /** All requests, in order; each is a list of messages. */
    public List<List<ModelMessage>> requests() {
        return requests;
    }

    /** The texts of the messages with this role in the last request, in order. */
    public List<String> lastTexts(Role role) {
        return requests.isEmpty() ? List.of() : texts(requests.get(requests.size() - 1), role);
    }

    /** The tool results in the last request, in order. */
    public List<String> toolResults() {
        return lastTexts(Role.TOOL);
    }

    private static List<String> texts(List<ModelMessage> messages, Role role) {
        return messages.stream()
                .filter(message -> message.role() == role)
                .map(ModelMessage::text)
                .toList();
    }
}
