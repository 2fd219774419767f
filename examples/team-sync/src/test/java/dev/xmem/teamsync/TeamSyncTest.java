package dev.xmem.teamsync;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TeamSyncTest {
    @Test
    void run_twoStoresAndOneRepository_secondGetsAdvice(@TempDir Path folder) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        boolean told = TeamSync.run(folder, new PrintStream(out, true, StandardCharsets.UTF_8));
        assertThat(told).isTrue();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("Check the remote's name", "rclone-sync-config-not-found");
    }

    @Test
    void folderThatCannotBeUsed_isSaid(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "");
        ByteArrayOutputStream out = new ByteArrayOutputStream();

        int code = TeamSync.start(file.resolve("team"), new PrintStream(out, true, StandardCharsets.UTF_8));

        assertThat(code).isEqualTo(1);
        assertThat(out.toString(StandardCharsets.UTF_8))
                .startsWith("The folder " + file)
                .doesNotContain("recorded");
    }
}
