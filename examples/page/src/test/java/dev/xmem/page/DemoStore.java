package dev.xmem.page;

import dev.xmem.Directive;
import dev.xmem.Failure;
import dev.xmem.Note;
import dev.xmem.Outcome;
import dev.xmem.Success;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A store with the history of eight weeks: agents fail, are told, and repeat less and less. */
final class DemoStore {
    /** A call, how it fails, and the call that works; the lesson is null if none is known. */
    private record Mishap(
            String line,
            int exit,
            String error,
            @Nullable String works,
            @Nullable String lesson) {}

    static final String LESSONLESS = "docker compose up -d";

    private static final List<Mishap> MISHAPS = List.of(
            new Mishap(
                    "git push",
                    128,
                    "fatal: The current branch topic has no upstream branch.",
                    "git push -u origin HEAD",
                    "Push with: git push -u origin HEAD"),
            new Mishap(
                    "npm install left-pad",
                    1,
                    "npm ERR! code ERESOLVE\nnpm ERR! ERESOLVE unable to resolve dependency tree",
                    "npm install left-pad --legacy-peer-deps",
                    "Add --legacy-peer-deps until react 19 is in"),
            new Mishap(
                    LESSONLESS,
                    1,
                    "Error response from daemon: driver failed programming external connectivity: port is already"
                            + " allocated",
                    null,
                    null),
            new Mishap(
                    "rclone sync remote:photos /srv/photos",
                    1,
                    "Failed to create file system for \"remote:photos\": didn't find section in config file",
                    "rclone --config /etc/rclone.conf sync remote:photos /srv/photos",
                    "The config is in /etc/rclone.conf: rclone --config /etc/rclone.conf"),
            new Mishap(
                    "mvn -q verify",
                    1,
                    "[ERROR] Failed to execute goal compiler:compile: Fatal error compiling: invalid target release: 21",
                    "JAVA_HOME=/usr/lib/jvm/21 mvn -q verify",
                    "Set JAVA_HOME to a JDK 21"),
            new Mishap(
                    "pytest tests/api",
                    1,
                    "E   ModuleNotFoundError: No module named 'yaml'",
                    "pip install pyyaml && pytest tests/api",
                    "pip install pyyaml first"),
            new Mishap(
                    "psql -h db -c 'select 1'",
                    2,
                    "psql: error: connection to server at \"db\" (10.0.0.7), port 5432 failed: FATAL:  password"
                            + " authentication failed for user \"app\"",
                    null,
                    null),
            new Mishap(
                    "terraform apply",
                    1,
                    "Error: Error acquiring the state lock: ConditionalCheckFailedException",
                    "terraform force-unlock 1234",
                    "Unlock with terraform force-unlock"));

    private static final List<String> TOOLS = List.of(
            ("cargo go helm kubectl ansible-playbook aws gh ffmpeg openssl sqlite3 redis-cli deno poetry bundle composer"
                            + " dotnet flutter gcloud packer vault nomad hugo bazel sbt")
                    .split(" "));
    private static final List<String> ERRORS = List.of(
            "permission denied: /var/lib/cache",
            "no space left on device",
            "connection refused",
            "certificate has expired",
            "unexpected token at line 3",
            "out of memory",
            "no such file or directory: settings.toml");

    private int news;
    private final AtomicReference<Instant> time = new AtomicReference<>(Instant.EPOCH);
    private final Random random = new Random(24);

    /** Fills a new store with a history that ends now. */
    static void fill(Path folder) {
        new DemoStore().history(folder, Instant.now());
    }

    private void history(Path folder, Instant now) {
        time.set(now.minus(Duration.ofDays(55)));
        try (XMemStore store = XMem.builder(folder)
                .clock(time::get)
                .guardLimit(Duration.ofMinutes(1))
                .open()) {
            for (int day = 55; day > 0; day--) {
                time.set(now.minus(Duration.ofDays(day)));
                int known = Math.min(MISHAPS.size(), 2 + (55 - day) / 7);
                int sessions = 1 + random.nextInt(3);
                for (int session = 0; session < sessions; session++) {
                    session(store, day, "day-" + day + '-' + session, known);
                }
                store.flush();
            }
            time.set(now.minus(Duration.ofMinutes(5)));
            lessons(store);
            others(store);
        }
    }

    private void session(XMemStore store, int day, String id, int known) {
        double skill = (55 - day) / 55.0;
        for (int call = 0; call < 3; call++) {
            time.updateAndGet(at -> at.plusSeconds(60 + random.nextInt(2_000)));
            Mishap mishap = MISHAPS.get(random.nextInt(known));
            if (random.nextDouble() < 0.85 * skill) {
                // A failure that was not known before, instead of a known one.
                String tool = TOOLS.get(news % TOOLS.size());
                String error = ERRORS.get(news++ / TOOLS.size() % ERRORS.size());
                store.guard()
                        .failed(
                                ToolCall.shell(tool + " build").session(id),
                                ToolError.exit(1, tool + ": error: " + error));
                continue;
            }
            for (int again = 0; again < 1 + random.nextInt(2); again++) {
                ToolCall failing = ToolCall.shell(mishap.line).session(id);
                store.guard().failed(failing, ToolError.exit(mishap.exit, mishap.error));
            }
            time.updateAndGet(at -> at.plusSeconds(40));
            if (mishap.works != null && random.nextDouble() < 0.75) {
                store.guard().succeeded(ToolCall.shell(mishap.works).session(id));
            }
        }
    }

    private void lessons(XMemStore store) {
        for (Mishap mishap : MISHAPS) {
            if (mishap.lesson != null) {
                ToolCall call = ToolCall.shell(mishap.line);
                Failure stored = store.recordFailure(Failure.of(call.tool(), call.action(), mishap.error)
                        .patternAvoid(mishap.lesson)
                        .tags("ci"));
                Outcome outcome = mishap.line.startsWith("terraform") ? Outcome.FAILED : Outcome.WORKED;
                for (int i = 0; i < 3; i++) {
                    store.reportOutcome(stored.id(), outcome, "voter-" + i);
                }
            }
        }
    }

    private static void others(XMemStore store) {
        Failure refused = store.recordFailure(Failure.of(
                "scp", "build.tar deploy@host:/srv", "scp: remote open \"/srv/build.tar\": Permission denied"));
        store.recordSuccess(Success.of("scp", "replace /srv with /srv/incoming")
                .keySteps("scp build.tar deploy@host:/srv/incoming")
                .answers(refused.id())
                .tags("retry"));
        store.remember(Directive.parse("never push to main directly because CI deploys it"));
        store.remember(Directive.parse("I prefer small commits over large ones"));
        store.remember(Directive.parse("we use pnpm here"));
        store.writeNote(Note.of("note", "The staging database is copied every night at 02:00 UTC.")
                .tags("ops"));
        store.writeNote(Note.of("task", "Ask for the new TLS certificate in December."));
    }
}
