package dev.xmem.core.fuzz;

import dev.xmem.Advice;
import dev.xmem.Amendment;
import dev.xmem.CompactionPlan;
import dev.xmem.CompactionReport;
import dev.xmem.Directive;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Note;
import dev.xmem.Outcome;
import dev.xmem.Page;
import dev.xmem.Query;
import dev.xmem.Retention;
import dev.xmem.Scan;
import dev.xmem.Success;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.SlashCommands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Calls every method of a store. Each call returns, or throws one of the store's own exceptions with a reason. */
public final class EveryMethod {
    private static final int SHOWN = 20;
    private static final ToolError ERROR = ToolError.exit(1, "fatal: quota of Zürich 2");

    private final XMemStore store;
    private final Set<String> ids = new TreeSet<>();
    private final List<XMemException> thrown = new ArrayList<>();

    public EveryMethod(XMemStore store) {
        this.store = store;
    }

    /** What was thrown, in order. */
    public List<XMemException> thrown() {
        return thrown;
    }

    /** Reads in every way; adds the ids that are found. */
    public EveryMethod read() {
        for (Query query : List.of(
                Query.all(),
                Query.all().order(Query.Order.NEWEST).limit(7).offset(3),
                Query.all().tag("t1").limit(3),
                Query.all().tool("git").session("s2"),
                Query.words("quota zürich push"),
                Query.literal("of Zürich 1"),
                Query.regex("Z[a-zü]+h 2"))) {
            call(() -> show(store.search(query)));
        }
        ids.stream()
                .limit(SHOWN)
                .toList()
                .forEach(id -> call(() -> store.find(id).ifPresent(EveryMethod::show)));
        call(() -> show(store.recall(ToolCall.shell("git push b3"), ERROR)));
        call(() -> show(store.guard().before(ToolCall.shell("git push b3").session("s"))));
        for (Scan.Mode mode : Scan.Mode.values()) {
            call(() -> store.scan(Scan.of("quota").mode(mode)).json());
        }
        call(() -> store.stats().text());
        call(store::offers);
        call(() -> store.verify().findings());
        for (String line : List.of("/memory stats", "/memory list", "/memory search quota")) {
            call(() -> SlashCommands.on(store).execute(line, "s"));
        }
        return this;
    }

    /** Writes in every way. */
    public EveryMethod write() {
        call(() -> ids.add(store.recordFailure(Failure.of("git", "push", "fatal: quota of Bern"))
                .id()));
        call(() -> ids.add(store.recordSuccess(Success.of("git", "gc 1")).id()));
        call(() -> store.writeNote(Note.of("note", "quota")));
        call(() -> store.remember(Directive.parse("Never push on Friday")));
        ids.stream().limit(SHOWN).toList().forEach(this::change);
        call(() -> store.guard().failed(ToolCall.shell("git push b3").session("s"), ERROR));
        call(() -> store.guard().succeeded(ToolCall.shell("git push b3").session("s")));
        call(() -> store.guard().userSaid("s", "Always use tabs."));
        call(() -> store.guard().explain(ToolCall.shell("git push b3").session("s"), ERROR));
        call(() -> store.guard().flush(Duration.ofSeconds(20)));
        call(store::flush);
        return this;
    }

    private void change(String id) {
        call(() -> store.reportOutcome(id, Outcome.WORKED, "voter"));
        call(() -> store.amend(id, Amendment.pin()));
        call(() -> store.amend(id, Amendment.retag(Set.of("new"), Set.of("t1"))));
        call(() -> store.promote(id));
    }

    /** Compacts, restores and erases. */
    public EveryMethod maintain() {
        call(() -> {
            CompactionPlan plan = store.planCompaction(Retention.defaults().pruneAfter(Duration.ofDays(1)));
            plan.text();
            CompactionReport report = store.compact(plan);
            store.restore(report.backup());
        });
        ids.stream().limit(1).forEach(id -> call(() -> store.purge(Set.of(id), true)));
        return this;
    }

    private void show(Page page) {
        page.text();
        for (Match match : page.matches()) {
            require(!match.explanation().isEmpty() || match.score() == 0, "an explanation");
            show(match.entry());
            ids.add(match.entry().id());
        }
    }

    private static void show(Advice advice) {
        require(advice.tokens() >= 0 && advice.isEmpty() == advice.text().isEmpty(), "a text");
        advice.matches().forEach(match -> show(match.entry()));
    }

    private static void show(Entry entry) {
        require(!entry.id().isEmpty(), "an id");
        require(entry.ts() != null && entry.tags() != null && !entry.json().isEmpty(), "fields");
        if (entry instanceof Failure failure) {
            require(failure.blockLevel() != null && failure.triedAlso() != null, "a level");
        } else if (entry instanceof Success success) {
            require(success.keySteps() != null && Double.isFinite(success.confidence()), "a confidence");
        } else if (entry instanceof Directive directive) {
            require(directive.triple() != null && directive.strength() > 0, "a strength");
        }
    }

    private void call(Runnable call) {
        try {
            call.run();
        } catch (XMemException e) {
            require(!String.valueOf(e.getMessage()).isBlank(), "a reason");
            thrown.add(e);
        }
    }

    private static void require(boolean condition, String what) {
        if (!condition) {
            throw new AssertionError("missing: " + what);
        }
    }
}
