package dev.xmem.hooks;

import dev.xmem.Directive;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Query;
import dev.xmem.Success;
import dev.xmem.ToolCall;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.hooks.dialect.HookEvent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A resident that a hook asked in vain. The script passes it as the system property {@value #PROPERTY}: the process,
 * and the seconds since the hook began if the resident was told to handle the event.
 *
 * @param since when the hook began, if the resident may have handled the event; else null
 */
record Unanswered(long pid, @Nullable Instant since) {
    private static final String PROPERTY = "xmem.hook.unanswered";
    private static final String REMEMBER = "/xmem:remember";
    private static final int COMPARED_CHARS = 60;
    private static final Duration END_LIMIT = Duration.ofSeconds(1);
    private static final Duration PAUSE = Duration.ofMillis(10);

    /** What the script passed; null if no resident was asked in vain. */
    static @Nullable Unanswered ofProcess() {
        String[] words = System.getProperty(PROPERTY, "").split(" ", -1);
        try {
            if (words.length == 1 && !words[0].isEmpty()) {
                return new Unanswered(Long.parseLong(words[0]), null);
            }
            if (words.length == 2) {
                Instant start = ProcessHandle.current().info().startInstant().orElseGet(Instant::now);
                return new Unanswered(Long.parseLong(words[0]), start.minusSeconds(Long.parseLong(words[1]) + 1));
            }
        } catch (NumberFormatException e) {
            // Not passed by the script.
        }
        return null;
    }

    /**
     * Ends a resident that is stopped, or that may hold the event: what it has not done by then, it never does. A
     * server of a host is not ended; if it is stopped, the next hooks do not ask it.
     *
     * @return whether this process can handle the event; false if a server of a host holds it and will go on
     */
    boolean isOver(Path directory) {
        Optional<ProcessHandle> found = ProcessHandle.of(pid);
        if (found.isEmpty() || hasEnded(found.get())) {
            return true;
        }
        ProcessHandle process = found.get();
        if (!isResident(process)) {
            ResidentFile file = isStopped() ? ResidentFile.read(directory) : null;
            if (file != null && file.pid() == pid) {
                file.delete();
            }
            return since == null;
        }
        if (since != null || isStopped()) {
            process.destroyForcibly();
            long until = System.nanoTime() + END_LIMIT.toNanos();
            while (!hasEnded(process) && System.nanoTime() < until) {
                LockSupport.parkNanos(PAUSE.toNanos());
            }
        }
        return true;
    }

    /** A process that was killed may stay in the table of processes; then it has no program. */
    private static boolean hasEnded(ProcessHandle process) {
        return !process.isAlive() || process.info().command().isEmpty();
    }

    private static boolean isResident(ProcessHandle process) {
        return process.info().commandLine().orElse("").contains(ResidentProgram.class.getName());
    }

    private boolean isStopped() {
        try {
            Path stat = Path.of("/proc", Long.toString(pid), "stat");
            if (Files.exists(stat)) {
                String text = Files.readString(stat);
                return text.startsWith(" T", text.lastIndexOf(')') + 1);
            }
            Process ps = new ProcessBuilder("ps", "-o", "stat=", "-p", Long.toString(pid)).start();
            return new String(ps.getInputStream().readAllBytes(), StandardCharsets.UTF_8).startsWith("T");
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Whether the resident recorded what this event leads to before it ended: the failure of a call, the success that
     * answers one, or the entry of a slash command. A call that it only counted is known by its id.
     */
    boolean wasRecorded(XMemStore store, byte[] bytes, List<String> arguments) {
        if (since == null) {
            return false;
        }
        try {
            HookEvent event = HookService.read(bytes, arguments);
            if (event.session().isEmpty()) {
                return false;
            }
            boolean rule = event.prompt().strip().startsWith(REMEMBER);
            Query query =
                    rule ? Query.all().kind(Entry.Kind.DIRECTIVE) : Query.all().session(event.session());
            return store.search(query.between(since, null)).matches().stream()
                    .map(Match::entry)
                    .anyMatch(entry -> isOf(event, entry));
        } catch (IOException | RuntimeException e) {
            return false;
        }
    }

    private static boolean isOf(HookEvent event, Entry entry) {
        String prompt = event.prompt().strip();
        if (prompt.startsWith("/xmem:")) {
            return isOfCommand(prompt, entry);
        }
        if (event.tool().isEmpty()) {
            return false;
        }
        try {
            ToolCall call = event.call();
            return entry instanceof Failure failure
                            && failure.tool().equals(call.tool())
                            && failure.action().equals(call.action())
                    || event.type() != HookEvent.Type.FAILED
                            && entry instanceof Success success
                            && success.tool().equals(call.tool())
                            && endsWith(success.keySteps(), call.action());
        } catch (IOException e) {
            return false;
        }
    }

    /** Whether the last step is the call; long and masked ones are compared by their beginning. */
    private static boolean endsWith(List<String> steps, String action) {
        String begin = action.substring(0, Math.min(COMPARED_CHARS, action.length()));
        return !steps.isEmpty() && steps.get(steps.size() - 1).contains(begin);
    }

    /** Whether a slash command recorded an entry: a form names the tool and the action, a sentence is the rule. */
    private static boolean isOfCommand(String prompt, Entry entry) {
        if (entry instanceof Directive directive) {
            return prompt.startsWith(REMEMBER) && says(prompt, directive);
        }
        if (!prompt.startsWith("/xmem:record")) {
            return false;
        }
        return entry instanceof Failure failure && prompt.contains(failure.tool()) && prompt.contains(failure.action())
                || entry instanceof Success success
                        && prompt.contains(success.tool())
                        && prompt.contains(success.patternName());
    }

    private static boolean says(String prompt, Directive directive) {
        try {
            return Directive.parseAll(prompt.substring(REMEMBER.length())).stream()
                    .anyMatch(
                            draft -> directive.canonical().equals(draft.fields().get("canonical")));
        } catch (XMemException.Syntax e) {
            return false;
        }
    }
}
