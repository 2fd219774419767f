package dev.xmem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.core.XMem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The store of commands that name none is one: the project's if there is one, else the user's own. */
class FoundStoreTest extends ProjectFixture {
    private static final String[][] COMMANDS = {
        {"stats"},
        {"search", "x"},
        {"load", "x"},
        {"verify"},
        {"import", "--dry-run", "."},
        {"/xmem:stats"},
        {"why", "--last"}
    };

    private static final String NOTE = "{\"type\":\"note\",\"content\":\"%s\"}";

    @Test
    void command_noStore_saysSo() {
        assertThat(in("stats").err()).startsWith("xmem: no store: give --store DIR");
        assertThat(in("record").code()).isEqualTo(Main.FAILED);
    }

    @Test
    void command_userHasAStore_takesIt() {
        XMem.open(environment.userStore()).close();

        for (String[] command : COMMANDS) {
            assertThat(in(command).err()).as(command[0]).doesNotContain("no store");
        }
        assertThat(Xmem.in(environment, NOTE.formatted("thisone"), "record").code())
                .isEqualTo(Main.OK);
        assertThat(Xmem.run(
                                "search",
                                "thisone",
                                "--store",
                                environment.userStore().toString())
                        .out())
                .contains("thisone");
    }

    @Test
    void command_projectHasAStore_takesItBeforeTheUsers() throws IOException {
        Files.createFile(project.resolve(".git/HEAD"));
        Path store = project.resolve(".xmem-store");
        XMem.open(environment.userStore()).close();
        XMem.open(store).close();

        String told = "store: " + store;
        Xmem recorded = Xmem.in(environment, NOTE.formatted("thisone"), "record");
        assertThat(recorded.code()).isEqualTo(Main.OK);
        assertThat(recorded.err()).isEqualTo("{\"notice\":\"" + told + "\"}\n");
        for (String[] command : new String[][] {{"compact"}, {"/xmem:record failure --tool=x --error=y"}}) {
            assertThat(in(command).err()).as(command[0]).contains("xmem: " + told);
        }
        assertThat(in("compact", "--dry-run").err()).doesNotContain(told);
        assertThat(in("run", "sh", "-c", "exit 3").err()).contains(told);
        assertThat(in("run", "true").err()).doesNotContain(told);
        assertThat(in("compact", "--store", store.toString()).err()).doesNotContain(told);

        assertThat(Xmem.run("search", "thisone", "--store", store.toString()).out())
                .contains("thisone");
        Environment named = new Environment(
                Map.of("XMEM_STORE", environment.userStore().toString()), folder, environment.folder(), false);
        assertThat(Xmem.in(named, "", "search", "thisone").out()).doesNotContain("content: thisone");
    }
}
