package dev.xmem.cli;

import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.JsonDraft;
import dev.xmem.Success;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.SlashCommands;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code xmem record}: entries in, ids out. */
@Command(
        name = "record",
        description = {
            "Stores entries, one JSON object a line, and answers each with its id and context hash as soon as it is safe.",
            "The type says what it is: a tool_failure needs tool and error, a tool_success tool and pattern_name; a line"
                    + " with a dedupe_key is a directive, any other type with content a note. The rest has defaults: id, ts"
                    + " and ctx_hash are given where they are missing, and kept where they are well-formed.",
            "\"record failure\" and \"record success\" take one entry from a person: at a terminal they ask for what it"
                    + " takes, else they read the filled form, or key=value words, from standard input; or give the words"
                    + " behind."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  echo '{\"type\":\"tool_failure\",\"tool\":\"git\",\"action\":\"push\",\"error\":\"rejected: non-fast-forward\","
                    + "\"pattern_avoid\":\"Pull with --rebase first\"}' | xmem --store .xmem-store record",
            "  xmem record < other-store/data/failures.jsonl",
            "  xmem record failure",
            "  xmem record failure tool=git command=\"git push\" error=\"rejected\" avoid=\"Pull first\"",
            "  printf 'Tool name: git\\nPattern name: Atomic commits\\nTags: git\\n' | xmem record success",
            "A line that is refused is named on stderr, {\"line\":2,\"error\":\"…\"}; the others go on, and the exit code",
            "is then 1."
        })
final class RecordCommand implements Callable<Integer> {
    private static final int BATCH_LINES = 256;
    private static final int BATCH_CHARS = 1 << 20;

    private final Root root;

    @Parameters(
            arity = "0..*",
            paramLabel = "KIND",
            description = "failure or success, and what is known of it; or nothing, or a dash, for lines of JSON.")
    List<String> given = new ArrayList<>();

    @Option(
            names = "--session",
            paramLabel = "ID",
            defaultValue = "cli",
            description = "The session of \"record failure\" and \"record success\"; default ${DEFAULT-VALUE}.")
    String session = "cli";

    RecordCommand(Root root) {
        this.root = root;
    }

    @Override
    public Integer call() throws IOException {
        String kind = given.isEmpty() ? "-" : given.get(0);
        if (kind.equals("failure") || kind.equals("success")) {
            return recordOne(kind);
        } else if (!kind.equals("-") || given.size() > 1) {
            throw new UsageException("record reads standard input; give the file so: xmem record < "
                    + given.get(given.size() - 1) + "; or say record failure, record success");
        }
        try (XMemStore store = root.stores().writing();
                Progress progress = Progress.of(root.terminal(), "record", true)) {
            return new Run(root.terminal(), store, progress).all();
        }
    }

    private int recordOne(String kind) throws IOException {
        Terminal terminal = root.terminal();
        boolean asks = given.size() == 1 && root.surroundings().terminal();
        String known = asks || given.size() > 1 ? SlashLine.of(given) : kind + "\n" + form(kind);
        boolean empty = !asks && known.strip().equals(kind);
        try (XMemStore store = empty ? XMem.inMemory() : root.stores().writing()) {
            String line = asks ? new Interview(terminal).about(kind) : known;
            SlashCommands.Reply reply = SlashCommands.on(store).execute(SlashLine.PREFIX + "record " + line, session);
            SlashCommand.print(root, reply);
            if (empty) {
                terminal.notice(root.json, "nothing was recorded: fill the form in and give it on standard input");
            }
            return reply.ok() && !empty ? Main.OK : Main.REFUSED;
        }
    }

    /** The filled form, without the command above it that an empty one is printed with. */
    private String form(String kind) throws IOException {
        try {
            String form = root.terminal().whole().strip();
            String command = SlashLine.PREFIX + "record " + kind;
            return form.startsWith(command) ? form.substring(command.length()) : form;
        } catch (LineException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }

    /** One reading of the input. Lines that wait already are stored together; the answers stay in order, one a line. */
    private static final class Run {
        private final Terminal terminal;
        private final XMemStore store;
        private final Progress progress;
        private final List<Lines.Line> waiting = new ArrayList<>();
        private int code = Main.OK;

        Run(Terminal terminal, XMemStore store, Progress progress) {
            this.terminal = terminal;
            this.store = store;
            this.progress = progress;
        }

        int all() throws IOException {
            Lines lines = terminal.lines();
            int chars = 0;
            for (Lines.Line line = lines.next(); line != null; line = lines.next()) {
                waiting.add(line);
                chars += line.text().length();
                if (waiting.size() >= BATCH_LINES || chars >= BATCH_CHARS || !lines.ready()) {
                    commit();
                    chars = 0;
                    progress.lines(line.number());
                }
            }
            commit();
            return code;
        }

        private void commit() throws IOException {
            store(waiting);
            waiting.clear();
            terminal.flush();
        }

        /** Stores lines together, or, where one of them is refused, each half by itself. */
        private void store(List<Lines.Line> lines) {
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

        /** Stores and answers all of the lines, or none and says why. */
        private @Nullable String attempt(List<Lines.Line> lines) {
            List<JsonDraft> drafts = new ArrayList<>(lines.size());
            for (Lines.Line line : lines) {
                if (line.problem() != null) {
                    return line.problem();
                }
                drafts.add(JsonDraft.of(line.text()));
            }
            try {
                Patience.until(() -> store.recordAll(drafts)).forEach(entry -> terminal.answer(answer(entry)));
                return null;
            } catch (XMemException.Io | XMemException.Busy | XMemException.Closed e) {
                throw e;
            } catch (XMemException e) {
                return String.valueOf(e.getMessage()).strip();
            }
        }
    }

    private static String answer(Entry entry) {
        String hash = entry instanceof Failure failure
                ? failure.ctxHash()
                : entry instanceof Success success ? success.ctxHash() : null;
        return Json.object(g -> {
            g.writeStringField("id", entry.id());
            g.writeStringField("ctx_hash", hash);
        });
    }
}
