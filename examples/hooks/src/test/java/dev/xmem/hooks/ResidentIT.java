package dev.xmem.hooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.xmem.testing.Programs;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The script, the resident that it leaves behind, and the cases in which it must answer by itself. */
class ResidentIT extends HookScriptCase {
    @Test
    void firstHook_leavesResident_thatAnswersTheNext() throws Exception {
        HookScript.recordFix(hook.store);
        ResidentFile file = hook.leaveResident();

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(ResidentFile.path(hook.store))))
                .isEqualTo("rw-------");
        assertThat(hook.startsJava(hook.store, HookScript.failure("monday", "left-pad")))
                .isFalse();
        assertThat(hook.recorded()).hasSize(2);
        Programs.Result told = hook.run(HookScript.failure("tuesday", "left-pad"));
        assertThat(told.exitCode()).isZero();
        assertThat(told.out()).contains("seen 1×", "additionalContext").endsWith("}\n");
        assertThat(hook.residents())
                .singleElement()
                .extracting(ProcessHandle::pid)
                .isEqualTo(file.pid());
    }

    @Test
    void resident_andProgram_answerAlike() throws Exception {
        hook.leaveResident();
        HookScript alone = new HookScript(folder).with("XMEM_RESIDENT", "off");
        for (String event : List.of("", "what?", "[]", "{\"hook_event_name\":\"SessionEnd\"}", "{\"a\":\"\u00e4\"}")) {
            assertThat(hook.run(event)).isEqualTo(alone.run(event));
        }
        String event = HookScript.failure("x", "y");
        assertThat(hook.run(hook.store, event, "--no-such", "ö"))
                .isEqualTo(alone.run(hook.store, event, "--no-such", "ö"));
    }

    @Test
    void firstHook_resident_holdsNoneOfItsDescriptors() throws Exception {
        ProcessBuilder builder = new ProcessBuilder("sh", HookScript.SCRIPT.toString(), hook.store.toString());
        Programs.environment(builder.environment(), folder);
        builder.environment().putAll(hook.variables());
        Process process = builder.start();
        try (OutputStream in = process.getOutputStream()) {
            in.write(HookScript.failure("monday", "x").getBytes(StandardCharsets.UTF_8));
        }
        // The ends of the pipes are closed as soon as the hook has ended, though the resident lives.
        process.getInputStream().readAllBytes();
        process.getErrorStream().readAllBytes();
        assertThat(process.waitFor()).isZero();
        HookScript.await(() -> ResidentFile.read(hook.store) != null);

        Path descriptors =
                Path.of("/proc", Long.toString(hook.residents().get(0).pid()), "fd");
        if (Files.isDirectory(descriptors)) {
            List<String> targets = new ArrayList<>();
            for (String standard : List.of("0", "1", "2")) {
                targets.add(
                        Files.readSymbolicLink(descriptors.resolve(standard)).toString());
            }
            assertThat(targets).containsOnly("/dev/null");
            try (Stream<Path> links = Files.list(descriptors)) {
                for (Path link : links.toList()) {
                    String target =
                            Files.exists(link) ? Files.readSymbolicLink(link).toString() : "";
                    assertThat(target).doesNotStartWith("pipe:");
                }
            }
        }
    }

    @Test
    void event_ofManyParts_isAnswered() throws Exception {
        hook.leaveResident();
        String long1 = HookScript.failure("s", "large", "t1", "x".repeat(300_000));
        String long2 = HookScript.failure("t", "larger", "t2", "x".repeat(2_000_000));

        assertThat(hook.startsJava(hook.store, long1)).isFalse();
        assertThat(hook.startsJava(hook.store, long2)).as("above the limit").isTrue();
        assertThat(hook.run(long2).exitCode()).isZero();

        assertThat(hook.recorded()).hasSize(3);
    }

    @Test
    void event_argumentsWithSpaces_arePassedOn() throws Exception {
        hook.leaveResident();

        Programs.Result result = hook.run(hook.store, HookScript.failure("s", "x"), "an argument", "b");

        assertThat(result.err()).contains("an argument");
    }

    @Test
    void resident_stopped_answersByItself_andNothingTwice() throws Exception {
        HookScript.recordFix(hook.store);
        ResidentFile file = hook.leaveResident();
        HookScript.signal("STOP", file.pid());

        hook.run(HookScript.failure("monday", "left-pad"));
        HookScript.signal("CONT", file.pid());

        assertThat(hook.recorded()).hasSize(2);
        assertThat(hook.run(HookScript.failure("tuesday", "left-pad")).out()).contains("seen 1×");
    }

    @Test
    void resident_killed_answersByItself() throws Exception {
        ResidentFile file = hook.leaveResident();
        HookScript.signal("KILL", file.pid());
        HookScript.await(() -> hook.residents().isEmpty());

        assertThat(hook.startsJava(hook.store, HookScript.failure("monday", "left-pad")))
                .isTrue();
        hook.run(HookScript.failure("monday", "left-pad"));

        assertThat(hook.recorded()).hasSize(2);
    }

    @Test
    void resident_terminated_deletesItsFile() throws Exception {
        ResidentFile file = hook.leaveResident();

        HookScript.signal("TERM", file.pid());

        HookScript.await(() -> hook.residents().isEmpty());
        assertThat(ResidentFile.path(hook.store)).doesNotExist();
    }

    @Test
    void resident_idle_ends() throws Exception {
        hook.with("XMEM_RESIDENT_IDLE", "1").leaveResident();

        HookScript.await(() -> hook.residents().isEmpty());
        assertThat(ResidentFile.path(hook.store)).doesNotExist();
    }

    @Test
    void resident_jarIsReplaced_ends() throws Exception {
        Path jar = Files.copy(HookScript.JAR, folder.resolve("xmem-hook.jar"));
        hook.with("XMEM_JAR", jar.toString()).leaveResident();

        Files.setLastModifiedTime(jar, FileTime.fromMillis(1_000_000_000_000L));

        assertThat(hook.startsJava(hook.store, HookScript.failure("monday", "x")))
                .isTrue();
        HookScript.await(() -> hook.residents().isEmpty());
    }

    @Test
    void resident_ofAnotherJar_isNotAsked() throws Exception {
        hook.leaveResident();
        Path jar = Files.copy(HookScript.JAR, folder.resolve("xmem-hook.jar"));

        hook.with("XMEM_JAR", jar.toString());

        assertThat(hook.startsJava(hook.store, HookScript.failure("monday", "x")))
                .isTrue();
    }

    @Test
    void store_copied_isNotTheResidents() throws Exception {
        ResidentFile file = hook.leaveResident();
        Path copy = folder.resolve("copy");
        copy(hook.store, copy);

        assertThat(hook.startsJava(copy, HookScript.failure("monday", "x"))).isTrue();

        Path moved = Files.move(hook.store, folder.resolve("moved"));
        Files.move(copy, hook.store);
        assertThat(hook.startsJava(hook.store, HookScript.failure("monday", "x")))
                .isTrue();
        HookScript.await(() -> ProcessHandle.of(file.pid()).isEmpty());
        HookScript.delete(moved);
        assertThat(hook.recorded()).hasSize(1);
    }

    /** Another user who can write the cache could put a link there to a file of this user, such as one of a clone. */
    @Test
    void cache_withALink_confirmsNoResident() throws Exception {
        hook.leaveResident();
        Path residents = folder.resolve(".cache/xmem/residents");
        Path moved = Files.move(residents, folder.resolve("moved"));
        Files.createSymbolicLink(residents, moved);

        assertThat(hook.startsJava(hook.store, HookScript.failure("monday", "x")))
                .isTrue();
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file).toString()), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "no", "ready\nanswer 2 5 0\nbogus\n", "%s\nready\n"})
    void port_ofAnotherProcess_getsNoEvent(String says) throws Exception {
        ResidentFile file = hook.leaveResident();
        HookScript.signal("TERM", file.pid());
        HookScript.await(() -> hook.residents().isEmpty());
        Path slot = folder.resolve(".cache/xmem/residents").resolve(file.slot());
        StringBuilder heard = new StringBuilder();
        try (ServerSocket server = new ServerSocket(0, 10, InetAddress.getByName("127.0.0.1"))) {
            Thread thread = new Thread(() -> hear(server, says.formatted(file.clientSecret()), heard));
            thread.start();
            ResidentFile foreign = new ResidentFile(
                    file.kind(),
                    file.pid(),
                    server.getLocalPort(),
                    file.slot(),
                    file.folderKey(),
                    file.clientSecret(),
                    file.serverSecret(),
                    file.jar(),
                    file.folder());
            foreign.write();
            assertThat(hook.startsJava(hook.store, HookScript.failure("monday", "left-pad")))
                    .isTrue();
            assertThat(heard).as("the cache does not confirm the file").isEmpty();
            Files.writeString(slot, file.serverSecret() + "\n");

            assertThat(hook.startsJava(hook.store, HookScript.failure("monday", "left-pad")))
                    .isTrue();
            Programs.Result result = hook.run(HookScript.failure("monday", "left-pad"));

            assertThat(result).isEqualTo(new Programs.Result(0, "", ""));
            assertThat(heard.toString()).startsWith("xmem 1 ").doesNotContain("npm", "event", file.serverSecret());
        }
        assertThat(hook.recorded()).hasSize(2);
    }

    private static void hear(ServerSocket server, String says, StringBuilder heard) {
        while (!server.isClosed()) {
            try (Socket client = server.accept()) {
                client.getOutputStream().write(says.getBytes(StandardCharsets.UTF_8));
                client.setSoTimeout(5000);
                InputStream in = client.getInputStream();
                for (int next = in.read(); next >= 0; next = in.read()) {
                    heard.append((char) next);
                }
            } catch (IOException e) {
                // the client has gone
            }
        }
    }

    @Test
    void client_withoutSecret_getsNothing_andBlocksNobody() throws Exception {
        ResidentFile file = hook.leaveResident();
        List<Socket> silent = new ArrayList<>();
        try {
            for (int i = 0; i < 40; i++) {
                Socket socket = new Socket("127.0.0.1", file.port());
                silent.add(socket);
                if (i % 2 == 0) {
                    socket.getOutputStream().write("xmem 1 0123\n".getBytes(StandardCharsets.UTF_8));
                }
            }
            assertThat(hook.startsJava(hook.store, HookScript.failure("monday", "x")))
                    .isFalse();
            for (Socket socket : silent) {
                assertThat(socket.getInputStream().readAllBytes()).isEmpty();
            }
        } finally {
            for (Socket socket : silent) {
                socket.close();
            }
        }
    }

    private Programs.Result startResident(Map<String, String> variables) throws Exception {
        String program = ResidentProgram.class.getName();
        List<String> command = List.of(Programs.JAVA, "-cp", HookScript.JAR.toString(), program, hook.store.toString());
        return Programs.run(folder, command, "", variables);
    }

    @Test
    void secondResident_ofTheStore_ends() throws Exception {
        ResidentFile file = hook.leaveResident();

        Programs.Result second = startResident(Map.of());

        assertThat(second.exitCode()).isEqualTo(1);
        assertThat(second.out()).startsWith("Another process answers the hooks");
        assertThat(ResidentFile.read(hook.store)).isEqualTo(file);
    }

    /** A hook may start a resident for a store that is deleted before that process begins to work. */
    @Test
    void resident_ofAStoreThatHasGone_ends_andCreatesNone() throws Exception {
        Programs.Result ended = startResident(Map.of("XMEM_RESIDENT_IDLE", "1"));

        assertThat(ended.exitCode()).isEqualTo(1);
        assertThat(ended.out()).startsWith("The hooks of");
        assertThat(hook.store).doesNotExist();
    }

    @Test
    void ninthResident_ofTheUser_isNotStarted() throws Exception {
        Path residents = Files.createDirectories(folder.resolve(".cache/xmem/residents"));
        List<FileChannel> held = new ArrayList<>();
        try {
            for (int i = 1; i <= ResidentSlots.MAX_RESIDENTS; i++) {
                FileChannel slot = FileChannel.open(
                        residents.resolve("resident-" + i), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                assertThat(slot.tryLock()).isNotNull();
                held.add(slot);
            }
            hook.run(HookScript.failure("monday", "x"));
            assertThat(hook.residents()).isEmpty();
            assertThat(hook.store.resolve(".xmem/resident-started")).doesNotExist();
            held.remove(0).close();

            hook.leaveResident();
            assertThat(hook.residents()).hasSize(1);
        } finally {
            for (FileChannel slot : held) {
                slot.close();
            }
        }
    }

    @Test
    void home_missing_answersByItself() throws Exception {
        HookScript.recordFix(hook.store);
        hook.with("HOME", "/dev/null").run(HookScript.failure("monday", "left-pad"));

        assertThat(hook.run(HookScript.failure("tuesday", "left-pad")).out()).contains("seen 1×");
        assertThat(hook.residents()).isEmpty();
    }

    @Test
    void bash_missing_answersByItself() throws Exception {
        Path programs = Files.createDirectories(folder.resolve("programs"));
        Path sh = Path.of("/bin/dash");
        if (!Files.exists(sh)) {
            return; // a machine whose only shell is bash
        }
        for (String name : List.of("cksum", "cat")) {
            Files.createSymbolicLink(programs.resolve(name), Path.of("/usr/bin", name));
        }
        Files.createSymbolicLink(programs.resolve("java"), Path.of(Programs.JAVA));
        hook.with("PATH", programs.toString());
        List<String> command = List.of(sh.toString(), HookScript.SCRIPT.toString(), hook.store.toString());

        for (String session : List.of("monday", "tuesday")) {
            Programs.Result result =
                    Programs.run(folder, command, HookScript.failure(session, "left-pad"), hook.variables());
            assertThat(result.exitCode()).isZero();
            assertThat(result.err()).isEmpty();
        }

        assertThat(hook.recorded()).hasSize(2);
    }

    @Test
    void archive_isMade_andABrokenOneDoesNoHarm() throws Exception {
        HookScript.recordFix(hook.store);
        hook.with("XMEM_RESIDENT", "off");
        hook.run(HookScript.failure("monday", "left-pad"));
        HookScript.await(() -> hook.processes().isEmpty());
        Path cache = folder.resolve(".cache/xmem");
        Path archive = only(cache, ".jsa");
        byte[] whole = Files.readAllBytes(archive);
        assertThat(hook.run(HookScript.failure("tuesday", "left-pad")).out()).contains("seen 1×");
        assertThat(archive.toFile().setWritable(true)).isTrue();

        byte[] zeros = whole.clone();
        java.util.Arrays.fill(zeros, zeros.length / 3, zeros.length / 2, (byte) 0);
        byte[][] broken = {{}, {1, 2, 3}, java.util.Arrays.copyOf(whole, whole.length / 2), zeros, new byte[1 << 20]};
        for (int i = 0; i < broken.length; i++) {
            Files.write(archive, broken[i]);
            Programs.Result result = hook.run(HookScript.failure("again-" + i, "left-pad"));

            assertThat(result.exitCode()).isZero();
            assertThat(result.err()).isEmpty();
            assertThat(result.out()).startsWith("{\"hookSpecificOutput\"").contains("seen " + (i + 2) + "×");
        }
        Files.write(archive, whole);
        assertThat(hook.run(HookScript.failure("last", "left-pad")).out()).startsWith("{\"hookSpecificOutput\"");
    }

    /** The command java of a user leads to another version after an update. {@code -Dxmem.other.java} names a JDK. */
    @Test
    void archive_ofAnotherJava_doesNoHarm() throws Exception {
        String other = System.getProperty("xmem.other.java", "");
        assumeTrue(!other.isEmpty(), "name another JDK with -Dxmem.other.java");
        HookScript.recordFix(hook.store);
        Path programs = Files.createDirectories(folder.resolve("programs"));
        hook.with("XMEM_RESIDENT", "off").with("PATH", programs + ":" + System.getenv("PATH"));
        int seen = 0;
        for (Path java : List.of(Path.of(Programs.JAVA), Path.of(other, "bin", "java"), Path.of(Programs.JAVA))) {
            Files.deleteIfExists(programs.resolve("java"));
            Files.createSymbolicLink(programs.resolve("java"), java);
            for (int i = 0; i < 2; i++) {
                Programs.Result result = hook.run(HookScript.failure("session-" + seen, "left-pad"));

                assertThat(result.exitCode()).isZero();
                assertThat(result.err()).isEmpty();
                assertThat(result.out()).contains(seen == 0 ? "" : "seen " + seen + "×");
                seen++;
                HookScript.await(() -> hook.processes().isEmpty());
            }
        }
        only(folder.resolve(".cache/xmem"), ".jsa");
    }

    /** With the JVM options of the script. {@code -Dxmem.other.java} names a JDK from 24 on, if this one is older. */
    @Test
    void archive_sinceJdk24_isLinked() throws Exception {
        String other = System.getProperty("xmem.other.java", "");
        boolean isOther = Runtime.version().feature() < 24 && !other.isEmpty();
        Path java = isOther ? Path.of(other, "bin", "java") : Path.of(Programs.JAVA);
        String version = Programs.run(folder, List.of(java.toString(), "--version"), "")
                .out()
                .replaceFirst("(?s)\\S+ (\\d+).*", "$1");
        assumeTrue(
                Integer.parseInt(version) >= 24,
                "JDK " + version + " links no classes in an archive; name a newer one with -Dxmem.other.java");
        HookScript.recordFix(hook.store);
        Path programs = Files.createDirectories(folder.resolve("programs"));
        Path log = folder.resolve("jvm.log");
        Path logging = Files.writeString(programs.resolve("java"), """
                #!/bin/sh
                for each do
                    shift
                    [ "$each" != -Xlog:disable ] || each=-Xlog:aot,cds:file=%s
                    set -- "$@" "$each"
                done
                exec %s "$@"
                """.formatted(log, java));
        assertThat(logging.toFile().setExecutable(true)).isTrue();
        hook.with("XMEM_RESIDENT", "off").with("PATH", programs + ":" + System.getenv("PATH"));
        hook.run(HookScript.failure("monday", "left-pad"));
        HookScript.await(() -> hook.processes().isEmpty());
        only(folder.resolve(".cache/xmem"), ".jsa");

        Files.delete(log);
        assertThat(hook.run(HookScript.failure("tuesday", "left-pad")).out()).contains("seen 1×");
        assertThat(log).content().contains("Using AOT-linked classes: true");
    }

    private static Path only(Path folder, String suffix) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> like =
                    files.filter(file -> file.toString().endsWith(suffix)).toList();
            assertThat(like).hasSize(1);
            return like.get(0);
        }
    }

    @Test
    void disk_full_answersByItself() throws Exception {
        HookScript.recordFix(hook.store);
        hook.with("XMEM_RESIDENT", "off").run(HookScript.failure("monday", "left-pad"));
        String script = "ulimit -f 0; exec sh '" + HookScript.SCRIPT + "' '" + hook.store + "'";
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", script);
        Programs.environment(builder.environment(), folder);
        builder.environment().put("XMEM_JAR", HookScript.JAR.toString());
        Process process = builder.start();
        try (OutputStream in = process.getOutputStream()) {
            in.write(HookScript.failure("tuesday", "left-pad").getBytes(StandardCharsets.UTF_8));
        }
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
        assertThat(out).contains("seen 1×");
        HookScript.await(() -> hook.residents().isEmpty());
        assertThat(ResidentFile.path(hook.store)).doesNotExist();
    }
}
