package dev.xmem.agents;

import dev.xmem.agents.Said.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A model without a model: what it does follows from what it is given, all of which it keeps. For one chat at a time; not
 * thread-safe.
 */
public final class ScriptedModel {
    private final Function<List<Said>, Turn> script;
    private final List<List<Said>> given = new ArrayList<>();

    private ScriptedModel(Function<List<Said>, Turn> script) {
        this.script = script;
    }

    /** Takes these turns and is done, whatever it reads. */
    public static ScriptedModel of(Turn... turns) {
        return new ScriptedModel(messages -> {
            int taken = (int)
                    messages.stream().filter(said -> said.role() == Role.MODEL).count();
            return taken < turns.length ? turns[taken] : Turn.say("done");
        });
    }

    /** Wants to read a file. Where a call fails it does what it reads to do, else the same again, so many times at most. */
    public static ScriptedModel reader(String path, int attempts) {
        return new ScriptedModel(messages -> {
            List<String> answers = texts(messages, Role.TOOL);
            String last = answers.isEmpty() ? "" : answers.get(answers.size() - 1);
            if (last.contains("# docs/")) {
                return Turn.say("It says: " + last);
            }
            if (answers.size() == attempts) {
                return Turn.say("I give up.");
            }
            return Turn.call(Turn.read(last.contains("docs/") ? "docs/" + path : path));
        });
    }

    /** What a framework's model answers to these messages. */
    public Turn next(List<Said> messages) {
        given.add(List.copyOf(messages));
        return script.apply(messages);
    }

    /** All that it was given, request by request. */
    public List<List<Said>> given() {
        return given;
    }

    /** What it was given last by this role, in order. */
    public List<String> last(Role role) {
        return given.isEmpty() ? List.of() : texts(given.get(given.size() - 1), role);
    }

    /** What tools answered it, in order. */
    public List<String> read() {
        return last(Role.TOOL);
    }

    private static List<String> texts(List<Said> messages, Role role) {
        return messages.stream()
                .filter(said -> said.role() == role)
                .map(Said::text)
                .toList();
    }
}
