package dev.xmem.core.agent.guard;

import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.MalformedLineException;
import dev.xmem.core.base.json.RawJson;
import dev.xmem.core.text.hash.CommandLine;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The difference between two calls: words of a command line, or members of JSON arguments, such as {@code timeout: 30 →
 * 120}.
 *
 * @param first the call that failed, or that got a warning
 * @param before the command that did the work of the first call; null if it runs no command
 * @param after the last command of the second call that is like it; null if none is
 * @param removed the words or members that only the first call has, in its order
 * @param added the words or members that only the second call has, in its order
 */
record CallDiff(
        SessionCall first,
        SessionCall second,
        CommandLine.@Nullable Work before,
        CommandLine.@Nullable Work after,
        List<String> removed,
        List<String> added) {
    private static final int MAX_WORDS = 400;
    private static final int MAX_VALUE_CHARS = 120;
    /** Members that say why the call is made, or how much it prints. */
    private static final Set<String> NEUTRAL = Set.of(
            "description",
            "explanation",
            "reason",
            "reasoning",
            "thought",
            "comment",
            "title",
            "verbose",
            "quiet",
            "silent",
            "debug",
            "log_level",
            "logLevel");

    CallDiff {
        removed = List.copyOf(removed);
        added = List.copyOf(added);
    }

    static CallDiff between(SessionCall first, SessionCall second) {
        CommandLine.Work before = first.work();
        CommandLine.Work after = second.workLike(first);
        List<String> removed = new ArrayList<>();
        List<String> added = new ArrayList<>();
        Map<String, String> members = members(first);
        Map<String, String> others = members(second);
        if (members != null && others != null) {
            compareMembers(members, others, removed, added);
        } else {
            removed.addAll(words(before));
            for (String word : words(after == null ? second.work() : after)) {
                if (!removed.remove(word)) {
                    added.add(word);
                }
            }
        }
        return new CallDiff(first, second, before, after, removed, added);
    }

    /** What the first call printed, which failed. */
    OutputLines output() {
        return first.info().output();
    }

    boolean isEmpty() {
        return removed.isEmpty() && added.isEmpty();
    }

    /** A short form: {@code add -u origin HEAD}, {@code drop --force}, {@code --port 80 → --port 8080}. */
    @Override
    public String toString() {
        String without = String.join(" ", removed);
        String with = String.join(" ", added);
        if (removed.isEmpty()) {
            return "add " + with;
        }
        return added.isEmpty() ? "drop " + without : without + " → " + with;
    }

    private static List<String> words(CommandLine.@Nullable Work work) {
        List<String> words = work == null ? List.of() : work.all();
        return words.subList(0, Math.min(MAX_WORDS, words.size()));
    }

    private static void compareMembers(
            Map<String, String> before, Map<String, String> after, List<String> removed, List<String> added) {
        Set<String> names = new LinkedHashSet<>(before.keySet());
        names.addAll(after.keySet());
        names.removeIf(name -> NEUTRAL.contains(name) || Objects.equals(before.get(name), after.get(name)));
        removed.addAll(lines(names, before));
        added.addAll(lines(names, after));
    }

    private static List<String> lines(Set<String> names, Map<String, String> members) {
        return names.stream()
                .filter(members::containsKey)
                .map(name -> name + ": " + CallTruncation.shortened(members.getOrDefault(name, ""), MAX_VALUE_CHARS))
                .toList();
    }

    /** The JSON arguments of a call; null if it is a command line, even one that is passed to a tool as JSON. */
    private static @Nullable Map<String, String> members(SessionCall call) {
        if (call.work() != null || !call.action().stripLeading().startsWith("{")) {
            return null;
        }
        try {
            Map<String, String> members = new LinkedHashMap<>();
            LineCodec.fields(call.action().getBytes(StandardCharsets.UTF_8))
                    .forEach((name, value) ->
                            members.put(name, value instanceof RawJson raw ? raw.text() : value.toString()));
            return members;
        } catch (MalformedLineException e) {
            return null;
        }
    }
}
