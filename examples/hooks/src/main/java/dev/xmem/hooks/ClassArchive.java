package dev.xmem.hooks;

import dev.xmem.Failure;
import dev.xmem.Success;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.transcripts.LockedFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The class data archive with which a hook that answers by itself starts faster. It is named by the version of the JVM
 * and by the jar. A pointer, a file in the user's cache whose name the script computes, holds its checksum and path. A
 * process of its own creates both, so that no hook waits. Decision: docs/adr/0047-class-archive.md.
 */
final class ClassArchive {
    /** The system property with which the script names the pointer. */
    private static final String PROPERTY = "xmem.hook.archive";

    private static final String TRAIN = "--train";
    private static final int FAILURES = 1000;
    /** Lines that are not sealed. */
    private static final int TAIL = 20;

    /**
     * Since JDK 24 the classes and lambdas of an archive can be linked in it, which saves a hook a sixth of its time.
     * An older JVM is told to ignore the option.
     */
    private static final String LINKED = "-XX:+AOTClassLinking";

    private static final List<String> ERRORS = List.of(
            "fatal: The current branch main has no upstream branch.",
            "remote: Permission to acme/shop.git denied to kim.\nfatal: unable to access 'https://x.example/': error 403");
    private static final List<String> LESSONS = List.of(
            "git push -u origin HEAD",
            "Run `git push --set-upstream origin main`, never --force.",
            "Use `git push --force`; ask <kim> first.");
    private static final long RETRY_MILLIS = 600_000;
    private static final List<String> EVENTS =
            List.of("PostToolUseFailure", "PreToolUse", "PostToolUse", "UserPromptSubmit");
    private static final String EVENT = """
            {"session_id":"s","hook_event_name":"%s","tool_name":"Bash","tool_input":{"command":"git push"},\
            "prompt":"push it","error":"Exit code 128\\nfatal: The current branch main has no upstream branch.",\
            "tool_response":{"stdout":"%s","stderr":""}}""";
    private static final List<String> OUTPUTS = List.of("fatal: not a git repository", "Everything up-to-date");

    private ClassArchive() {}

    /** The maker, and with an argument the program whose classes are archived. */
    public static void main(String[] args) throws IOException, InterruptedException {
        Path pointer = pointer();
        if (args.length == 1 && args[0].equals(TRAIN)) {
            train();
        } else if (pointer != null) {
            create(pointer);
        }
    }

    /** Starts the maker unless there is an archive of this program, or a maker was started just now. */
    static void createIfMissing() throws IOException {
        Path pointer = pointer();
        if (pointer == null) {
            return;
        }
        UserFolder.create(Objects.requireNonNull(pointer.getParent()));
        Path archive = archive(pointer);
        Path tried = pointer.resolveSibling(pointer.getFileName() + ".lock");
        boolean known = Files.exists(archive) && Files.exists(pointer) && isPointer(pointer, archive);
        if (!known && UserFolder.touchIfOlder(tried, RETRY_MILLIS)) {
            List<String> options = List.of("-Xmx32m", "-D" + PROPERTY + '=' + pointer);
            ResidentStarter.start(ResidentStarter.command(options, ClassArchive.class));
        }
    }

    private static @Nullable Path pointer() {
        String pointer = System.getProperty(PROPERTY);
        return pointer == null || !pointer.startsWith("/") ? null : Path.of(pointer);
    }

    private static boolean isPointer(Path pointer, Path archive) throws IOException {
        return Files.readString(pointer).endsWith('\n' + archive.toString() + '\n');
    }

    /** The archive of this JVM and this jar. */
    private static Path archive(Path pointer) throws IOException {
        String identity = Integer.toHexString(ProgramJar.key(ProgramJar.path()).hashCode());
        String version = System.getProperty("java.vm.version").replaceAll("[^0-9A-Za-z.+-]", "-");
        return pointer.resolveSibling(pointer.getFileName() + "-" + version + '-' + identity + ".jsa");
    }

    /** Creates the archive and the pointer. Both appear whole, or not at all. */
    private static void create(Path pointer) throws IOException, InterruptedException {
        UserFolder.create(Objects.requireNonNull(pointer.getParent()));
        Path archive = archive(pointer);
        try (LockedFile lock = LockedFile.tryLock(pointer.resolveSibling(pointer.getFileName() + ".lock"))) {
            if (lock == null) {
                return;
            }
            Path classes = archive.resolveSibling(pointer.getFileName() + ".classes");
            Path temporary = archive.resolveSibling(archive.getFileName() + ".tmp");
            Files.deleteIfExists(temporary);
            try {
                run(
                        "-XX:DumpLoadedClassList=" + classes,
                        "-XX:TieredStopAtLevel=1",
                        ClassArchive.class.getName(),
                        TRAIN);
                run(
                        "-XX:+IgnoreUnrecognizedVMOptions",
                        LINKED,
                        "-Xshare:dump",
                        "-XX:SharedClassListFile=" + classes,
                        "-XX:SharedArchiveFile=" + temporary);
            } finally {
                Files.deleteIfExists(classes);
            }
            if (!Files.isRegularFile(temporary, LinkOption.NOFOLLOW_LINKS)) {
                return;
            }
            deleteOld(pointer);
            Files.move(temporary, archive, StandardCopyOption.ATOMIC_MOVE);
            Path next = pointer.resolveSibling(pointer.getFileName() + ".tmp");
            Files.deleteIfExists(next);
            Files.createFile(next, UserFolder.PRIVATE_FILE);
            Files.writeString(next, checksum(archive) + '\n' + archive + '\n');
            Files.move(next, pointer, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    /** Runs a JVM of the same kind with this program's classes. */
    private static void run(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(ResidentStarter.java(), "-cp", ResidentStarter.classPath()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (process.waitFor() != 0) {
            throw new IOException("failed: " + command);
        }
    }

    /** What the program cksum prints for a file: the script compares it. */
    private static String checksum(Path file) throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder("cksum").redirectInput(file.toFile()).start();
        String line = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (process.waitFor() != 0 || line.isEmpty()) {
            throw new IOException("cksum failed");
        }
        return line;
    }

    /** Deletes the archives of other builds and other versions of the JVM. */
    private static void deleteOld(Path pointer) throws IOException {
        List<Path> old = new ArrayList<>();
        String prefix = pointer.getFileName() + "-";
        try (Stream<Path> files = Files.list(pointer.getParent())) {
            files.filter(file -> file.getFileName().toString().startsWith(prefix)
                            && file.getFileName().toString().endsWith(".jsa"))
                    .forEach(old::add);
        }
        for (Path file : old) {
            Files.deleteIfExists(file);
        }
    }

    /**
     * Handles events of each kind on a store that is large enough for an index, so that the classes that hooks need are
     * loaded.
     */
    private static void train() throws IOException {
        Path folder = Files.createTempDirectory("xmem-train");
        PrintStream none = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        Path directory = folder.resolve("store");
        List<Failure.Draft> failures = new ArrayList<>();
        for (int i = 0; i < FAILURES; i++) {
            ToolCall call = ToolCall.shell("git push origin topic-" + i % 2).session("session-" + i);
            failures.add(Failure.of(call, ToolError.exit(128, ERRORS.get(i % 10 == 0 ? 1 : 0)))
                    .patternAvoid(LESSONS.get(i % LESSONS.size()))
                    .triedAlso("git push --force-with-lease", "git pull --rebase; git push"));
        }
        ResidentStarter.isWanted();
        try {
            try (XMemStore store = HookService.open(directory)) {
                store.recordAll(failures.subList(0, FAILURES - TAIL));
                store.flush();
            }
            Files.writeString(directory.resolve(".xmem/hashers"), "another\n", StandardOpenOption.APPEND);
            try (XMemStore store = HookService.open(directory)) {
                store.recordAll(failures.subList(FAILURES - TAIL, FAILURES));
                store.recordSuccess(Success.of("git", "pushed a new branch"));
            }
            for (String output : OUTPUTS) {
                for (String name : EVENTS) {
                    byte[] event = EVENT.formatted(name, output).getBytes(StandardCharsets.UTF_8);
                    HookProgram.run(directory, List.of(), new ByteArrayInputStream(event), none, none);
                }
            }
            ProgramJar.key(ProgramJar.path());
        } finally {
            delete(folder);
        }
    }

    private static void delete(Path folder) throws IOException {
        List<Path> files;
        try (Stream<Path> walk = Files.walk(folder)) {
            files = walk.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : files) {
            Files.delete(file);
        }
    }
}
