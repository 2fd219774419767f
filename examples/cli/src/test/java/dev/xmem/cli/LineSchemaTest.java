package dev.xmem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.xmem.Amendment;
import dev.xmem.Directive;
import dev.xmem.Failure;
import dev.xmem.Note;
import dev.xmem.Outcome;
import dev.xmem.Retention;
import dev.xmem.Success;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every line of a log fits {@code docs/schema/lines.schema.json}. */
class LineSchemaTest {
    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
    private static final ToolError NO_UPSTREAM =
            ToolError.exit(128, "fatal: The current branch topic has no upstream branch.");

    @TempDir
    Path folder;

    private final Schema schema = read();

    private static Schema read() {
        try {
            return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                    .getSchema(Files.readString(ROOT.resolve("docs/schema/lines.schema.json")), InputFormat.JSON);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private void fits(List<String> lines) {
        assertThat(lines)
                .isNotEmpty()
                .allSatisfy(line -> assertThat(schema.validate(line, InputFormat.JSON))
                        .as(line)
                        .isEmpty());
    }

    private static List<String> logs(Path store) throws IOException {
        List<String> lines = new ArrayList<>();
        try (Stream<Path> files = Files.walk(store)) {
            for (Path file : files.filter(each -> each.toString().matches(".*/data/[^/]*\\.(jsonl|ndjson)"))
                    .toList()) {
                lines.addAll(Files.readAllLines(file));
            }
        }
        return lines;
    }

    @Test
    void goldenFiles_fit() throws IOException {
        List<String> lines = logs(ROOT.resolve("xmem-core/src/test/resources/dev/xmem/core/golden"));
        // Some 200 are enough: the lines of a golden file differ in their numbers.
        List<String> some = new ArrayList<>();
        for (int i = 0; i < lines.size(); i += Math.max(1, lines.size() / 200)) {
            some.add(lines.get(i));
        }

        fits(some);
    }

    @Test
    void examplesOfTheFormat_fit() throws IOException {
        String page = Files.readString(ROOT.resolve("docs/FORMAT.md"));
        String part = page.substring(page.indexOf("## Lines"), page.indexOf("## What a reader does"));
        List<String> examples =
                part.lines().filter(line -> line.startsWith("{")).toList();

        assertThat(examples).hasSizeGreaterThanOrEqualTo(9);
        fits(examples);
    }

    @Test
    void linesOfThisVersion_fit() throws IOException {
        try (XMemStore store = XMem.open(folder)) {
            for (int i = 0; i < 3; i++) {
                store.recordFailure(Failure.of(ToolCall.shell("git push").session("s" + i), NO_UPSTREAM)
                        .patternAvoid("git push -u origin topic " + i)
                        .tags("git"));
            }
            Failure last = store.recordFailure(Failure.of(ToolCall.shell("git push"), NO_UPSTREAM));
            Failure long1 = store.recordFailure(
                    Failure.of(ToolCall.json("read", "{\"path\":\"x\"}"), ToolError.text("Error: no\n".repeat(500))));
            Success success = store.recordSuccess(Success.of("git", "push with upstream"));
            store.writeNote(Note.of("note", "a note"));
            store.remember(Directive.parse("never push to main"));
            store.remember(Directive.parse("never push to main"));
            store.reportOutcome(success.id(), Outcome.WORKED, "tuesday");
            store.amend(last.id(), Amendment.pin());
            store.amend(long1.id(), Amendment.dismiss("obsolete"));
            store.amend(long1.id(), Amendment.restore());
            store.amend(last.id(), Amendment.retag(Set.of("remote"), Set.of("git")));
            store.flush();
            fits(logs(folder));
            assertThat(store.compact(store.planCompaction(Retention.defaults())).removed())
                    .isPositive();
            store.flush();
        }
        assertThat(logs(folder)).anyMatch(line -> line.contains("\"occurrences\""));
        fits(logs(folder));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"ts\":\"2026-02-14T16:30:00Z\",|",
                "\"tool_failure\"|\"tool_failur\"",
                "\"warning\"|\"fatal\"",
                "\"exit_code\":1|\"exit_code\":\"1\"",
                "2026-02-14-001|2026-02-14-1",
                "[\"rclone\"]|\"rclone\"",
            })
    void changedLines_doNotFit(String part, String other) throws IOException {
        String line = Files.readString(ROOT.resolve("docs/FORMAT.md"))
                .lines()
                .filter(each -> each.contains("tool_failure\",\"tool\":\"rclone\""))
                .findFirst()
                .orElseThrow();
        assertThat(line).contains(part);

        assertThat(schema.validate(line.replace(part, other == null ? "" : other), InputFormat.JSON))
                .isNotEmpty();
    }
}
