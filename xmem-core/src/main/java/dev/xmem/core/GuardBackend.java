package dev.xmem.core;

import dev.xmem.Advice;
import dev.xmem.Entry;
import dev.xmem.EntryDraft;
import dev.xmem.Failure;
import dev.xmem.GuardListener;
import dev.xmem.Outcome;
import dev.xmem.Page;
import dev.xmem.Query;
import dev.xmem.ToolError;
import dev.xmem.core.agent.guard.GuardStore;
import dev.xmem.core.base.config.LogName;
import dev.xmem.core.base.config.StoreConfig;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.base.trace.Log;
import dev.xmem.core.store.index.LogIndex;
import dev.xmem.core.store.index.LogSnapshot;
import dev.xmem.core.store.index.StoreSnapshot;
import dev.xmem.core.text.hash.RuleBasedHasher;
import dev.xmem.core.text.redact.Redaction;
import dev.xmem.spi.ContextHash;
import dev.xmem.spi.HashInput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The store as a guard sees it. */
final class GuardBackend implements GuardStore {
    /** How many failures of a tool are looked at for each one that is wanted, where its hashes tell no operation. */
    private static final int REACH = 8;

    private final DefaultStore store;
    private final StoreAssembly parts;

    GuardBackend(DefaultStore store, StoreAssembly parts) {
        this.store = store;
        this.parts = parts;
    }

    @Override
    public StoreConfig config() {
        return parts.config;
    }

    @Override
    public FileSystem files() {
        return parts.files;
    }

    @Override
    public Redaction redaction() {
        return parts.redaction;
    }

    @Override
    public boolean isOpen() {
        return store.isOpen();
    }

    @Override
    public boolean callsPlugins() {
        return parts.config.redactor() != null || CheckedPlugins.isPlugin(parts.config.hasher());
    }

    /** Never waits for a writer: while one holds the lock, it uses what is indexed. */
    @Override
    public Recalled recall(String tool, String action, ToolError error) throws IOException {
        return parts.recovery.withRetry(() -> store.recall(parts.registry.wholeIfFree(), tool, action, error));
    }

    @Override
    public Version version() {
        LogIndex log = parts.registry.log(LogName.FAILURES);
        return new Version(log.identity(), log.count());
    }

    private static Version version(LogSnapshot view) {
        return new Version(view.index().identity(), view.count());
    }

    @Override
    public void refresh() throws IOException {
        parts.registry.wholeIfFree();
    }

    @Override
    public void failures(int most, FailureConsumer each) throws IOException {
        LogSnapshot view = failures(parts.registry.wholeIfFree());
        for (int line = Math.max(0, view.count() - most); line < view.count() && isOpen(); line++) {
            pass(view, line, each);
        }
    }

    @Override
    public Version failuresOf(String tool, String action, int most, FailureConsumer each) throws IOException {
        LogSnapshot view = failures(parts.registry.wholeIfFree());
        ContextHash call = parts.config.hasher().hash(HashInput.of(tool, action));
        String operation = call.value();
        int reach = RuleBasedHasher.isByOperation(call.tool()) ? most : REACH * most;
        NavigableSet<Integer> lines = view.newestWithHash(operation, hash -> isOf(operation, hash), most);
        lines.addAll(view.newestWithHash(
                call.tool() + '-', hash -> RuleBasedHasher.isOfAnyOperation(call.tool(), hash), reach));
        lines.addAll(view.newestOfTool(tool, reach));
        Map<String, Boolean> same = new HashMap<>(); // many failures are of equal calls
        NavigableMap<Integer, Failure> found = new TreeMap<>();
        for (Iterator<Integer> newest = lines.descendingIterator();
                newest.hasNext() && found.size() < most && isOpen(); ) {
            pass(view, newest.next(), (line, failure) -> {
                String key = failure.tool() + '\n' + failure.action();
                if (same.computeIfAbsent(key, given -> operation.equals(operation(failure)))) {
                    found.put(line, failure);
                }
            });
        }
        for (Map.Entry<Integer, Failure> one : found.entrySet()) {
            each.accept(one.getKey(), one.getValue());
        }
        return version(view);
    }

    private String operation(Failure failure) {
        return operation(failure.tool(), redact(failure.tool(), failure.action()));
    }

    /** Whether a hash that begins with an operation does not begin with a longer word. */
    private static boolean isOf(String operation, String hash) {
        return hash.length() == operation.length() || !Character.isLetterOrDigit(hash.charAt(operation.length()));
    }

    private LogSnapshot failures(StoreSnapshot snapshot) {
        return snapshot.logs().get(parts.registry.names().indexOf(LogName.FAILURES));
    }

    private void pass(LogSnapshot view, int line, FailureConsumer each) throws IOException {
        LogIndex log = view.index();
        boolean failure = log.lines().kind(line) == Entry.Kind.FAILURE && view.shows(line);
        if (failure && parts.entries.entry(log, line) instanceof Failure stored) {
            each.accept(line, stored);
        }
    }

    @Override
    public String rules(String message, int most) {
        Page page = store.search(Query.words(message).kind(Entry.Kind.DIRECTIVE).limit(most));
        return page.matches().isEmpty() ? "" : page.text();
    }

    @Override
    public Optional<Entry> find(String id) {
        try {
            return parts.recovery.withRetry(() -> store.lookUp(id, parts.registry.whole()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Set<String> existing(Set<String> ids) {
        try {
            return parts.recovery.withRetry(() -> {
                StoreSnapshot logs = parts.registry.whole();
                Set<String> found = new HashSet<>();
                for (String id : ids) {
                    if (store.lookUp(id, logs).isPresent()) {
                        found.add(id);
                    }
                }
                return found;
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Entry record(EntryDraft draft) throws IOException {
        return store.writeSide().append(List.of(draft)).get(0);
    }

    @Override
    @SuppressWarnings("CatchingUnchecked")
    public boolean vote(String id, Outcome outcome, String session) throws IOException {
        boolean written = isWritable() && store.guardVote(id, outcome, session);
        for (GuardListener listener : written ? parts.config.guardListeners() : List.<GuardListener>of()) {
            try {
                listener.followed(id, outcome);
            } catch (Throwable e) {
                Log.debug("a listener failed: " + e.getClass().getName(), null);
            }
        }
        return written;
    }

    @Override
    public String fenced(String body) {
        return parts.fence.around(body);
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
