package dev.xmem.benchmarks;

import dev.xmem.spi.ContextHash;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Generates entries as an agent would leave them: about nine failures to one success, lines of about 650 bytes, and
 * sessions of about twenty entries. Tools, failures, subjects, tags and words follow Zipf distributions. The same
 * random seed gives the same entries on every machine. Not thread-safe.
 *
 * <p>An error is one line of at most 200 characters. A store keeps such an error unchanged, so every engine writes
 * the same bytes.
 */
public final class Corpus {
    private static final int MIN_BYTES = 560;
    private static final int MAX_BYTES = 740;
    private static final int OVERHEAD_BYTES = 250;
    private static final int SUCCESS_ONE_IN = 10;
    private static final int SESSION_ENTRIES = 20;

    private static final List<Template> FAILURES = Template.failures();
    private static final List<Template> SUCCESSES = Template.successes();
    private static final ZipfDistribution FAILURE = new ZipfDistribution(FAILURES.size(), 0.9);
    private static final ZipfDistribution SUCCESS = new ZipfDistribution(SUCCESSES.size(), 0.9);
    private static final ZipfDistribution SUBJECT = new ZipfDistribution(2000, 1.1);
    private static final ZipfDistribution TAG = new ZipfDistribution(Vocabulary.TAGS.size(), 1.0);
    private static final ZipfDistribution WORD = new ZipfDistribution(Vocabulary.WORDS.size(), 1.0);
    private static final ZipfDistribution RARE = new ZipfDistribution(20_000, 0.7);

    private final Random random;
    private int generated;

    /** Creates a generator. Two generators with the same random seed return the same entries. */
    public Corpus(long seed) {
        random = new Random(seed);
    }

    /** Returns the next entries. */
    List<CorpusEntry> next(int count) {
        List<CorpusEntry> entries = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            entries.add(next());
        }
        return entries;
    }

    private CorpusEntry next() {
        generated++;
        return random.nextInt(SUCCESS_ONE_IN) == 0 ? success() : failure();
    }

    private CorpusEntry failure() {
        Template template = FAILURES.get(FAILURE.next(random));
        String subject = Vocabulary.subject(SUBJECT.next(random));
        String code = Integer.toString(1000 + SUBJECT.next(random) % 300);
        ContextHash hash = template.hash(code).subject(subject);
        int bytes =
                MIN_BYTES + random.nextInt((MAX_BYTES - MIN_BYTES) / 2) + random.nextInt((MAX_BYTES - MIN_BYTES) / 2);
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("type", "tool_failure");
        fields.put("tool", template.tool());
        fields.put("action", template.action(subject, code));
        fields.put("error", template.message(subject, code));
        fields.put("pattern_avoid", random.nextInt(4) == 0 ? null : words(8 + random.nextInt(6)));
        fields.put("tried_also", tried(template, subject));
        fields.put("block_level", "warning");
        fields.put("tags", tags(template));
        fields.put("ctx_hash", hash.value());
        fields.put("subject", subject);
        fields.put("session_id", session());
        fields.put("notes", null);
        fields.put("notes", notes(bytes - OVERHEAD_BYTES - chars(fields)));
        return CorpusEntry.failure(fields, hash);
    }

    private CorpusEntry success() {
        Template template = SUCCESSES.get(SUCCESS.next(random));
        String name = Vocabulary.subject(SUBJECT.next(random));
        ContextHash hash = template.hash("");
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("type", "tool_success");
        fields.put("tool", template.tool());
        fields.put("action", template.action(name, ""));
        fields.put("pattern_name", template.message(name, ""));
        fields.put("key_steps", List.of(words(9), words(12), words(8), words(10)));
        fields.put("critical_params", Map.of());
        fields.put("confidence", 0.5);
        fields.put("usage_count", 1);
        fields.put("tags", tags(template));
        fields.put("ctx_hash", hash.value());
        fields.put("session_id", session());
        return CorpusEntry.success(fields, hash);
    }

    private List<String> tried(Template template, String subject) {
        List<String> tried = new ArrayList<>();
        for (int n = random.nextInt(3); n > 0; n--) {
            tried.add(template.tool() + " " + words(3) + " " + subject);
        }
        return List.copyOf(tried);
    }

    private List<String> tags(Template template) {
        Set<String> tags = new LinkedHashSet<>();
        tags.add(template.tool());
        for (int n = 1 + random.nextInt(3); n > 0; n--) {
            tags.add(Vocabulary.TAGS.get(TAG.next(random)));
        }
        return List.copyOf(tags);
    }

    private String session() {
        return String.format("session-%08d", generated / SESSION_ENTRIES);
    }

    private String notes(int chars) {
        StringBuilder text = new StringBuilder(words(3));
        while (text.length() < chars) {
            text.append(' ').append(word());
        }
        return text.append('.').toString();
    }

    private String words(int count) {
        StringBuilder text = new StringBuilder(word());
        for (int i = 1; i < count; i++) {
            text.append(' ').append(word());
        }
        return text.toString();
    }

    private String word() {
        return random.nextInt(8) == 0 ? Vocabulary.rare(RARE.next(random)) : Vocabulary.WORDS.get(WORD.next(random));
    }

    private static int chars(Map<String, @Nullable Object> fields) {
        int chars = 0;
        for (Object value : fields.values()) {
            chars += value instanceof String text ? text.length() : 0;
            chars += value instanceof List<?> items
                    ? items.stream()
                            .mapToInt(item -> item.toString().length() + 3)
                            .sum()
                    : 0;
        }
        return chars;
    }
}
