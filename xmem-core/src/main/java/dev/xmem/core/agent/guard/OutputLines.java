package dev.xmem.core.agent.guard;

import dev.xmem.core.text.hash.Excerpt;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Hashes of the lines that a failed call printed: enough to recognize the failure in a later output. The hash of a
 * short word gives the word away, so every output is redacted before it is hashed or compared. Numbers, names
 * that are random, colors, letter case, the level of a message and what surrounds a line's words do not count.
 *
 * @param salient the hash of the line that carries the diagnosis; 0 if no line is long enough to recognize it
 * @param lines the hashes of the first and the last lines
 * @param words the hashes of its words, those of the lines that carry the diagnosis first
 */
record OutputLines(int salient, List<Integer> lines, List<Integer> words) {
    /** The lines of a failure that is not known. */
    static final OutputLines NONE = new OutputLines(0, List.of(), List.of());

    private static final Pattern NO_TEXT = Pattern.compile("\u001B\\[[\\d;]*[A-Za-z]|[^\\p{L}]+");
    /** The level of a message: the same finding is an error or a warning, as the options of the tool say. */
    private static final Pattern LEVEL = Pattern.compile(
            "(?:^|(?<=[\\s:\\[(]))(?:fatal error|error|warning|warn|fatal)" + "(?=\\s?[:\\]\\[(]|\\s\\s)",
            Pattern.CASE_INSENSITIVE);

    /** A name that differs in each run: a UUID, a hash, an object's address, a pod, a temporary folder. */
    private static final Pattern RANDOM = Pattern.compile(
            "@[\\da-f]{5,}+|/tmp/[^\\s/:'\"]++"
                    + "|(?<![\\p{L}\\p{Nd}])(?:[\\da-f]{8}+(?:-[\\da-f]{4}+){3}-[\\da-f]{12}+|(?=[a-f]*+\\d)[\\da-f]{7,}+)"
                    + "(?![\\p{L}\\p{Nd}])|-(?=[a-z]*+\\d)[b-df-hj-np-tv-xz2-9]{6,10}+-[b-df-hj-np-tv-xz2-9]{5}+(?![\\p{L}\\p{Nd}])");

    private static final Pattern NO_WORD = Pattern.compile("[^\\p{L}\\p{Nd}.@-]+");
    private static final Pattern REDACTED = Pattern.compile("\\[redacted:[^\\]\\s]{0,40}+\\]");
    private static final Pattern EDGES = Pattern.compile("^[.@-]+|(?<![.@-])[.@-]+$");
    private static final int MAX_WORDS = 128;
    private static final int MIN_WORD_CHARS = 4;
    private static final int MAX_LINES = 40;
    private static final int MAX_CHARS = 150;
    private static final int MIN_LETTERS = 8;

    OutputLines {
        lines = List.copyOf(lines);
        words = List.copyOf(words);
    }

    /** The lines of a failed call's output, which is redacted. */
    static OutputLines of(String tool, String action, String output) {
        Excerpt excerpt = Excerpt.of(tool, action, output);
        String error = excerpt.error();
        String first = error.lines().findFirst().orElse("");
        List<Integer> all = hashes(output);
        LinkedHashSet<Integer> ends = new LinkedHashSet<>(all.subList(0, Math.min(MAX_LINES, all.size())));
        ends.addAll(all.subList(Math.max(0, all.size() - MAX_LINES), all.size()));
        String letters = letters(first);
        List<Integer> words = wordHashes(excerpt.text() + '\n' + output).stream()
                .limit(MAX_WORDS)
                .toList();
        return new OutputLines(letters.length() < MIN_LETTERS ? 0 : letters.hashCode(), new ArrayList<>(ends), words);
    }

    /** Whether the output had a word of a text, such as a file, a package or an option. */
    boolean names(String text) {
        return wordHashes(text).stream().anyMatch(words::contains);
    }

    /** Whether the output had all words of a text that has some. */
    boolean namesAll(String text) {
        Set<Integer> hashes = wordHashes(text);
        return !hashes.isEmpty() && words.containsAll(hashes);
    }

    private static Set<Integer> wordHashes(String text) {
        Set<Integer> hashes = new LinkedHashSet<>();
        String visible = REDACTED.matcher(text).replaceAll(" ");
        for (String word : NO_WORD.split(visible.toLowerCase(Locale.ROOT).replace('_', '-'))) {
            String bare = bare(word);
            if (bare.length() >= MIN_WORD_CHARS) {
                hashes.add(bare.hashCode());
            }
        }
        return hashes;
    }

    /** A word without punctuation at its ends. */
    static String bare(CharSequence word) {
        return EDGES.matcher(word).replaceAll("");
    }

    /** Whether a redacted output has the line that carries the diagnosis. */
    boolean isDiagnosisIn(String output) {
        return salient != 0 && hashes(output).contains(salient);
    }

    /** Whether a redacted output has lines, and all of them are those of the failure. */
    boolean hasAllOf(String output) {
        List<Integer> other = hashes(output);
        return !other.isEmpty() && lines.containsAll(other);
    }

    private static List<Integer> hashes(String output) {
        List<Integer> hashes = new ArrayList<>();
        output.lines()
                .map(OutputLines::letters)
                .filter(line -> !line.isEmpty())
                .forEach(line -> hashes.add(line.hashCode()));
        return hashes;
    }

    /** A text without the names that differ in each run. */
    static String lasting(CharSequence text) {
        return RANDOM.matcher(text).replaceAll(" ");
    }

    private static String letters(String line) {
        String head = CallTruncation.head(line.strip(), MAX_CHARS);
        return NO_TEXT.matcher(LEVEL.matcher(lasting(head)).replaceAll(" "))
                .replaceAll(" ")
                .strip()
                .toLowerCase(Locale.ROOT);
    }
}
