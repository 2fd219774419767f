package dev.xmem.cli.run;

import dev.xmem.Advice;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.ToolGuard;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Runs a program as if it were run directly, and reports it to a guard afterwards, unless a signal to this process
 * ended it. The program inherits the standard
 * input, its output is passed on byte for byte as it comes, and signals that this process receives are passed on to it.
 *
 * <p>Where the two output streams of this process are one, as after {@code 2>&1} or at a terminal, those of the program
 * are one too, so that they keep their order; this is seen on Linux only. The program writes to pipes, not to a
 * terminal, and most programs then print no colors. Another process that outlives the program may keep these pipes
 * open. What it writes later than about a second after the program's end is not passed on.
 *
 * @since 0.1
 */
public final class GuardedProcess {
    /** The exit code of a shell for a program that is not there. */
    public static final int NOT_FOUND = 127;

    /** The exit code of a shell for a program that cannot be run. */
    public static final int NOT_EXECUTABLE = 126;

    private static final int CHUNK = 1 << 16;

    /** How long output is awaited after the end of the program, and how often that is looked at. In milliseconds. */
    private static final long GRACE = 1_000;

    private static final long STEP = 10;

    /** ENOENT in the words of JDK 17 and of JDK 25. */
    private static final Pattern NO_SUCH_FILE = Pattern.compile("\\berror[=:] ?2\\b");

    private final Supplier<@Nullable ToolGuard> guard;
    private final @Nullable String session;

    /**
     * Creates a runner.
     *
     * @param guard is asked once the program has ended; null for a memory that cannot be opened
     * @param session the session of the calls; null for none
     */
    public GuardedProcess(Supplier<@Nullable ToolGuard> guard, @Nullable String session) {
        this.guard = guard;
        this.session = session;
    }

    /**
     * What came of a program.
     *
     * @param exitCode its exit code; 128 and the number of the signal that ended it
     * @param problem why it could not be started; null if it was
     * @param advice the text for the agent; empty if there is none, else it begins with a line break
     */
    public record Result(int exitCode, @Nullable String problem, String advice) {}

    /**
     * Runs a program and waits for its end.
     *
     * @param argv the program and its arguments, at least the program
     * @param out receives what it writes to its standard output; flushed after each piece
     * @param err receives what it writes to its standard error; flushed after each piece
     */
    public Result run(List<String> argv, PrintStream out, PrintStream err) {
        boolean oneStream = isOneStream();
        KeptOutput keptOut = new KeptOutput();
        KeptOutput keptErr = new KeptOutput();
        Process process;
        try {
            process = new ProcessBuilder(startable(argv, locale()))
                    .redirectInput(ProcessBuilder.Redirect.INHERIT)
                    .redirectErrorStream(oneStream)
                    .start();
        } catch (IOException e) {
            boolean missing = isMissing(String.valueOf(e.getMessage()));
            String problem = argv.get(0) + (missing ? ": command not found" : ": cannot be run");
            int code = missing ? NOT_FOUND : NOT_EXECUTABLE;
            return new Result(code, problem, reported(argv, code, problem));
        }
        int code;
        PassedSignals signals = PassedSignals.to(process);
        try {
            Pump output = new Pump(process.getInputStream(), out, keptOut);
            Pump errors = new Pump(process.getErrorStream(), err, keptErr);
            output.start();
            errors.start();
            code = ended(process, output, errors);
        } finally {
            signals.close();
        }
        if (signals.received()) {
            return new Result(code, null, "");
        }
        String text = keptOut.text();
        String more = keptErr.text();
        String output =
                more.isEmpty() ? text : text.isEmpty() || text.endsWith("\n") ? text + more : text + '\n' + more;
        return new Result(code, null, reported(argv, code, output));
    }

    /**
     * The command that starts a program: a shell where the locale does not have some letters of it, which Java would
     * pass on as question marks. The words are arguments of the shell, so that each may be as long as without it; bytes
     * that are not of ASCII are escaped in them.
     */
    static List<String> startable(List<String> argv, CharsetEncoder locale) {
        if (argv.stream().allMatch(locale::canEncode)) {
            return argv;
        }
        StringBuilder script = new StringBuilder("exec");
        List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", "", "xmem"));
        for (int i = 0; i < argv.size(); i++) {
            String word = argv.get(i);
            if (locale.canEncode(word)) {
                script.append(" \"${").append(i + 1).append("}\"");
                command.add(word);
                continue;
            }
            int end = word.length();
            while (word.charAt(end - 1) == '\n') { // a shell drops these from what a command prints
                end--;
            }
            script.append(" \"$(printf %b \"${").append(i + 1).append("}\")");
            script.append(word, end, word.length()).append('"');
            StringBuilder escaped = new StringBuilder();
            for (byte each : word.substring(0, end).getBytes(StandardCharsets.UTF_8)) {
                boolean plain = each > 0 && each != '\\';
                escaped.append(plain ? String.valueOf((char) each) : String.format("\\0%03o", each & 0xFF));
            }
            command.add(escaped.toString());
        }
        command.set(2, script.toString());
        return command;
    }

    private static CharsetEncoder locale() {
        return Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8")).newEncoder();
    }

    /** Whether the program is not there, by the message of the exception. */
    static boolean isMissing(String message) {
        return NO_SUCH_FILE.matcher(message).find();
    }

    private static int ended(Process process, Pump output, Pump errors) {
        boolean interrupted = false;
        long left = GRACE;
        while (true) {
            try {
                int code = process.waitFor();
                while (left > 0 && (output.isAlive() || errors.isAlive())) {
                    (output.isAlive() ? output : errors).join(STEP);
                    left -= output.isWriting() || errors.isWriting() ? 0 : STEP;
                }
                output.stop = true;
                errors.stop = true;
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
                return code;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
    }

    /**
     * Passes bytes on as they come. When their reader has gone, the program meets a closed pipe, as without xmem. A
     * slow reader gets all that the program wrote.
     */
    private static final class Pump extends Thread {
        private final InputStream from;
        private final PrintStream to;
        private final KeptOutput kept;
        private volatile boolean writing;
        private volatile boolean stop;

        Pump(InputStream from, PrintStream to, KeptOutput kept) {
            super("xmem-run-output");
            this.from = from;
            this.to = to;
            this.kept = kept;
            setDaemon(true);
        }

        boolean isWriting() {
            return writing;
        }

        @Override
        public void run() {
            byte[] buffer = new byte[CHUNK];
            try (InputStream in = from) {
                for (int n = in.read(buffer); n >= 0 && !stop; n = in.read(buffer)) {
                    writing = true;
                    kept.add(buffer, n);
                    to.write(buffer, 0, n);
                    if (to.checkError()) {
                        return; // closes the pipe
                    }
                    writing = false;
                }
            } catch (IOException e) {
                // The pipe cannot be read any more: the program is told by its exit code.
            } finally {
                writing = false;
            }
        }
    }

    /** Whether standard output and standard error of this process are the same file, pipe or terminal. */
    private static boolean isOneStream() {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/fd/1"))
                    .equals(Files.readSymbolicLink(Path.of("/proc/self/fd/2")));
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    private String reported(List<String> argv, int code, String output) {
        ToolGuard memory = guard.get();
        if (memory == null) {
            return "";
        }
        ToolCall call = ToolCall.command(argv);
        Advice advice = memory.failed(session == null ? call : call.session(session), ToolError.exit(code, output));
        return advice.text();
    }
}
