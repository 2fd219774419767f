package dev.xmem.core.answer.render;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Stats;
import dev.xmem.spi.TokenEstimator;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class StatsTextTest {
    /** Written in the order of its arguments: name, count, name, count. */
    private static Map<String, Long> counts(Object... pairs) {
        Map<String, Long> counts = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            counts.put((String) pairs[i], ((Number) pairs[i + 1]).longValue());
        }
        return counts;
    }

    @Test
    void text_seedFigures_isTheSeedsBlock() {
        Stats stats = Samples.stats(Map.of(
                "failures", 25L,
                "successes", 18L,
                "topToolsByFailures", counts("rclone", 8, "git", 6, "npm", 4, "tsc", 1),
                "topToolsBySuccesses", counts("git", 12, "bash", 4, "rclone", 2),
                "topTags", counts("config", 10, "gdrive", 8, "commit", 7),
                "fileBytes", counts("failures.jsonl", 12_595, "successes.jsonl", 8_294),
                "lastCompaction", Instant.parse("2026-01-15T23:59:59Z")));
        assertThat(new StatsText(TokenEstimator.heuristic()).text(stats))
                .isEqualTo(Golden.text(getClass(), "stats.txt"));
    }

    @Test
    void text_emptyStore_hasNoEmptyParts() {
        Stats stats = Samples.stats(Map.of("notes", 1L, "directives", 2L, "fileBytes", counts("notes.jsonl", 512)));
        assertThat(new StatsText(TokenEstimator.heuristic()).text(stats))
                .isEqualTo("📊 X-MEM Statistics\n\nTotal Entries:\n- Failures: 0\n- Successes: 0\n- Notes: 1\n"
                        + "- Directives: 2\n\nStorage:\n- notes.jsonl: 512 B\n- Last compaction: never");
    }

    @Property(tries = 300)
    void text_anyNames_staysWithinItsBudget(
            @ForAll @Size(max = 20) Map<String, Long> counts, @ForAll @IntRange(min = 1, max = 4000) int repeats) {
        Map<String, Long> names = new LinkedHashMap<>();
        counts.forEach((name, count) -> names.put(name.repeat(1 + repeats / (name.length() + 1)), count));
        Stats stats = Samples.stats(Map.of(
                "failures", 1L,
                "topToolsByFailures", names,
                "topToolsBySuccesses", names,
                "topTags", names,
                "fileBytes", names));
        for (TokenEstimator tokens : Estimators.ALL) {
            String text = new StatsText(tokens).text(stats);
            assertThat(tokens.estimate(text)).isLessThanOrEqualTo(StatsText.MAX_TOKENS);
        }
    }
}
