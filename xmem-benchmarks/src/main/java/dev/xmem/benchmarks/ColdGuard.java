package dev.xmem.benchmarks;

import dev.xmem.EntryDraft;
import dev.xmem.Failure;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Measures the first answers of a guard in JVMs that have just started, several at a time: {@code failed} alone, or
 * {@code before} and then {@code failed}. Every JVM opens the same store, in which the failure and its remedy are
 * known. Prints one line for each JVM, and how many were told.
 *
 * <pre>
 * java -cp benchmarks.jar dev.xmem.benchmarks.ColdGuard JVMS AT_A_TIME ENTRIES
 * </pre>
 */
public final class ColdGuard {
    static final String CALL = "git push";
    static final String ERROR = "fatal: The current branch topic has no upstream branch.\n"
            + "To push the current branch and set the remote as upstream, use\n";

    private final Path folder;

    private ColdGuard(Path folder) {
        this.folder = folder;
    }

    /** What one JVM printed: the statuses of both calls, and the milliseconds of each step. */
    private record Answer(String before, String failed, double[] millis) {
        static Answer of(String line) {
            String[] words = line.split(" ", -1);
            double[] millis = Arrays.stream(words)
                    .skip(2)
                    .mapToDouble(Double::parseDouble)
                    .toArray();
            return new Answer(words[0], words[1], millis);
        }
    }

    public static void main(String[] args) throws Exception {
        int jvms = Integer.parseInt(args[0]);
        int atATime = Integer.parseInt(args[1]);
        Path folder = Files.createTempDirectory("xmem-cold-guard");
        try {
            fill(folder, Integer.parseInt(args[2]));
            ColdGuard guard = new ColdGuard(folder);
            guard.measure("failed", jvms, atATime);
            guard.measure("before", jvms, atATime);
        } finally {
            LogFiles.delete(folder);
        }
    }

    private static void fill(Path folder, int entries) {
        List<EntryDraft> drafts = new ArrayList<>();
        for (int i = 0; i < entries; i++) {
            ToolCall call = i % 100 == 0
                    ? ToolCall.shell(CALL)
                    : ToolCall.shell("tool" + i % 32 + " sync --fast remote-" + i + ":folder /data/" + i);
            ToolError error = i % 100 == 0
                    ? ToolError.exit(128, ERROR)
                    : ToolError.exit(1, "error: remote 'remote-" + i + "' not found in /etc/tool/" + i + ".conf");
            drafts.add(Failure.of(call.session("session-" + i), error)
                    .patternAvoid("List the remotes first: git remote -v"));
        }
        try (XMemStore store = XMem.open(folder)) {
            store.recordAll(drafts);
            store.flush();
        }
    }

    private void measure(String first, int jvms, int atATime) throws Exception {
        System.out.printf("%nfirst call: %s; %d JVMs, %d at a time%n", first, jvms, atATime);
        System.out.println("before      failed      open ms  guard ms  before ms  failed ms");
        ExecutorService starters = Executors.newFixedThreadPool(atATime);
        try {
            List<Future<Answer>> started = new ArrayList<>();
            for (int i = 0; i < jvms; i++) {
                String session = String.valueOf(i);
                started.add(starters.submit(() -> start(first, session)));
            }
            List<Answer> answers = new ArrayList<>();
            for (Future<Answer> one : started) {
                Answer answer = one.get();
                answers.add(answer);
                double[] millis = answer.millis;
                System.out.printf(
                        "%-11s %-11s %7.0f %9.0f %10.0f %10.0f%n",
                        answer.before, answer.failed, millis[0], millis[1], millis[2], millis[3]);
            }
            summary("failed", answers.stream().map(Answer::failed).toList(), millis(answers, 3));
            if (first.equals("before")) {
                summary("before", answers.stream().map(Answer::before).toList(), millis(answers, 2));
            }
        } finally {
            starters.shutdownNow();
        }
    }

    private static double[] millis(List<Answer> answers, int step) {
        return answers.stream()
                .mapToDouble(answer -> answer.millis[step])
                .sorted()
                .toArray();
    }

    private static void summary(String call, List<String> statuses, double[] sorted) {
        System.out.printf(
                "%s: %d of %d told; median %.0f ms, longest %.0f ms%n",
                call,
                statuses.stream().filter("told"::equals).count(),
                statuses.size(),
                sorted[sorted.length / 2],
                sorted[sorted.length - 1]);
    }

    private Answer start(String first, String session) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ColdGuardChild.class.getName(),
                        folder.toString(),
                        session,
                        first)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader out = process.inputReader()) {
            String line = out.readLine();
            if (process.waitFor() != 0 || line == null) {
                throw new IOException("a JVM ended with exit code " + process.exitValue() + " and printed " + line);
            }
            return Answer.of(line);
        }
    }
}
