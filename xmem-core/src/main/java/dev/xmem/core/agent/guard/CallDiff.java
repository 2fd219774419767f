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
 * In what two calls differ: words of a command line, or members of JSON arguments, such as {@code timeout: 30 → 120}.
 *
 * @param removed what the first has and the second has not, in its order
 * @param added what the second has and the first has not, in its order
 */
record CallDiff(List<String> removed, List<String> added) {
    private static final int MOST_WORDS = 400;
    private static final int MOST_VALUE_CHARS = 120;

    CallDiff {
        removed = List.copyOf(removed);
        added = List.copyOf(added);
    }

    static CallDiff between(SessionCall first, SessionCall second, LineCodec codec) {
        Map<String, String> before = members(first, codec);
        Map<String, String> after = members(second, codec);
        return before == null || after == null ? ofWords(words(first), words(second)) : ofMembers(before, after);
    }

    boolean isEmpty() {
        return removed.isEmpty() && added.isEmpty();
    }

    /** In a few words: {@code add -u origin HEAD}, {@code drop --force}, {@code --port 80 → --port 8080}. */
    @Override
    public String toString() {
        String without = String.join(" ", removed);
        String with = String.join(" ", added);
        if (removed.isEmpty()) {
            return "add " + with;
        }
        return added.isEmpty() ? "drop " + without : without + " → " + with;
    }

    private static CallDiff ofWords(List<String> before, List<String> after) {
        List<String> removed = new ArrayList<>(before);
        List<String> added = new ArrayList<>();
        for (String word : after) {
            if (!removed.remove(word)) {
                added.add(word);
            }
        }
        return new CallDiff(removed, added);
    }

    private static List<String> words(SessionCall step) {
        List<String> words = CommandLine.of(step.tool(), step.action()).words();
        return words.subList(0, Math.min(MOST_WORDS, words.size()));
    }

    private static CallDiff ofMembers(Map<String, String> before, Map<String, String> after) {
        List<String> removed = new ArrayList<>();
        List<String> added = new ArrayList<>();
        Set<String> names = new LinkedHashSet<>(before.keySet());
        names.addAll(after.keySet());
        for (String name : names) {
            String was = before.get(name);
            String is = after.get(name);
            if (!Objects.equals(was, is)) {
                add(removed, name, was);
                add(added, name, is);
            }
        }
        return new CallDiff(removed, added);
    }

    private static void add(List<String> to, String name, @Nullable String value) {
        if (value != null) {
            to.add(name + ": "
                    + (value.length() > MOST_VALUE_CHARS ? CallTruncation.head(value, MOST_VALUE_CHARS) + '…' : value));
        }
    }

    /** The JSON arguments of a call; null where it is a command line, also one that a tool was given as JSON. */
    private static @Nullable Map<String, String> members(SessionCall step, LineCodec codec) {
        boolean command = !CommandLine.of(step.tool(), step.action()).words().isEmpty();
        if (command || !step.action().stripLeading().startsWith("{")) {
            return null;
        }
        try {
            Map<String, String> members = new LinkedHashMap<>();
            codec.fields(step.action().getBytes(StandardCharsets.UTF_8))
                    .forEach((name, value) ->
                            members.put(name, value instanceof RawJson raw ? raw.text() : value.toString()));
            return members;
        } catch (MalformedLineException e) {
            return null;
        }
    }
}
