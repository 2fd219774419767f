package dev.xmem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code xmem remember} and {@code directives}: where directives are stored, confirmations and refusals. */
class DirectiveCommandsTest extends ProjectFixture {
    @Test
    void remember_sentencesOfSkill_areStoredInItsFiles() throws IOException {
        Xmem first = in("remember", "add to memory that never run build repeatedly because it is heavy");
        Xmem second = in("remember", "global: add to memory that I prefer pnpm");

        assertThat(first.code() + second.code()).isZero();
        assertThat(first.lines()).singleElement().asString().contains("local", "run build repeatedly");
        assertThat(second.lines()).singleElement().asString().contains("global", "pnpm");
        assertThat(Files.readAllLines(local))
                .singleElement()
                .asString()
                .contains("\"scope\":\"local\"", "\"kind\":\"rule\"", "\"subject\":\"run build repeatedly\"");
        assertThat(Files.readAllLines(global))
                .singleElement()
                .asString()
                .contains("\"scope\":\"global\"", "\"kind\":\"preference\"", "\"strength\":1");
    }

    @Test
    void remember_twoSentences_areTwoDirectives() throws IOException {
        Xmem run = in("remember", "always use pnpm. Never use npm.");

        assertThat(run.lines())
                .containsExactly("Remembered (local): Always use pnpm", "Remembered (local): Never use npm");
        assertThat(Files.readAllLines(local)).hasSize(2);
    }

    @Test
    void remember_ruleAgainstConstraint_saysThatItLost() {
        in("remember", "must never push to main");

        assertThat(in("remember", "always push to main").out())
                .contains("does not hold", "\"Must never push to main\"", "a constraint wins");
        assertThat(in("remember", "always push to main", "--json").out()).contains("\"conflict\":");
    }

    @Test
    void remember_secretByItsPlace_isRefused() {
        Xmem run = in("remember", "always log in as root with s3cr3t");

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err())
                .contains("name the variable or the file that holds it")
                .doesNotContain("s3cr3t");
    }

    @Test
    void remember_severalArguments_areOneSentenceAndStrengthen() throws IOException {
        in("remember", "never run build repeatedly");

        Xmem again = in("remember", "Never", "run", "build", "repeatedly", "--tag", "build", "--tag=ci", "--json");

        assertThat(again.out())
                .matches("\\{\"id\":\"\\d{4}-\\d\\d-\\d\\d-001\",\"scope\":\"local\",\"kind\":\"rule\","
                        + "\"canonical\":\"Never run build repeatedly\",\"strength\":2,"
                        + "\"dedupe_key\":\"run build repeatedly\\|is\\|forbidden\"}\n");
        assertThat(Files.readAllLines(local)).hasSize(2).last().asString().contains("\"tags\":[\"build\",\"ci\"]");
    }

    @Test
    void remember_createsOneDirectoryThatGitIgnores() throws IOException {
        in("remember", "never push on Fridays");

        try (Stream<Path> beside = Files.list(local.getParent())) {
            assertThat(beside.map(p -> p.getFileName().toString()))
                    .containsExactlyInAnyOrder("memories.ndjson", ".memories.ndjson.xmem");
        }
        assertThat(local.resolveSibling(".memories.ndjson.xmem/.gitignore")).hasContent("*");
    }

    @Test
    void remember_triple_withKindSentenceAndScope() throws IOException {
        Xmem run = in(
                "remember",
                "--subject",
                "deploys",
                "--predicate",
                "need",
                "--object",
                "a green pipeline",
                "--kind",
                "constraint",
                "--canonical",
                "Deploy only what is green",
                "--global",
                "--json");

        assertThat(run.out())
                .contains("\"scope\":\"global\",\"kind\":\"constraint\",\"canonical\":\"Deploy only what is green\"");
        assertThat(global).content().contains("\"object\":\"a green pipeline\"");
        assertThat(local).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"never deploy today", "the build is heavy"})
    void remember_invalidSentence_isRefusedAndNotStored(String sentence) {
        Xmem run = in("remember", sentence);
        Xmem json = in("--json", "remember", sentence);

        assertThat(run.code()).isEqualTo(Main.REFUSED);
        assertThat(run.out()).isEmpty();
        assertThat(run.errors()).singleElement().asString().startsWith("xmem: ");
        assertThat(json.err()).startsWith("{\"error\":\"");
        assertThat(local)
                .satisfiesAnyOf(
                        file -> assertThat(file).doesNotExist(),
                        file -> assertThat(file).isEmptyFile());
    }

    @Test
    void remember_secret_isNotStored() throws IOException {
        Xmem run = in("remember", "never log in with password=hunter2hunter2", "--json");

        assertThat(run.out() + run.err()).isNotEmpty().doesNotContain("hunter2");
        try (Stream<Path> files = Files.walk(project).filter(Files::isRegularFile)) {
            assertThat(files)
                    .allSatisfy(file -> assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
                            .doesNotContain("hunter2"));
        }
    }

    @Test
    void remember_invalidCommandLine_saysWhatToGive() {
        assertThat(in("remember").err()).startsWith("xmem: nothing to remember: ");
        assertThat(in("remember", "--subject", "x").err()).contains("--subject, --predicate and --object");
        assertThat(in("remember", "never x", "--kind", "rule").err()).contains("not both");
        Xmem kind = in("remember", "--subject=a", "--predicate=b", "--object=c", "--kind=law");
        assertThat(kind.err()).contains("--kind must be rule, preference or constraint, not law");
    }

    @Test
    void directives_areRankedForPrompt() {
        in("remember", "I prefer pnpm", "--tag", "frontend", "--global");
        in("remember", "never run build repeatedly");
        in("remember", "never run build repeatedly");
        in("remember", "must never push to main");

        assertThat(in("directives").lines()).satisfies(lines -> {
            assertThat(lines).hasSize(8).first().asString().startsWith("Found 3 entries");
            assertThat(lines.get(1)).startsWith("[xmem ").endsWith("] what users decided");
            assertThat(lines.get(4)).contains("push to main");
            assertThat(lines.get(5)).contains("run build repeatedly", "strength 2");
            assertThat(lines.get(6)).contains("pnpm", "global");
        });
        assertThat(in("directives", "build", "the", "frontend", "--limit", "1").out())
                .contains("pnpm")
                .doesNotContain("push to main");
        assertThat(in("directives", "--json").lines())
                .singleElement()
                .asString()
                .startsWith("{\"results\":[{\"id\":")
                .contains("\"total\":3");
    }

    @Test
    void directives_none_printsNoticeAndCreatesNothing() {
        Xmem run = in("directives");

        assertThat(run.code()).isZero();
        assertThat(run.out()).contains("0 entries");
        assertThat(project.resolve("docs")).doesNotExist();
        assertThat(global.getParent()).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "71", "x"})
    void directives_limitOutOfRange_isReported(String limit) {
        Xmem run = in("directives", "--limit", limit);

        assertThat(run.code()).isEqualTo(Main.FAILED);
        assertThat(run.err()).contains("--limit", limit);
    }

    @Test
    void store_containsBothScopes() throws IOException {
        String store = folder.resolve("store").toString();

        in("--store", store, "remember", "never run build repeatedly");
        in("remember", "global: I prefer pnpm", "--store", store);

        assertThat(Files.readAllLines(folder.resolve("store/data/memories.ndjson")))
                .hasSize(2);
        assertThat(local).doesNotExist();
        assertThat(global).doesNotExist();
        assertThat(in("directives", "--store", store).out()).contains("run build", "pnpm");
    }
}
