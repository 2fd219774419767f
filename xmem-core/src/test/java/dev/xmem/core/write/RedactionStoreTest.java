package dev.xmem.core.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.xmem.Advice;
import dev.xmem.Directive;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.JsonDraft;
import dev.xmem.Note;
import dev.xmem.Page;
import dev.xmem.Query;
import dev.xmem.Success;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Secrets in every field of every kind: none comes further than the door, all around them does. */
class RedactionStoreTest {
    private static final String MIXED = "a1B2c3D4e5F6g7H8i9J0";
    private static final String HEX = "0a1b2c3d4e5f60718293a4b5c6d7e8f9";

    /** A text with a secret in it; {@code %s} is where. The words around it are to be found. */
    private record Planted(String word, String text, String secret) {
        String filled() {
            return word + " " + text.formatted(secret) + " end" + word;
        }
    }

    private static final List<Planted> PLANTED = planted();

    @TempDir
    Path folder;

    private static List<Planted> planted() {
        String[][] kinds = {
            {"%s", "ghp_" + MIXED + "k1L2m3N4o5P6q7R8"},
            {"%s", "github_pat_" + MIXED + "_" + MIXED},
            {"%s", "glpat-" + MIXED},
            {"%s", "xoxb-123456789012-" + MIXED},
            {"%s", "AKIA" + "QWERTYUIOPASDFGH"},
            {"aws_secret_access_key=%s", "wJa" + MIXED + "rXUtnFEMI/K7MDE"},
            {"%s", "AIza" + MIXED + "k1L2m3N4o5P6q7R"},
            {"%s", "sk-proj-" + MIXED + MIXED},
            {"%s", "sk-ant-api03-" + MIXED},
            {"%s", "sk_live_" + MIXED},
            {"%s", "SG." + MIXED + "." + MIXED + MIXED},
            {"%s", "npm_" + MIXED + "k1L2m3N4o5P6q7R8"},
            {"%s", "pypi-" + MIXED + MIXED + MIXED},
            {"%s", "hf_" + MIXED + "k1L2m3N4o5P6q7"},
            {"%s", "dop_v1_" + HEX + HEX},
            {"%s", "hvs." + MIXED + MIXED},
            {"%s", "123456789:AA" + MIXED + "k1L2m3N4o5P6q"},
            {"%s", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0." + MIXED},
            {"%s", "-----BEGIN RSA PRIVATE KEY-----\nMII" + HEX + "\n-----END RSA PRIVATE KEY-----"},
            {"Authorization: Bearer %s", "opaque" + MIXED},
            {"Authorization: Basic %s", "Ym9iOmh1bnRlcjI9eHl6"},
            {"Set-Cookie: sid=%s; Path=/", "crumb" + HEX},
            {"postgres://app:%s@db/x", "sw0rdf1sh-url"},
            {"https://b.example/o?X-Amz-Signature=%s", HEX},
            {"PGPASSWORD=%s", "sw0rdf1sh-env"},
            {"{\"password\":\"%s\"}", "swordfish-json"},
            {"{\\\"client_secret\\\":\\\"%s\\\"}", "swordfish-escaped"},
            {"db: {password: '%s'}", "swordfish-yaml"},
            {"<password>%s</password>", "swordfish-xml"},
            {"curl -u bob:%s https://h", "swordfish-curl"},
            {"mysql -u root -p%s shop", "swordfish-mysql"},
            {"Server=h;Pwd=%s;Database=x", "swordfish-conn"},
            {"AccountKey=%s;", MIXED + MIXED + "=="},
            {"api_key: '%s'", MIXED + "-key"},
        };
        List<Planted> planted = new ArrayList<>();
        for (String[] kind : kinds) {
            planted.add(new Planted(
                    "marker" + (char) ('a' + planted.size() / 26) + (char) ('a' + planted.size() % 26),
                    kind[0],
                    kind[1]));
        }
        return planted;
    }

    private static String all() {
        StringBuilder all = new StringBuilder();
        PLANTED.forEach(planted -> all.append(planted.filled()).append('\n'));
        return all.toString();
    }

    private static String[] each() {
        return PLANTED.stream().map(Planted::filled).toArray(String[]::new);
    }

    private static String[] tags() {
        return PLANTED.stream()
                .filter(planted -> planted.filled().length() < 120)
                .map(Planted::filled)
                .toArray(String[]::new);
    }

    private static String json(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
    }

    /** An object that has the planted texts as keys, as values, in lists and below each other. */
    private static String object() {
        StringBuilder object = new StringBuilder(
                "{\"password\":\"swordfish-named\",\"pin\":{\"password\":[\"swordfish-listed\",55512345]}");
        for (Planted planted : PLANTED) {
            String text = json(planted.filled());
            object.append(',')
                    .append(text)
                    .append(":{")
                    .append(text)
                    .append(":[")
                    .append(text)
                    .append(",1]}");
        }
        return object.append('}').toString();
    }

    private static List<String> secrets() {
        List<String> secrets = new ArrayList<>(List.of("swordfish-named", "swordfish-listed", "55512345"));
        PLANTED.forEach(planted -> secrets.add(planted.secret()
                .lines()
                .reduce((first, last) -> last.contains("END") ? first : last)
                .orElseThrow()));
        secrets.add("MII" + HEX);
        return secrets;
    }

    private static void assertHoldsNoSecret(String what, String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        for (String secret : secrets()) {
            if (!secret.startsWith("-----")) {
                assertThat(lower.contains(secret.toLowerCase(Locale.ROOT)))
                        .as(what + " holds " + secret)
                        .isFalse();
            }
        }
    }

    private void assertNoFileHoldsASecret() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.toList()) {
                assertHoldsNoSecret("a name", file.getFileName().toString());
                if (Files.isRegularFile(file)) {
                    assertHoldsNoSecret(file.toString(), Files.readString(file, StandardCharsets.ISO_8859_1));
                }
            }
        }
    }

    private static List<Entry> recordEverything(XMemStore store) {
        List<Entry> entries = new ArrayList<>();
        entries.add(store.recordFailure(Failure.of("tool " + PLANTED.get(0).filled(), all(), all())
                .patternAvoid(all())
                .triedAlso(each())
                .tags(tags())
                .sessionId(all())
                .notes(all())));
        entries.add(store.recordSuccess(Success.of("tool " + PLANTED.get(0).filled(), all())
                .action(all())
                .signature(all())
                .keySteps(each())
                .criticalParams(object())
                .tags(tags())
                .sessionId(all())));
        entries.add(store.writeNote(Note.of("note", all()).meta(object()).tags(tags())));
        entries.add(store.writeNote(Note.of("note " + PLANTED.get(0).filled(), "x")));
        String unknown =
                ",\"password\":\"swordfish-named\",\"pwd\":55512345,\"more\":" + object() + "," + object().substring(1);
        entries.addAll(store.recordAll(List.of(
                JsonDraft.of("{\"type\":\"tool_failure\",\"tool\":\"t\",\"error\":" + json(all()) + unknown),
                JsonDraft.of("{\"type\":\"tool_success\",\"tool\":\"t\",\"pattern_name\":" + json(all()) + unknown),
                JsonDraft.of("{\"type\":\"note\",\"content\":" + json(all()) + unknown))));
        return entries;
    }

    @Test
    void record_secretsInEveryField_noneIsAnywhereUnderTheStore() throws IOException {
        try (XMemStore store = XMem.open(folder)) {
            for (Entry entry : recordEverything(store)) {
                assertHoldsNoSecret("an entry", entry.json());
                assertHoldsNoSecret("an id", entry.id());
            }
            store.flush();
            assertThat(store.verify().findings()).isEmpty();
        }
        assertThat(PLANTED).hasSizeGreaterThan(20);
        assertNoFileHoldsASecret();
    }

    @Test
    void search_wordsAroundSecrets_areFound() {
        try (XMemStore store = XMem.open(folder)) {
            recordEverything(store);
            for (Planted planted : PLANTED) {
                for (String word : List.of(planted.word(), "end" + planted.word())) {
                    Page page = store.search(Query.literal(word).limit(70));
                    assertThat(page.matches()).as(word).isNotEmpty();
                    assertHoldsNoSecret("a page", page.text());
                }
            }
            assertHoldsNoSecret("the statistics", store.stats().text());
        }
    }

    @Test
    void record_onlyTheSecretDiffers_hashAndTextAreEqual() {
        try (XMemStore store = XMem.open(folder)) {
            for (Planted planted : PLANTED) {
                String other = planted.secret()
                        .replace("MII", "MIJ")
                        .replace("a1B2", "z9Y8")
                        .replace("sword", "sting")
                        .replace("0a1b", "9f8e");
                Failure one =
                        store.recordFailure(Failure.of("deploy", "run", "error: cannot connect: " + planted.filled()));
                Failure two = store.recordFailure(Failure.of(
                        "deploy",
                        "run",
                        "error: cannot connect: " + planted.filled().replace(planted.secret(), other)));
                assertThat(two.ctxHash()).isEqualTo(one.ctxHash());
                assertThat(two.error()).isEqualTo(one.error());
            }
        }
    }

    @Test
    void record_optionOfATool_isRedactedThoughTheActionLacksTheTool() throws IOException {
        try (XMemStore store = XMem.open(folder)) {
            ToolCall one = ToolCall.shell("mysql -u root -pswordfish-mysql shop");
            ToolCall two = ToolCall.shell("mysql -u root -pstingray shop");
            ToolError error = ToolError.exit(1, "ERROR 2002 (HY000): Can't connect to local MySQL server");
            Failure failure = store.recordFailure(Failure.of(one, error).patternAvoid("start the server first"));

            assertThat(failure.action()).isEqualTo("-u root -p[redacted:command-password] shop");
            assertThat(store.recordFailure(Failure.of(two, error)).ctxHash()).isEqualTo(failure.ctxHash());
            Advice advice = store.recall(two, error);
            assertThat(advice.text()).contains("start the server first");
            assertHoldsNoSecret("the advice", advice.text());
        }
        assertNoFileHoldsASecret();
    }

    @Test
    void record_escapesAroundASecret_areGoneBeforeItIsLookedFor() {
        try (XMemStore store = XMem.open(folder)) {
            Note note =
                    store.writeNote(Note.of("note", "\u001B[31mpass\u001B[0mword=sword\u200Bfish-env\u0007 \u202Eok"));

            assertThat(note.content()).isEqualTo("password=[redacted:password] ok");
        }
    }

    @Test
    void remember_secret_isRefusedAndNothingIsStored() throws IOException {
        try (XMemStore store = XMem.open(folder)) {
            for (Planted planted : PLANTED) {
                Throwable refused = catchThrowable(() ->
                        store.remember(Directive.rule(new Directive.Triple("deploys", "need", planted.filled()))));
                assertThat(refused).isInstanceOf(XMemException.Secret.class);
                assertHoldsNoSecret("a refusal", refused.toString());
            }
            Throwable named = catchThrowable(
                    () -> store.recordAll(
                            List.of(
                                    JsonDraft.of(
                                            "{\"triple\":{\"subject\":\"a\",\"predicate\":\"b\",\"object\":\"c\"},\"kind\":\"rule\",\"password\":\"swordfish-named\"}"))));
            assertThat(named).isInstanceOf(XMemException.Secret.class);
            assertThat(store.search(Query.all()).total()).isZero();
        }
        assertNoFileHoldsASecret();
    }

    @Test
    void record_malformed_messageHoldsNoSecret() {
        try (XMemStore store = XMem.open(folder)) {
            for (Planted planted : PLANTED) {
                String text = json(planted.filled());
                for (String line : List.of(
                        "{\"type\":" + text + "}",
                        "{\"type\":\"note\",\"content\":" + text + ",}",
                        "{\"type\":\"note\",\"content\":swordfish-named}",
                        "{\"type\":\"note\",\"content\":\"x\",\"id\":" + text + ",\"tags\":" + text + "}",
                        "{\"type\":\"tool_failure\",\"tool\":\"t\",\"error\":\"x\",\"id\":" + text + "}",
                        "{\"type\":\"tool_failure\",\"tool\":\"t\",\"error\":\"x\",\"ts\":" + text + "}",
                        "{\"type\":\"tool_failure\",\"tool\":\"t\",\"error\":\"x\",\"ctx_hash\":" + text + "}",
                        "{\"type\":\"tool_failure\",\"tool\":\"t\",\"error\":\"x\",\"block_level\":" + text + "}",
                        planted.filled())) {
                    Throwable thrown = catchThrowable(() -> store.recordAll(List.of(JsonDraft.of(line))));
                    assertThat(thrown).as(line).isInstanceOf(XMemException.class);
                    assertHoldsNoSecret("a message", thrown.toString());
                }
            }
        }
    }
}
