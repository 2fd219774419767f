package dev.xmem.cli;

import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.JsonDraft;
import dev.xmem.Success;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.hooks.FailureWithoutLesson;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code xmem record}: stores entries and prints their ids. */
@Command(
        name = "record",
        description = {
            "Stores entries, one JSON object per line, and prints the id and context hash of each as soon as"
                    + " it is stored.",
            "The type field selects the kind: tool_failure requires tool and error, tool_success requires"
                    + " tool and pattern_name; a line with dedupe_key is a directive, any other type with content is a"
                    + " note. Other fields are optional: a missing id, ts or ctx_hash is generated, a well-formed one"
                    + " is kept. A new failure with a lesson takes the place of the same failure of the last hour, or of"
                    + " its session, that a hook has recorded without one: the answer names it in in_place_of.",
            "\"record failure\" and \"record success\" store one entry: at a terminal they ask for its"
                    + " fields, or for the missing ones; otherwise they read a filled form or key=value words from standard input. The words may"
                    + " also be given as arguments."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  echo '{\"type\":\"tool_failure\",\"tool\":\"git\",\"action\":\"push\",\"error\":\"rejected\",'\\",
            "    '\"pattern_avoid\":\"Pull with --rebase first\"}' | xmem --store .xmem-store record",
            "  xmem record < other-store/data/failures.jsonl",
            "  xmem record failure",
            "  xmem record failure tool=git command=\"git push\" error=\"rejected\" avoid=\"Pull first\"",
            "  printf 'Tool name: git\\nPattern name: Atomic commits\\nTags: git\\n' | xmem record success",
            "A refused line is reported on stderr as {\"line\":2,\"error\":\"…\"}; the others are stored.",
            "The exit code is then 1."
        })
final class RecordSubcommand extends Subcommand {
    private static final int BATCH_LINES = 256;
    private static final int BATCH_CHARS = 1 << 20;

    @Parameters(
            arity = "0..*",
            paramLabel = "KIND",
            description =
                    "failure or success, and fields of the entry; or a dash for lines of JSON. Nothing is a dash, and"
                            + " at a terminal a question.")
    List<String> given = new ArrayList<>();

    @Option(
            names = "--session",
            paramLabel = "SESSION",
            defaultValue = "cli",
            description = "The session of \"record failure\" and \"record success\"; default ${DEFAULT-VALUE}.")
    String session = "cli";

    @Override
    public Integer call() throws IOException {
        if (given.isEmpty() && root.environment().terminal()) {
            given = List.of(new RecordPrompts(root.terminal()).kind());
        }
        String kind = given.isEmpty() ? "-" : given.get(0);
        if (kind.equals("failure") || kind.equals("success")) {
            return recordOne(kind);
        } else if (!kind.equals("-") || given.size() > 1) {
            throw new UsageException("record reads standard input; pass the file like this: xmem record < "
                    + given.get(given.size() - 1) + "; or use record failure, record success");
        }
        try (XMemStore store = root.stores(true).openOrCreate();
                ProgressReporter progress = ProgressReporter.of(root.terminal(), "record", true)) {
            return new BatchRecorder(root.terminal(), store, progress).run();
        }
    }

    private int recordOne(String kind) throws IOException {
        boolean prompts = given.size() == 1 && root.environment().terminal();
        String known = prompts || given.size() > 1 ? SlashCommandLine.of(given) : kind + "\n" + form(kind);
        String line = SlashCommandLine.PREFIX + "record " + known.strip();
        boolean empty = !prompts && SlashCommandLine.isEmptyRecord(line);
        try (XMemStore store = empty ? XMem.inMemory() : root.stores().openOrCreate()) {
            String complete = prompts ? new RecordPrompts(root.terminal()).complete(line) : line;
            int code = SlashSubcommand.converse(root, store, complete, session);
            if (empty) {
                root.terminal()
                        .notice(root.json, "nothing was recorded: fill in the form and pass it on standard input");
            }
            return empty ? Main.REFUSED : code;
        }
    }

    /** Reads the filled form, without the command line that precedes an empty form when it is printed. */
    private String form(String kind) throws IOException {
        try {
            String form = root.terminal().readAll().strip();
            String command = SlashCommandLine.PREFIX + "record " + kind;
            return form.startsWith(command) ? form.substring(command.length()) : form;
        } catch (LineException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }

    /**
     * Reads the input once. Lines that are already available are stored as one batch; the responses stay in the order
     * of the input, one per line.
     */
    private static final class BatchRecorder {
        private final Terminal terminal;
        private final XMemStore store;
        private final ProgressReporter progress;
        private final List<InputLines.Line> pending = new ArrayList<>();
        private final Instant begin = Instant.now();
        private int code = Main.OK;

        BatchRecorder(Terminal terminal, XMemStore store, ProgressReporter progress) {
            this.terminal = terminal;
            this.store = store;
            this.progress = progress;
        }

        int run() throws IOException {
            InputLines lines = terminal.lines();
            int chars = 0;
            for (InputLines.Line line = lines.next(); line != null; line = lines.next()) {
                pending.add(line);
                chars += line.text().length();
                if (pending.size() >= BATCH_LINES || chars >= BATCH_CHARS || !lines.ready()) {
                    commit();
                    chars = 0;
                    progress.lines(line.number());
                }
            }
            commit();
            return code;
        }

        private void commit() throws IOException {
            store(pending);
            pending.clear();
            terminal.flush();
        }

        /** Stores lines as one batch. If one of them is refused, splits the batch in two and retries each half. */
        private void store(List<InputLines.Line> lines) {
            if (lines.isEmpty()) {
                return;
            }
            String problem = attempt(lines);
            if (problem != null && lines.size() == 1) {
                code = Main.REFUSED;
                terminal.refused(lines.get(0).number(), problem);
            } else if (problem != null) {
                store(lines.subList(0, lines.size() / 2));
                store(lines.subList(lines.size() / 2, lines.size()));
            }
        }

        /**
         * Stores and answers all lines, or none.
         *
         * @return why the batch was refused; null if it was stored
         */
        private @Nullable String attempt(List<InputLines.Line> lines) {
            List<JsonDraft> drafts = new ArrayList<>(lines.size());
            for (InputLines.Line line : lines) {
                if (line.problem() != null) {
                    return line.problem();
                }
                drafts.add(JsonDraft.of(line.text()));
            }
            try {
                List<Entry> entries = BusyRetry.call(() -> store.recordAll(drafts));
                for (int i = 0; i < entries.size(); i++) {
                    Entry entry = entries.get(i);
                    String of = entry instanceof Failure failure ? failure.sessionId() : null;
                    terminal.answer(
                            answer(entry, isNew(lines.get(i).text()) ? replaced(store, entry, of, begin) : null));
                }
                return null;
            } catch (XMemException.Io e) {
                terminal.unanswered(
                        lines.get(0).number(), lines.get(lines.size() - 1).number());
                throw e;
            } catch (XMemException.Busy | XMemException.Closed e) {
                throw e;
            } catch (XMemException e) {
                return String.valueOf(e.getMessage()).strip();
            }
        }
    }

    /** Whether a stored line has neither an id nor a time of its own, as a line of another store has. */
    private static boolean isNew(String line) {
        List<String> names = new ArrayList<>();
        try {
            JsonText.read(line, (name, value) -> names.add(name));
        } catch (LineException e) {
            return false; // the store is more lenient, and the line is recorded
        }
        return !names.contains("id") && !names.contains("ts");
    }

    /**
     * The failure that a lesson takes the place of, because a hook has recorded it without one. Null if there is none,
     * or if that cannot be stored: then the failure counts twice, which is no reason to refuse what is stored.
     *
     * @param session the session of the lesson; null if it names none
     * @param begin when this process began to record
     */
    static @Nullable String replaced(XMemStore store, Entry entry, @Nullable String session, Instant begin) {
        try {
            return BusyRetry.call(() -> FailureWithoutLesson.replace(store, entry, session, begin));
        } catch (XMemException e) {
            return null;
        }
    }

    private static String answer(Entry entry, @Nullable String replaced) {
        String hash = entry instanceof Failure failure
                ? failure.ctxHash()
                : entry instanceof Success success ? success.ctxHash() : null;
        return JsonText.object(g -> {
            g.writeStringField("id", entry.id());
            g.writeStringField("ctx_hash", hash);
            if (replaced != null) {
                g.writeStringField("in_place_of", replaced);
            }
        });
    }
}
