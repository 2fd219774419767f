package dev.xmem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** {@code xmem promote}: which successes become rules, and where the rules are stored. */
class PromoteSubcommandTest extends ProjectFixture {
    private static final String PROVEN =
            "{\"type\":\"tool_success\",\"tool\":\"git\",\"pattern_name\":\"Atomic commits\","
                    + "\"key_steps\":[\"Stage specific files\"],\"confidence\":0.95,\"usage_count\":12,\"tags\":[\"commit\"]}\n"
                    + "{\"type\":\"tool_success\",\"tool\":\"git\",\"pattern_name\":\"Rebase\",\"usage_count\":1}\n";

    @Test
    void promote_provenSuccess_storesRuleInStore() throws IOException {
        String store = folder.resolve("store").toString();
        String[] ids = recorded(store);

        assertThat(in("stats", "--store", store).out()).endsWith("Can be promoted to rules: " + ids[0] + "\n");
        assertThat(in("stats", "--json", "--store", store).out()).contains("\"promotable\":[\"" + ids[0] + "\"]");

        Xmem run = in("promote", ids[0], "--store", store);

        assertThat(in("stats", "--store", store).out()).doesNotContain("promoted");
        assertThat(run.code()).isZero();
        assertThat(run.out()).contains("local", "Atomic commits");
        assertThat(folder.resolve("store/data/memories.ndjson")).content().contains("\"kind\":\"rule\"", "commit");
        assertThat(local).doesNotExist();
    }

    @Test
    void promote_storeFromEnvironment_storesRuleInProject() {
        String store = folder.resolve("store").toString();
        String[] ids = recorded(store);
        Environment named = new Environment(
                Map.of("HOME", project.resolveSibling("home").toString(), "XMEM_STORE", store), folder, project, false);

        Xmem run = Xmem.in(named, "", "promote", ids[0], "--json");

        assertThat(run.out()).contains("\"scope\":\"local\",\"kind\":\"rule\",\"canonical\":\"git: Atomic commits");
        assertThat(local).content().contains("Atomic commits");
        assertThat(in("directives").out()).contains("Atomic commits");
        assertThat(Xmem.in(named, "", "verify").code()).isZero();
    }

    @Test
    void promote_notProvenOrUnknown_isRefused() {
        String store = folder.resolve("store").toString();
        String[] ids = recorded(store);

        assertThat(in("promote", ids[1], "--store", store)).satisfies(run -> {
            assertThat(run.code()).isEqualTo(Main.REFUSED);
            assertThat(run.err()).contains("must be that of a proven success");
        });
        assertThat(in("promote", "2001-01-01-001", "--store", store).code()).isEqualTo(Main.REFUSED);
        assertThat(in("promote", "x", "--store", store + "2").code()).isEqualTo(Main.FAILED);
        assertThat(in("promote", "--store", store).err()).contains("ID");
    }

    private String[] recorded(String store) {
        return Xmem.in(environment, PROVEN, "record", "--store", store).lines().stream()
                .map(line -> line.substring(7, line.indexOf('"', 7)))
                .toArray(String[]::new);
    }
}
