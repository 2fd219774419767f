package dev.xmem.core;

import dev.xmem.Advice;
import dev.xmem.Entry;
import dev.xmem.EntryDraft;
import dev.xmem.Failure;
import dev.xmem.Outcome;
import dev.xmem.ToolError;
import dev.xmem.core.agent.guard.GuardStore;
import dev.xmem.core.base.config.LogName;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.store.index.LogIndex;
import dev.xmem.core.store.index.LogSnapshot;
import dev.xmem.core.store.segment.IndexedField;
import dev.xmem.core.store.segment.Postings;
import dev.xmem.core.text.hash.Excerpt;
import dev.xmem.spi.HashInput;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The store as a guard sees it. */
final class GuardBackend implements GuardStore {
    private final DefaultStore store;
    private final StoreAssembly parts;

    GuardBackend(DefaultStore store, StoreAssembly parts) {
        this.store = store;
        this.parts = parts;
    }

    @Override
    public boolean isOpen() {
        return store.isOpen();
    }

    @Override
    public boolean isWritable() {
        return parts.writeSide != null;
    }

    @Override
    public Instant now() {
        return store.clock().instant();
    }

    @Override
    public String redact(String tool, String action) {
        return parts.redaction.cleanAction(tool, parts.redaction.clean(action));
    }

    @Override
    public String redact(String output) {
        return parts.redaction.clean(output);
    }

    @Override
    public String operation(String tool, String action) {
        return parts.config.hasher().hash(HashInput.of(tool, action)).value();
    }

    @Override
    public String family(String tool, String action, String output) {
        String kept = Excerpt.of(tool, action, parts.redaction.clean(output)).text();
        return parts.config
                .hasher()
                .hash(HashInput.of(tool, action).error(kept, null))
                .value();
    }

    /** Never waits for a writer: while one holds the lock, it uses what is indexed. */
    @Override
    public Recalled recall(String tool, String action, ToolError error) throws IOException {
        return parts.recovery.withRetry(() -> store.recall(parts.registry.wholeIfFree(), tool, action, error));
    }

    @Override
    public int failures(int from, int most, Consumer<Failure> each) throws IOException {
        LogSnapshot view = failures();
        for (int ordinal = Math.max(from, view.count() - most); ordinal < view.count() && isOpen(); ordinal++) {
            pass(view, ordinal, each);
        }
        return view.count();
    }

    @Override
    public void failuresOf(String tool, String operation, int most, Consumer<Failure> each) throws IOException {
        LogSnapshot view = failures();
        LogIndex log = view.index();
        NavigableSet<Integer> ordinals = new TreeSet<>();
        for (String hash : log.hashesOf(operation, most)) {
            addNewest(log.withHash(hash), view.count(), most, ordinals);
        }
        while (ordinals.size() > most) {
            ordinals.pollFirst();
        }
        addNewest(log.withName(IndexedField.TOOL, tool), view.count(), most, ordinals);
        for (int ordinal : ordinals) {
            if (isOpen()) {
                pass(view, ordinal, each);
            }
        }
    }

    private static void addNewest(Postings lines, int below, int most, NavigableSet<Integer> ordinals) {
        int count = lines.countBelow(below);
        for (int i = Math.max(0, count - most); i < count; i++) {
            ordinals.add(lines.at(i));
        }
    }

    private LogSnapshot failures() throws IOException {
        return parts.registry.wholeIfFree().logs().get(parts.registry.names().indexOf(LogName.FAILURES));
    }

    private void pass(LogSnapshot view, int ordinal, Consumer<Failure> each) throws IOException {
        LogIndex log = view.index();
        boolean failure = log.lines().kind(ordinal) == Entry.Kind.FAILURE && view.shows(ordinal);
        if (failure && parts.entries.entry(log, ordinal) instanceof Failure stored) {
            each.accept(stored);
        }
    }

    @Override
    public Entry record(EntryDraft draft) throws IOException {
        return store.append(List.of(draft)).get(0);
    }

    @Override
    public boolean vote(String id, Outcome outcome, String session) throws IOException {
        return isWritable() && store.vote(id, outcome, session);
    }

    @Override
    public FileSystem files() {
        return parts.files;
    }

    @Override
    public Path localFolder() {
        return parts.paths.local();
    }

    @Override
    public boolean sharesSessions() {
        return parts.config.sharedSessions();
    }

    @Override
    public boolean hintsAtLessons() {
        return parts.config.lessonHint() != null;
    }

    @Override
    public @Nullable String lessonHint(String failureId) {
        UnaryOperator<String> hint = parts.config.lessonHint();
        return hint == null ? null : hint.apply(failureId);
    }

    @Override
    public String fenced(String body) {
        return parts.fence.around(body);
    }

    @Override
    public int tokens(String text) {
        return parts.config.tokens().estimate(text);
    }

    @Override
    public boolean runNow(Runnable task) {
        return parts.config.resources().background().runNow(task);
    }

    @Override
    public void runLater(Runnable task, Duration delay) {
        parts.config.resources().background().schedule(task, delay);
    }

    @Override
    public void countRecall(@Nullable Advice advice) {
        parts.metrics.recalled(advice);
    }

    @Override
    public void countUnavailable() {
        parts.metrics.guardUnavailable.increment();
    }

    @Override
    public void countDropped() {
        parts.metrics.guardDropped.increment();
    }
}
