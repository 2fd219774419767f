package dev.xmem.core.text.hash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.core.text.hash.ErrorCorpus.Event;
import dev.xmem.spi.HashInput;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Pairs of errors with the same hash against pairs of the same scenario. These are fits: all three corpora were read in
 * the end. Before any of it was read, the collected corpus scored F1 .972 and the later one .893 with the rules of that
 * time.
 */
final class ErrorCorpusTest {
    private static final RuleBasedHasher HASHER = new RuleBasedHasher();

    @Test
    void hash_devCorpus_pairwiseF1() {
        Score score = score(ErrorCorpus.read(ErrorCorpus.DEV));
        assertThat(score.precision()).as(score.toString()).isGreaterThan(0.99);
        assertThat(score.f1()).as(score.toString()).isGreaterThan(0.99);
    }

    @ParameterizedTest
    @ValueSource(strings = {ErrorCorpus.COLLECTED, ErrorCorpus.COLLECTED_LATER})
    void hash_collectedCorpora_pairwiseF1(String corpus) {
        Score score = score(ErrorCorpus.read(corpus));
        assertThat(score.precision()).as(score.toString()).isGreaterThan(0.97);
        assertThat(score.f1()).as(score.toString()).isGreaterThan(0.97);
    }

    /**
     * Failures of agents' tools, written and varied by a generator. Before any of it was read, the first half scored
     * F1 .831 and the second .838. Rules were then written from the first half.
     */
    @ParameterizedTest
    @CsvSource({ErrorCorpus.AGENTS + ", 0.98, 0.97", ErrorCorpus.AGENTS_LEFT_OUT + ", 0.97, 0.92"})
    void hash_agentCorpora_pairwiseF1(String corpus, double precision, double f1) {
        Score score = score(ErrorCorpus.read(corpus));
        assertThat(score.precision()).as(score.toString()).isGreaterThan(precision);
        assertThat(score.f1()).as(score.toString()).isGreaterThan(f1);
    }

    /**
     * Answers of services and failures of the JVM, written and varied by a generator and divided by service or library.
     * With the rules before, the first half scored F1 .703 and the half left out .816; rules were then written from the
     * misses of the first half only. The later corpus scored .529 and its half left out .572 with the rules before.
     */
    @ParameterizedTest
    @CsvSource({
        ErrorCorpus.SERVICES + ", 0.94, 0.94",
        ErrorCorpus.SERVICES_LEFT_OUT + ", 0.90, 0.90",
        ErrorCorpus.SERVICES_LATER + ", 0.86, 0.85",
        ErrorCorpus.SERVICES_LATER_LEFT_OUT + ", 0.82, 0.85"
    })
    void hash_serviceCorpora_pairwiseF1(String corpus, double precision, double f1) {
        Score score = score(ErrorCorpus.read(corpus));
        assertThat(score.precision()).as(score.toString()).isGreaterThan(precision);
        assertThat(score.f1()).as(score.toString()).isGreaterThan(f1);
    }

    /**
     * Failures collected by authors who had not read the rules. Rules were written from the misses of the first half;
     * of the half left out only figures were read. With the rules before, they scored F1 .58 and .66.
     */
    @ParameterizedTest
    @CsvSource({ErrorCorpus.AGENTS_LATER + ", 0.74, 0.80", ErrorCorpus.AGENTS_LATER_LEFT_OUT + ", 0.86, 0.87"})
    void hash_laterAgentCorpora_pairwiseF1(String corpus, double precision, double f1) {
        Score score = score(ErrorCorpus.read(corpus));
        assertThat(score.precision()).as(score.toString()).isGreaterThan(precision);
        assertThat(score.f1()).as(score.toString()).isGreaterThan(f1);
    }

    /** The excerpt loses nothing that the hash needs. */
    @Test
    void hash_wholeTextOrExcerpt_sameHash() {
        List<String> lost = new ArrayList<>();
        for (Event event : ErrorCorpus.read(ErrorCorpus.DEV)) {
            String whole = hash(event, event.error());
            String stored = hash(event, stored(event));
            if (!whole.equals(stored)) {
                lost.add(whole + " -> " + stored);
            }
        }
        assertThat(lost).hasSizeLessThanOrEqualTo(8);
    }

    private static Score score(List<Event> events) {
        Map<String, Integer> scenarios = new HashMap<>();
        Map<String, Integer> hashes = new HashMap<>();
        Map<List<String>, Integer> both = new HashMap<>();
        for (Event event : events) {
            String hash = hash(event, stored(event));
            scenarios.merge(event.scenario(), 1, Integer::sum);
            hashes.merge(hash, 1, Integer::sum);
            both.merge(List.of(event.scenario(), hash), 1, Integer::sum);
        }
        double truePairs = pairs(both);
        return new Score(truePairs / pairs(hashes), truePairs / pairs(scenarios));
    }

    private static double pairs(Map<?, Integer> counts) {
        return counts.values().stream().mapToDouble(n -> n * (n - 1) / 2.0).sum();
    }

    private static String stored(Event event) {
        return Excerpt.of(event.tool(), event.action(), event.error()).text();
    }

    private static String hash(Event event, String text) {
        return HASHER.hash(HashInput.of(event.tool(), event.action()).error(text, event.exitCode()))
                .value();
    }

    private record Score(double precision, double recall) {
        double f1() {
            return 2 * precision * recall / (precision + recall);
        }
    }
}
