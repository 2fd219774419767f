package dev.xmem.hooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xmem.testing.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The cache of the user: nothing is written or believed where another user could have put a file or a link. */
class UserFolderTest {
    @TempDir
    Path folder;

    private static void mode(Path file, String mode) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    }

    /** A folder that belongs to another user, for root one that was given away. */
    private Path foreign() throws IOException {
        boolean root = UserFolder.owner(folder).equals(0);
        if (root) {
            Path given = Files.createDirectory(folder.resolve("foreign"));
            mode(given, "rwxr-xr-x");
            return Files.setAttribute(given, "unix:uid", 12_345);
        }
        return Path.of("/usr");
    }

    @Test
    void create_isPrivate_alsoAboveIt() throws IOException {
        Path created = UserFolder.create(folder.resolve("cache/xmem"));
        for (Path each : new Path[] {created, created.getParent()}) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(each)))
                    .isEqualTo("rwx------");
        }
        mode(created, "rwxr-xr-x");
        assertThat(UserFolder.create(created)).isEqualTo(created);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rwxrwxr-x", "rwxrwxrwx", "rwx----w-"})
    void create_thatOthersCanWrite_isRefused(String mode) throws IOException {
        mode(folder, mode);
        assertThatThrownBy(() -> UserFolder.create(folder)).hasMessageContaining("no other user can write");
    }

    @Test
    void create_ofAnotherUser_orALink_isRefused() throws IOException {
        Path foreign = foreign();
        assertThatThrownBy(() -> UserFolder.create(foreign)).isInstanceOf(IOException.class);
        Path link = Files.createSymbolicLink(folder.resolve("link"), Files.createDirectory(folder.resolve("own")));
        assertThatThrownBy(() -> UserFolder.create(link)).isInstanceOf(IOException.class);
    }

    /** Runs the script with a stand-in for java; returns the arguments that it gets. */
    private String arguments(Path cache) throws Exception {
        Path java = Files.createDirectories(folder.resolve("bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
        mode(java, "rwx------");
        String path = java.getParent() + ":" + System.getenv("PATH");
        Map<String, String> variables =
                Map.of("PATH", path, "XDG_CACHE_HOME", cache.toString(), "XMEM_JAR", HookScript.JAR.toString());
        return Programs.run(
                        folder,
                        List.of(
                                "sh",
                                HookScript.SCRIPT.toString(),
                                folder.resolve("s").toString()),
                        "{}",
                        variables)
                .out();
    }

    @Test
    void script_takesNoArchiveFromAFolderThatOthersCanWrite() throws Exception {
        Path xmem = UserFolder.create(folder.resolve("cache/xmem"));
        String pointer = arguments(xmem.getParent()).replaceAll("(?s).*-Dxmem.hook.archive=(\\S+).*", "$1");
        Path archive = Files.writeString(folder.resolve("archive"), "x");
        String sum = Programs.run(folder, List.of("sh", "-c", "cksum <" + archive), "")
                .out()
                .strip();
        Files.writeString(Path.of(pointer), sum + "\n" + archive + "\n");
        assertThat(arguments(xmem.getParent())).contains("-XX:SharedArchiveFile=" + archive);

        for (String mode : new String[] {"rwxrwxr-x", "rwxr-xrwx"}) {
            mode(xmem, mode);
            assertThat(arguments(xmem.getParent()))
                    .as(mode)
                    .contains("HookProgram")
                    .doesNotContain("rchive");
        }
        mode(xmem, "rwxr-xr-x");
        Path link = Files.createDirectory(folder.resolve("linked"));
        Files.createSymbolicLink(link.resolve("xmem"), xmem);
        assertThat(arguments(link)).contains("HookProgram").doesNotContain("rchive");
        if (UserFolder.owner(folder).equals(0)) {
            Files.setAttribute(xmem, "unix:uid", 12_345);
            assertThat(arguments(xmem.getParent())).contains("HookProgram").doesNotContain("rchive");
        }
    }

    /** The clock of {@link System#nanoTime} may be negative. */
    @Test
    void turn_isNeverNegative() {
        for (long nanos : new long[] {-3, -8, Long.MIN_VALUE, Long.MAX_VALUE, 0, 13}) {
            assertThat(HookTurn.turn(nanos)).isBetween(0, 7);
        }
    }
}
