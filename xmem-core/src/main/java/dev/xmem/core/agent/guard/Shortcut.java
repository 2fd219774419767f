package dev.xmem.core.agent.guard;

import dev.xmem.core.text.hash.CommandLine;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Recognizes calls that work at a price: they force, switch off what protects, or destroy what is there. They are no
 * lesson unless the output of the failure advises them. The words are in {@code trivial.txt}. Stateless. Decision:
 * docs/adr/0142-another-target-is-no-fix.md.
 */
final class Shortcut {
    private static final Set<String> FORCING = TrivialFailures.words("forcing-options");
    private static final Set<String> FORCING_FLAGS = TrivialFailures.words("forcing-flags");
    static final Set<String> PROTECTS = TrivialFailures.words("option-protects");
    private static final String TRUST_WORDS = String.join(" ", TrivialFailures.words("trust-words"));
    private static final Set<String> SKIPPING = TrivialFailures.words("skipping-words");
    private static final Set<String> SKIPPED_INPUT = TrivialFailures.words("skipped-input");
    private static final Set<String> DESTROYING_OPTIONS = TrivialFailures.words("destroying-options");
    private static final Set<String> DESTROYING_FLAGS = TrivialFailures.words("destroying-flags");
    private static final Set<String> DESTROYING = TrivialFailures.words("destroying");
    private static final Set<String> LISTERS = TrivialFailures.words("listers");
    private static final Set<String> GENERATED = TrivialFailures.words("generated");
    private static final String DELETE_WORDS = String.join(" ", TrivialFailures.words("delete-words"));
    private static final Set<String> TLS = Set.of("tls", "ssl");
    private static final Pattern SEPARATOR = Pattern.compile("[_:.-]");
    private static final Pattern PATH_PARTS = Pattern.compile("[/:]");
    private static final Pattern MEMBER = Pattern.compile("^(\\w+): ");
    /** A mode of chmod that lets everybody write. */
    private static final Pattern OPEN_MODE =
            Pattern.compile("[0-7]?[0-7]{2}[2367]|(?=[ug]*[oa])[ugoa]+[+=][rxXst]*w.*");

    private static final Pattern DELETES_LOCK = Pattern.compile(
            "(?:^|[\\s/])rm\\s.*(?:\\block-frontend\\b|/lock(?![\\w.-])|\\bindex\\.lock\\b|\\.git/\\S*\\.lock\\b|\\.pid\\b)");

    /** An option that begins so forces, unless it makes something again or is about an output. */
    private static final Pattern FORCES = Pattern.compile("^--force-?+(?!re(?!move|set)|colou?r|exclude|ipv|polling)");

    private static final int COMMAND_WORDS = 3;

    private Shortcut() {}

    /**
     * Whether a call works because it forces, skips a check, switches off what protects, or deletes a lock, and the
     * output of the failure does not advise it.
     *
     * @param added the words that are new
     */
    static boolean isForced(List<String> added, CommandLine.Call call, List<String> removed, OutputLines output) {
        List<String> options = added.stream()
                .map(word -> MEMBER.matcher(word).replaceFirst("--$1="))
                .toList();
        for (int i = 0; i < options.size(); i++) {
            String word = options.get(i);
            Set<String> words = InertCall.optionWords(word);
            boolean forces = word.startsWith("--")
                            && (InertCall.isOption(word, FORCING)
                                    || FORCES.matcher(word).find())
                    || !word.startsWith("-") && trusts(words, word)
                    || InertCall.PROPERTY.matcher(word).find()
                            && words.contains("skip")
                            && InertCall.switchesOff(words, options, i);
            boolean pushes = word.startsWith("+") && call.operation().equals("push");
            boolean plain = !Collections.disjoint(words, TLS) && !output.names(TRUST_WORDS);
            boolean exposes =
                    !Collections.disjoint(words, PROTECTS) && InertCall.switchesOff(words, options, i) && !plain;
            boolean flag = InertCall.hasNewFlag(word, FORCING_FLAGS, call, removed);
            if (forces && !output.namesAll(word)
                    || skips(word) && !output.namesAll(word)
                    || exposes && !output.namesAll(word)
                    || pushes
                    || flag && !output.names("force insecure")
                    || DELETES_LOCK.matcher(word).find() && !output.names(DELETE_WORDS)) {
                return true;
            }
        }
        return isDestroying(options, call, output);
    }

    /** Whether a variable trusts what cannot be verified: {@code GOINSECURE=a.example}. */
    private static boolean trusts(Set<String> words, String word) {
        return words.stream().anyMatch(part -> part.endsWith("insecure"))
                && !InertCall.OFF.contains(word.substring(word.indexOf('=') + 1));
    }

    /**
     * Whether an option makes a command go on without something that it checks or does, {@code --ignore-engines}. What
     * is only input, such as white space, a header or a file, may be ignored.
     */
    private static boolean skips(String word) {
        String name = InertCall.name(word);
        Set<String> words = InertCall.nameWords(name);
        return word.startsWith("--")
                && words.size() > 2 // an empty one is before the dashes
                && SKIPPING.contains(SEPARATOR.split(name.substring(2), 2)[0])
                && Collections.disjoint(words, SKIPPED_INPUT)
                && !InertCall.OFF.contains(word.substring(word.indexOf('=') + 1));
    }

    /** Whether an option destroys what is there, and the output does not advise it: {@code --hard}, {@code down -v}. */
    private static boolean isDestroying(List<String> options, CommandLine.Call call, OutputLines output) {
        return options.stream()
                .anyMatch(word ->
                        word.startsWith("--") && InertCall.isOption(word, DESTROYING_OPTIONS) && !output.names(word)
                                || InertCall.hasNewFlag(word, DESTROYING_FLAGS, call, List.of())
                                        && !output.names(DELETE_WORDS));
    }

    /**
     * Whether a call destroys what is there, or lets everybody write it. What a tool makes again, such as a cache, may
     * go.
     *
     * @param output what the failed call printed: what it says to remove and names may go too
     */
    static boolean destroys(SessionCall call, OutputLines output) {
        CommandLine.Work work = call.work();
        if (work == null) {
            return DESTROYING.contains(SEPARATOR.split(call.tool(), 2)[0].toLowerCase(Locale.ROOT));
        }
        String tool = work.call().tool();
        List<String> words = work.call().words();
        List<String> operands =
                words.stream().filter(word -> !word.startsWith("-")).toList();
        boolean removes = DESTROYING.contains(tool)
                || tool.equals("chmod")
                        && words.stream()
                                .anyMatch(word -> OPEN_MODE.matcher(word).matches())
                || LISTERS.contains(tool) && words.stream().anyMatch(Shortcut::isDestroyingStatement)
                || operands.stream()
                        .limit(COMMAND_WORDS)
                        .flatMap(SEPARATOR::splitAsStream)
                        .anyMatch(word -> DESTROYING.contains(word) && !DESTROYING.contains('-' + tool + ':' + word)
                                || DESTROYING.contains(tool + ':' + word));
        boolean generated = operands.stream()
                .anyMatch(word -> PATH_PARTS.splitAsStream(word).anyMatch(GENERATED::contains));
        boolean advised = output.names(DELETE_WORDS) && output.names(String.join(" ", words));
        return removes && !generated && !advised || isDestroying(words, work.call(), output);
    }

    /** Whether a word is a statement of several words, such as one of SQL, whose first one destroys. */
    private static boolean isDestroyingStatement(String word) {
        int end = word.indexOf(' ');
        return end > 0 && DESTROYING.contains(word.substring(0, end).toLowerCase(Locale.ROOT));
    }
}
