package dev.xmem.core.answer.render;

import static dev.xmem.core.answer.render.Samples.NOW;
import static dev.xmem.core.answer.render.Samples.TS;
import static dev.xmem.core.answer.render.Samples.failure;
import static dev.xmem.core.answer.render.Samples.hit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Directive;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Query.Layout;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EntryTextTest {
    private static String text(Layout layout, Entry entry) {
        return EntryText.of(layout, NOW).whole(hit(entry));
    }

    @Test
    void card_protocolFailure_isTheProtocolsCard() {
        assertThat(text(Layout.CARDS, Samples.seedFailure())).isEqualTo(Golden.text(getClass(), "card-failure.txt"));
    }

    @Test
    void card_seedSuccess_hasStepsAndParameters() {
        assertThat(text(Layout.CARDS, Samples.seedSuccess())).isEqualTo(Golden.text(getClass(), "card-success.txt"));
    }

    @Test
    void card_failureWithoutMore_hasNoEmptyParts() {
        assertThat(text(Layout.CARDS, failure("2026-02-14-001", "npm", "npm-install-network-timeout")))
                .isEqualTo("Entry: 2026-02-14-001 (2 days ago)\nTool: npm install\nError: it failed");
    }

    @Test
    void card_criticalFailureWithoutTime_saysCriticalOnly() {
        Samples.SampleFailure f = failure("2026-02-14-001", "npm", "0a1b2c");
        Failure critical = new Samples.SampleFailure(
                f.id(),
                Instant.EPOCH,
                f.tool(),
                "install left-pad",
                f.error(),
                null,
                List.of(),
                Failure.BlockLevel.CRITICAL,
                List.of(),
                f.ctxHash(),
                null,
                null);
        assertThat(text(Layout.CARDS, critical)).startsWith("Entry: 2026-02-14-001 (critical)\nTool: npm install\n");
    }

    @Test
    void card_noteDirectiveAndOther_sayWhatTheyHold() {
        assertThat(text(Layout.CARDS, new Samples.SampleNote("note-1", TS, "fact", "a\nb", List.of(), "{\"k\":1}")))
                .isEqualTo("Entry: note-1 (2 days ago)\nType: fact\nContent: a\n  b\nMeta: {\"k\":1}");
        assertThat(text(Layout.CARDS, directive()))
                .isEqualTo(
                        "Entry: 2026-02-14-009 (2 days ago)\nDirective: Tests use JUnit\nScope: global\nStrength: 3");
        assertThat(text(Layout.CARDS, new Samples.SampleOther("x-1", TS, List.of(), "{\"type\":\"new\"}")))
                .isEqualTo("Entry: x-1 (2 days ago)\nLine: {\"type\":\"new\"}");
    }

    private static Directive directive() {
        return new Samples.SampleDirective(
                "2026-02-14-009",
                TS,
                Directive.Scope.GLOBAL,
                new Directive.Triple("tests", "use", "junit"),
                "Tests use JUnit",
                3,
                List.of());
    }

    @Test
    void list_eachKind_isOneLine() {
        assertThat(text(Layout.LIST, Samples.seedFailure()))
                .isEqualTo("2026-02-14-001: rclone sync config-not-found — Verify remote name exists before sync");
        assertThat(text(Layout.LIST, new Samples.SampleNote("note-1", TS, "fact", "a\nb", List.of(), null)))
                .isEqualTo("note-1: fact: a b");
        assertThat(text(Layout.LIST, new Samples.SampleNote("note-1", TS, "note", "a", List.of(), null)))
                .isEqualTo("note-1: a");
        assertThat(text(Layout.LIST, directive())).isEqualTo("2026-02-14-009: Tests use JUnit (global, strength 3)");
    }

    @ParameterizedTest
    @CsvSource({
        "rclone, rclone-sync-config-not-found, rclone sync config-not-found",
        "Docker Compose, docker-compose-up-port-in-use, Docker Compose up port-in-use",
        "git, git-commit, git commit",
        "git, 0a1b2c, git 0a1b2c",
        "git, gitlab-push-denied, git gitlab-push-denied",
        "git, git--push-denied, git push-denied",
    })
    void list_failure_isNamedAfterItsHash(String tool, String hash, String expected) {
        assertThat(text(Layout.LIST, failure("2026-02-14-001", tool, hash))).isEqualTo("2026-02-14-001: " + expected);
    }

    @ParameterizedTest
    @CsvSource({
        "git, status -s, git-not-a-repository, git not-a-repository, git status",
        "kubectl, annotate pod web, kubectl-not-running, kubectl not-running, kubectl annotate",
        "npm, i left-pad, npm-install-network-timeout, npm install network-timeout, npm install",
        "python, a.py, python-run-key-error, python run key-error, python run",
        "mvn, -q verify, mvn-build-syntax-error, mvn build syntax-error, mvn build",
    })
    void listAndCard_hashes_takeNoWordOfTheCauseForTheOperation(
            String tool, String action, String hash, String line, String called) {
        Entry entry = failure("2026-02-14-001", tool, action, hash);
        assertThat(text(Layout.LIST, entry)).isEqualTo("2026-02-14-001: " + line);
        assertThat(text(Layout.CARDS, entry)).contains("\nTool: " + called + "\n");
    }

    @Test
    void json_lineWithId_getsScoreAndMatch() {
        Match match = new Samples.Hit(
                new Samples.SampleOther("a", TS, List.of(), " {\"id\":\"b\",\n\"x\":{\"y\":[1]}} "),
                Match.MatchType.EXACT,
                0.93004,
                "");
        assertThat(EntryText.of(Layout.JSON, NOW).whole(match))
                .isEqualTo("{\"id\":\"b\", \"x\":{\"y\":[1]},\"score\":0.93,\"match\":\"exact\"}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{}|{\"id\":\"a\",\"score\":0,\"match\":\"filter\"}",
                "{\"x\":{\"id\":1}}|{\"id\":\"a\",\"x\":{\"id\":1},\"score\":0,\"match\":\"filter\"}",
                "{\"x\":\"\\\"id\\\":\"}|{\"id\":\"a\",\"x\":\"\\\"id\\\":\",\"score\":0,\"match\":\"filter\"}",
                "{\"x\":\"id\"}|{\"id\":\"a\",\"x\":\"id\",\"score\":0,\"match\":\"filter\"}",
                "{\"id\" : 1}|{\"id\" : 1,\"score\":0,\"match\":\"filter\"}",
            })
    void json_lineWithoutIdOfItsOwn_getsOneInFront(String line, String expected) {
        assertThat(text(Layout.JSON, new Samples.SampleOther("a", TS, List.of(), line)))
                .isEqualTo(expected);
    }

    @Test
    void json_cut_keepsWhatIdentifies() {
        String cut =
                EntryText.of(Layout.JSON, NOW).cuts(hit(Samples.seedFailure())).apply(240);
        assertThat(cut.length()).isLessThanOrEqualTo(240);
        assertThat(cut)
                .isEqualTo("{\"id\":\"2026-02-14-001\",\"ts\":\"2026-02-14T16:30:00Z\",\"type\":\"tool_failure\","
                        + "\"tool\":\"rclone\",\"ctx_hash\":\"rclone-sync-config-not-found\",\"score\":0,"
                        + "\"match\":\"filter\",\"text\":\"Verify remote name exists before sync — Failed to crea…\","
                        + "\"truncated\":true}");
        assertThat(EntryText.of(Layout.JSON, NOW)
                        .cuts(hit(Samples.seedFailure()))
                        .apply(0))
                .isEqualTo("{\"truncated\":true}");
    }

    @ParameterizedTest
    @CsvSource({
        "PT-5M, just now",
        "PT59S, just now",
        "PT1M, 1 minute ago",
        "PT59M, 59 minutes ago",
        "PT1H, 1 hour ago",
        "PT47H, 1 day ago",
        "P2D, 2 days ago",
        "P29D, 29 days ago",
        "P30D, 1 month ago",
        "P364D, 12 months ago",
        "P365D, 1 year ago",
        "P800D, 2 years ago",
    })
    void age_isRoughAndReadable(Duration age, String expected) {
        assertThat(RelativeTime.of(NOW.minus(age), NOW)).isEqualTo(expected);
    }
}
