package dev.xmem.agents;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.xmem.Advice;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.ToolGuard;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Failing calls, the calls that followed, and whether the last call was a fix. The pairs were written by authors who
 * had not read the rules of the guard, which were extended with what was wrong in each set but the fifth. The sixth is
 * half of a set that its author made hard on purpose; of the whole set, one pair of whose other half was read, no false
 * fix of 30 is told, and 25 of 30 true ones are. A call without a process has exit code 0 if the tool returned
 * normally, and none if it threw an exception or was interrupted.
 *
 * <p>Two sets are about options that give up a check, and true fixes that look like them. The second one is of tools
 * that were left out while the rules for the first were written; one of its false fixes was told then, and none is now.
 *
 * <p>A false fix counts as told if the advice of the next session says that anything worked. A true fix counts as told
 * if the text after "worked:" contains the part of the calls that made the difference.
 */
final class HeldOutRetryPairsTest {
    private static final JsonFactory JSON = new JsonFactory();
    private static final String WORKED = "worked:";

    @ParameterizedTest
    @CsvSource({
        "retry-pairs-heldout.jsonl, 40, 0, 40",
        "retry-pairs-heldout-2.jsonl, 30, 0, 30",
        "retry-pairs-heldout-3.jsonl, 30, 1, 29",
        "retry-pairs-heldout-4.jsonl, 15, 0, 14",
        "retry-pairs-heldout-5.jsonl, 30, 0, 29",
        "retry-pairs-heldout-6.jsonl, 15, 0, 14",
        "retry-pairs-checks.jsonl, 20, 0, 19",
        "retry-pairs-checks-left-out.jsonl, 12, 0, 8"
    })
    void failed_nextSession_tellsTheFixesOfThePairs(String file, int each, int maxFalse, int minTrue) {
        List<Pair> pairs = pairs(file);
        int falseTold = 0;
        int trueTold = 0;
        for (Pair pair : pairs) {
            Advice advice = adviceOfNextSession(pair);
            boolean told = tells(advice.text(), pair.fix());
            if (told) {
                falseTold += pair.isTrue() ? 0 : 1;
                trueTold += pair.isTrue() ? 1 : 0;
            }
            if (told != pair.isTrue()) {
                System.out.printf(
                        "retry pairs: %s (%s): %s: %s%n",
                        pair.id(),
                        pair.why(),
                        advice.status(),
                        advice.text().strip().replace("\n", " ⏎ "));
            }
        }
        System.out.printf(
                "retry pairs: %s: false fixes told %d, true fixes told %d of %d%n", file, falseTold, trueTold, each);
        assertThat(pairs).hasSize(2 * each);
        assertThat(pairs).filteredOn(Pair::isTrue).hasSize(each);
        assertThat(falseTold).as("false fixes told").isLessThanOrEqualTo(maxFalse);
        assertThat(trueTold).as("true fixes told").isGreaterThanOrEqualTo(minTrue);
    }

    /** Written with the rules: what hides a failure, in the forms of many tools. */
    @Test
    void failed_disguisedFailures_tellsNoFix() {
        List<Pair> pairs = pairs("retry-pairs-disguises.jsonl");
        assertThat(pairs).hasSizeGreaterThan(100).noneMatch(Pair::isTrue);
        assertThat(pairs)
                .allSatisfy(pair -> assertThat(adviceOfNextSession(pair).text())
                        .as(pair.id())
                        .doesNotContain(WORKED));
    }

    /** Written with the rules: fixes whose outputs have words of a dry run or of a run without tests, and others. */
    @Test
    void failed_fixesWithWordyOutputs_areTold() {
        List<Pair> pairs = pairs("retry-pairs-wordy.jsonl");
        assertThat(pairs).hasSizeGreaterThan(30).allMatch(Pair::isTrue);
        assertThat(pairs)
                .allSatisfy(pair -> assertThat(tells(adviceOfNextSession(pair).text(), pair.fix()))
                        .as(pair.id())
                        .isTrue());
    }

    private static Advice adviceOfNextSession(Pair pair) {
        try (XMemStore store =
                XMem.inMemoryBuilder().guardLimit(Duration.ofSeconds(60)).open()) {
            ToolGuard guard = store.guard();
            for (Step step : pair.steps()) {
                guard.failed(step.call().session("first"), step.error());
            }
            store.flush();
            Step first = pair.steps().get(0);
            return guard.failed(first.call().session("second"), first.error());
        }
    }

    private static boolean tells(String advice, @Nullable String fix) {
        int worked = advice.indexOf(WORKED);
        return worked >= 0 && (fix == null || advice.indexOf(fix, worked) >= 0);
    }

    /** The calls of a session; the fix is null if the last call is a false fix. */
    private record Pair(String id, String why, @Nullable String fix, List<Step> steps) {
        boolean isTrue() {
            return fix != null;
        }
    }

    private record Step(ToolCall call, @Nullable Integer exit, String output) {
        ToolError error() {
            return exit == null ? ToolError.text(output) : ToolError.exit(exit, output);
        }
    }

    private static List<Pair> pairs(String file) {
        List<Pair> pairs = new ArrayList<>();
        try (InputStream in = Objects.requireNonNull(HeldOutRetryPairsTest.class.getResourceAsStream(file));
                BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                try (JsonParser parser = JSON.createParser(line)) {
                    parser.nextToken();
                    pairs.add(pair(parser));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return pairs;
    }

    private static Pair pair(JsonParser parser) throws IOException {
        String id = "";
        String kind = "";
        String why = "";
        String fix = null;
        List<Step> steps = new ArrayList<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            parser.nextToken();
            switch (name) {
                case "id" -> id = parser.getText();
                case "kind" -> kind = parser.getText();
                case "why" -> why = parser.getText();
                case "fix" -> fix = parser.getText();
                case "steps" -> {
                    while (parser.nextToken() == JsonToken.START_OBJECT) {
                        steps.add(step(parser));
                    }
                }
                default -> throw new IllegalArgumentException(name);
            }
        }
        assertThat(kind).as(id).isEqualTo(fix == null ? "false" : "true");
        return new Pair(id, why, fix, steps);
    }

    private static Step step(JsonParser parser) throws IOException {
        String tool = "";
        String command = null;
        String arguments = "";
        Integer exit = null;
        String output = "";
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            JsonToken value = parser.nextToken();
            switch (name) {
                case "tool" -> tool = parser.getText();
                case "command" -> command = parser.getText();
                case "arguments" -> arguments = json(parser);
                case "exit" -> exit = value == JsonToken.VALUE_NULL ? null : parser.getIntValue();
                case "output" -> output = parser.getText();
                default -> throw new IllegalArgumentException(name);
            }
        }
        return new Step(command == null ? ToolCall.json(tool, arguments) : ToolCall.shell(command), exit, output);
    }

    private static String json(JsonParser parser) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator generator = JSON.createGenerator(text)) {
            generator.copyCurrentStructure(parser);
        }
        return text.toString();
    }
}
