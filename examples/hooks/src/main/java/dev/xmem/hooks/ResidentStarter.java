package dev.xmem.hooks;

import dev.xmem.transcripts.LockedFile;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Starts a resident for the next hooks, as a process of its own: in another session, with the null device as its
 * streams, none of the hook's descriptors, and without the agent's environment.
 */
final class ResidentStarter {
    private static final String SWITCH = "XMEM_RESIDENT";
    private static final long START_MILLIS = 10_000;
    private static final Set<String> VARIABLES =
            Set.of("PATH", "HOME", "USER", "LOGNAME", "LANG", "TMPDIR", "TZ", "JAVA_HOME");
    private static final List<String> OPTIONS = List.of(
            "-Xmx128m",
            "-Xms8m",
            "-XX:MinHeapFreeRatio=10",
            "-XX:MaxHeapFreeRatio=30",
            "-XX:MaxMetaspaceSize=96m",
            "-XX:ReservedCodeCacheSize=32m",
            "-XX:+ExitOnOutOfMemoryError",
            "-XX:-UsePerfData");

    private ResidentStarter() {}

    /** Starts a resident unless one runs, one was started just now, or the user does not want one. */
    static void startIfMissing(Path directory) {
        try {
            ClassArchive.createIfMissing();
            if (isWanted() && isMissing(directory)) {
                String store = directory.toRealPath().toString();
                start(command(OPTIONS, ResidentProgram.class, store));
            }
        } catch (IOException | RuntimeException e) {
            // The next hook answers by itself too.
        }
    }

    /** Whether the variable XMEM_RESIDENT allows residents. */
    static boolean isWanted() {
        return !"off".equals(System.getenv(SWITCH));
    }

    private static boolean isMissing(Path directory) throws IOException {
        Path local = directory.resolve(".xmem");
        if (!Files.isDirectory(local) || !ResidentSlots.isFree()) {
            return false;
        }
        try (LockedFile lock = LockedFile.tryLock(local.resolve("resident-lock"))) {
            return lock != null && UserFolder.touchIfOlder(local.resolve("resident-started"), START_MILLIS);
        }
    }

    /**
     * The command that runs a class of this program in a JVM of its own, apart from the hook's terminal and process
     * group.
     */
    static List<String> command(List<String> options, Class<?> program, String... arguments) {
        List<String> words = new ArrayList<>();
        for (String apart : List.of("/usr/bin/setsid", "/bin/setsid", "/usr/bin/nohup", "/bin/nohup")) {
            if (words.isEmpty() && Files.isExecutable(Path.of(apart))) {
                words.add(apart);
            }
        }
        words.addAll(List.of(java(), "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        words.addAll(options);
        words.addAll(List.of("-cp", classPath(), program.getName()));
        words.addAll(List.of(arguments));
        return words;
    }

    static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    static String classPath() {
        List<String> absolute = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            absolute.add(Path.of(entry).toAbsolutePath().toString());
        }
        return String.join(File.pathSeparator, absolute);
    }

    static void start(List<String> command) throws IOException {
        start(command, ProcessBuilder.Redirect.from(new File("/dev/null")));
    }

    static Process start(List<String> command, ProcessBuilder.Redirect input) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(new File("/"))
                .redirectInput(input)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        Map<String, String> environment = builder.environment();
        environment
                .keySet()
                .removeIf(name -> !VARIABLES.contains(name)
                        && !name.startsWith("XDG_")
                        && !name.startsWith("LC_")
                        && !name.startsWith("XMEM_"));
        return builder.start();
    }
}
