package dev.xmem.hooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.xmem.testing.LockHolder;
import dev.xmem.testing.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Events whose effects are not written when the agent needs its answer: a locked store, and a resident that died. */
class UnansweredIT extends HookScriptCase {
    private static final int OTHER_USER = 65_534;

    @Test
    void storeIsLocked_withoutResident_isTold_andRecordedOnceLater() throws Exception {
        HookScript.recordFix(hook.store);
        hook.with("XMEM_RESIDENT", "off").run(HookScript.failure("monday", "left-pad"));
        try (LockHolder holder = new LockHolder(hook.store.resolve(".xmem/lock"))) {
            Programs.Result told =
                    hook.run(hook.store, HookScript.failure("tuesday", "left-pad"), "--agent", "copilot");

            assertThat(told.exitCode()).as("which the dialect asks for").isEqualTo(2);
            assertThat(told.out()).contains("seen 1×");
            assertThat(holder.isHeld()).isTrue();
            assertThat(hook.recorded()).hasSize(1);
        }
        HookScript.await(() -> hook.processes().isEmpty());

        assertThat(hook.recorded()).hasSize(2);
        assertThat(hook.run(HookScript.failure("wednesday", "left-pad")).out()).contains("seen 2×");
    }

    @Test
    void storeIsLocked_withResident_isTold_andRecordedOnceLater() throws Exception {
        HookScript.recordFix(hook.store);
        hook.leaveResident();
        hook.run(HookScript.failure("monday", "left-pad"));
        try (LockHolder holder = new LockHolder(hook.store.resolve(".xmem/lock"))) {
            assertThat(hook.run(HookScript.failure("tuesday", "left-pad")).out())
                    .contains("seen 1×");
            assertThat(holder.isHeld()).isTrue();
            assertThat(hook.recorded()).hasSize(2);
        }
        HookScript.await(() -> count() == 3 && hook.late().isEmpty());

        assertThat(hook.run(HookScript.failure("wednesday", "left-pad")).out()).contains("seen 2×");
    }

    @Test
    @Tag("soak")
    void storeIsLocked_residentIsKilledAfterItsAnswers_eachIsRecordedOnceLater() throws Exception {
        HookScript.recordFix(hook.store);
        hook.leaveResident();
        hook.run(HookScript.failure("monday", "left-pad"));
        try (LockHolder holder = new LockHolder(hook.store.resolve(".xmem/lock"))) {
            for (String session : List.of("tuesday", "wednesday")) {
                assertThat(hook.run(HookScript.failure(session, "left-pad")).out())
                        .contains("seen 1×");
            }
            for (ProcessHandle resident : hook.residents()) {
                HookScript.signal("KILL", resident.pid());
            }
            assertThat(holder.isHeld()).isTrue();
            assertThat(hook.recorded()).hasSize(2);
        }
        HookScript.await(() -> hook.late().isEmpty());

        assertThat(hook.recorded()).hasSize(4);
        assertThat(hook.run(HookScript.failure("thursday", "left-pad")).out()).contains("seen 3×");
    }

    @Test
    @Tag("soak")
    void storeIsLocked_residentEndsBecauseItIsIdle_eventIsRecordedLater() throws Exception {
        hook.with("XMEM_RESIDENT_IDLE", "3").leaveResident();
        try (LockHolder holder = new LockHolder(hook.store.resolve(".xmem/lock"))) {
            hook.run(HookScript.failure("monday", "left-pad"));
            HookScript.await(() -> hook.residents().isEmpty());
            assertThat(hook.residents()).isEmpty();
            assertThat(hook.late()).hasSize(1);
            assertThat(holder.isHeld()).isTrue();
            assertThat(hook.recorded()).hasSize(1);
        }
        HookScript.await(() -> hook.late().isEmpty());

        assertThat(hook.recorded()).hasSize(2);
    }

    private int count() {
        try {
            return hook.recorded().size();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Handles an event by a process whose answer is lost, and again by a hook that asked it in vain. */
    private Programs.Result twice(String event) throws Exception {
        List<String> program =
                List.of(Programs.JAVA, "-jar", HookScript.JAR.toString(), "--store", hook.store.toString());
        Map<String, String> alone = Map.of("XMEM_RESIDENT", "off");
        Process ended = new ProcessBuilder(Programs.JAVA, "-version")
                .redirectErrorStream(true)
                .start();
        ended.getInputStream().readAllBytes();
        ended.waitFor();
        Programs.run(folder, program, event, alone);
        List<String> again = List.of(
                Programs.JAVA,
                "-Dxmem.hook.unanswered=" + ended.pid() + " 1",
                "-jar",
                HookScript.JAR.toString(),
                "--store",
                hook.store.toString());
        return Programs.run(folder, again, event, alone);
    }

    @Test
    void residentDied_afterItCountedARepeat_theRepeatIsCountedOnce() throws Exception {
        hook.with("XMEM_RESIDENT", "off").run(HookScript.failure("monday", "left-pad", "toolu-0123456789-1", ""));
        Files.writeString(
                hook.store.resolve("data/failures.jsonl"),
                aged(Files.readString(hook.store.resolve("data/failures.jsonl"))));

        Programs.Result second = twice(HookScript.failure("monday", "left-pad", "toolu-0123456789-2", ""));
        Programs.Result third = hook.run(HookScript.failure("monday", "left-pad", "toolu-0123456789-3", ""));

        assertThat(second.out()).contains("second time in this session");
        assertThat(third.out()).contains("third time in this session");
        assertThat(hook.recorded()).hasSize(1);
    }

    /** The line as if it had been recorded before the hook began. */
    private static String aged(String line) {
        return line.replaceFirst("\"ts\":\"\\d{4}", "\"ts\":\"2025");
    }

    @Test
    void residentDied_afterItRecordedAFix_theFixIsRecordedOnce() throws Exception {
        String call = "{\"session_id\":\"monday\",\"hook_event_name\":\"%s\",\"tool_name\":\"Bash\","
                + "\"tool_input\":{\"command\":\"%s\"},\"tool_use_id\":\"toolu-0123456789-%s\",%s}";
        hook.with("XMEM_RESIDENT", "off")
                .run(call.formatted(
                        "PostToolUseFailure",
                        "git push origin topic",
                        "1",
                        "\"error\":\"Exit code 128\\nfatal: The current branch topic has no upstream branch.\""));
        String fix = call.formatted(
                "PostToolUse",
                "git push -u origin topic",
                "2",
                "\"tool_response\":{\"stdout\":\"branch 'topic' set up to track 'origin/topic'.\",\"stderr\":\"\"}");

        twice(fix);

        Path successes = hook.store.resolve("data/successes.jsonl");
        assertThat(Files.readAllLines(successes)).hasSize(1);
    }

    @Test
    void residentDied_afterASlashCommand_theCommandRunsOnce() throws Exception {
        String command = "{\"session_id\":\"monday\",\"hook_event_name\":\"UserPromptSubmit\","
                + "\"prompt\":\"/xmem:record failure tool=npm action=install error=E404\"}";

        twice(command);

        assertThat(hook.recorded()).hasSize(1);
    }

    @Test
    void fileOfAResident_ofAnotherUser_isNotBelieved() throws Exception {
        assumeTrue(isRoot(), "only root can give a file to another user");
        ResidentFile file = hook.leaveResident();
        Path slot = folder.resolve(".cache/xmem/residents").resolve(file.slot());
        for (Path path : List.of(ResidentFile.path(hook.store), slot)) {
            Files.setAttribute(path, "unix:uid", OTHER_USER);
            assertThat(hook.startsJava(hook.store, HookScript.failure("monday", "x")))
                    .as(path.toString())
                    .isTrue();
            Files.setAttribute(path, "unix:uid", 0);
            assertThat(hook.startsJava(hook.store, HookScript.failure("tuesday", "x")))
                    .isFalse();
        }
    }

    @Test
    void store_thatIsReadOnly_isTold_andNothingIsWritten() throws Exception {
        HookScript.recordFix(hook.store);
        hook.with("XMEM_RESIDENT", "off").run(HookScript.failure("monday", "left-pad"));
        List<String> command = new java.util.ArrayList<>();
        if (isRoot()) {
            assumeTrue(Files.isExecutable(Path.of("/usr/bin/setpriv")), "no setpriv to run as another user");
            String user = Integer.toString(OTHER_USER);
            command.addAll(List.of("setpriv", "--reuid", user, "--regid", user, "--clear-groups"));
        }
        command.addAll(List.of("sh", HookScript.SCRIPT.toString(), hook.store.toString()));
        modes("r-xr-xr-x", "r--r--r--");
        try {
            Map<String, String> variables = Map.of("XMEM_JAR", HookScript.JAR.toString(), "HOME", "/nonexistent");
            Programs.Result told = Programs.run(folder, command, HookScript.failure("tuesday", "left-pad"), variables);

            assumeTrue(!told.err().contains("Permission denied") && !told.err().contains("cannot open"), told.err());
            assertThat(told.exitCode()).isZero();
            assertThat(told.out()).contains("seen 1×");
            assertThat(hook.recorded()).hasSize(1);
        } finally {
            modes("rwxr-xr-x", "rw-r--r--");
        }
    }

    /** Sets the modes of the folders and the files of the store, which other users reach. */
    private void modes(String ofFolders, String ofFiles) throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        try (Stream<Path> files = Files.walk(hook.store)) {
            for (Path file : files.toList()) {
                String mode = Files.isDirectory(file) ? ofFolders : ofFiles;
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
            }
        }
    }

    private static boolean isRoot() throws IOException {
        return Files.exists(Path.of("/proc/self"))
                && Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    }
}
