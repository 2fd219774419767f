package dev.xmem.core.adapters;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Real processes with a real memory beside them. */
class GuardedProcessTest {
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    private final XMemStore store =
            XMem.inMemoryBuilder().guardLimit(Duration.ofSeconds(60)).open();

    @AfterEach
    void close() {
        store.close();
    }

    private long failures() {
        store.flush();
        return store.stats().failures();
    }

    /** A program that works. */
    static final class Started {
        private Started() {}

        public static void main(String[] args) {
            System.out.println("started");
        }
    }

    @Test
    void process_failsAndThenWorks_theNextSessionReadsWhatWorked() throws Exception {
        String classes = Path.of(Started.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI())
                .toString();
        GuardedProcess monday = new GuardedProcess(store.guard(), "monday");
        assertThat(monday.run(List.of(JAVA, "-cp", "nowhere", Started.class.getName())))
                .doesNotContain(classes);
        assertThat(monday.run(List.of(JAVA, "-version"))).doesNotContain("started");
        assertThat(monday.run(List.of(JAVA, "-cp", classes, Started.class.getName())))
                .contains("started");
        store.flush();
        GuardedProcess tuesday = new GuardedProcess(store.guard(), "tuesday");
        assertThat(tuesday.run(List.of(JAVA, "-cp", "out", "org.shop.Server")))
                .contains("org.shop.Server")
                .contains("worked:")
                .contains(classes);
        assertThat(failures()).isEqualTo(2);
    }

    @Test
    void process_isNoProgram_isRemembered() throws InterruptedException {
        String shown = new GuardedProcess(store.guard(), "s").run(List.of("no-such-program-anywhere", "--now"));
        assertThat(shown).contains("no-such-program-anywhere");
        new GuardedProcess(store.guard(), "s").run(List.of(JAVA, "-version"));
        assertThat(failures()).isOne();
    }
}
