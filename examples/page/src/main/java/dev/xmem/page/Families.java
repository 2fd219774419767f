package dev.xmem.page;

import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Page;
import dev.xmem.Query;
import dev.xmem.RecallHistory;
import dev.xmem.Success;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Groups the newest {@value #MAX_ENTRIES} failures and successes of a store into families, on a thread of its own: at
 * once if the store is small, else while the page shows what needs no grouping. Thread-safe.
 */
final class Families implements AutoCloseable {
    static final int MAX_ENTRIES = 20_000;

    private static final int SMALL = 3_000;
    private static final long WAIT_MILLIS = 1_000;
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final XMemStore store;
    private final Runnable done;
    private @Nullable Grouping current;
    private @Nullable CompletableFuture<Grouping> running;
    private String currentVersion = "";
    private int generation;
    private long lastNanos;
    private volatile boolean closed;

    /** @param done called when a grouping is complete */
    Families(XMemStore store, Runnable done) {
        this.store = store;
        this.done = done;
    }

    /**
     * The families at one moment. Immutable.
     *
     * @param byHash the families, newest first
     * @param byDay the failures of the store by day, and how many of them were of a family that it had before
     * @param counted the number of failures that were grouped
     * @param pairs successes that were mined from retries and are not judged yet, newest first: one of each kind
     * @param times how many there are of each kind, in the same order
     */
    record Grouping(
            Map<String, Family> byHash,
            Map<LocalDate, Trend.Count> byDay,
            Map<LocalDate, Integer> newByDay,
            int counted,
            List<EntryFields> pairs,
            List<Integer> times) {}

    /**
     * The newest grouping; begins another one if the store has changed. Null while there is none.
     *
     * @param version changes with the store
     * @param isLarge whether not to wait for the first one
     */
    @Nullable Grouping get(String version, boolean isLarge) {
        CompletableFuture<Grouping> wait;
        synchronized (this) {
            boolean isOld = !version.equals(currentVersion);
            boolean mayBegin =
                    current == null || current.counted <= SMALL || System.nanoTime() - lastNanos > PAUSE_NANOS;
            if (isOld && mayBegin && running == null && !closed) {
                currentVersion = version;
                int mine = ++generation;
                running = CompletableFuture.supplyAsync(this::group, Families::start)
                        .whenCompleteAsync((grouping, failure) -> ended(mine, grouping), Families::start);
            }
            boolean isSmall = current == null ? !isLarge : current.counted <= SMALL;
            wait = isSmall ? running : null;
        }
        if (wait != null) {
            try {
                return wait.get(WAIT_MILLIS, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (ExecutionException | TimeoutException e) {
                // the one before, if there is one
            }
        }
        synchronized (this) {
            return current;
        }
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "xmem-page-families");
        thread.setDaemon(true);
        thread.setPriority(Thread.MIN_PRIORITY);
        thread.start();
    }

    private void ended(int its, @Nullable Grouping grouping) {
        synchronized (this) {
            if (its != generation) {
                return; // the store changed while it was grouped
            }
            current = grouping == null ? current : grouping;
            currentVersion = grouping == null ? "" : currentVersion;
            running = null;
            lastNanos = System.nanoTime();
        }
        done.run();
    }

    /** Begins again at the next question. */
    synchronized void forget() {
        generation++;
        running = null;
        currentVersion = "";
        lastNanos = System.nanoTime() - 2 * PAUSE_NANOS;
    }

    private Grouping group() {
        return group(fields -> true);
    }

    /** Groups the entries that are to be grouped now, on the calling thread. */
    Grouping group(Predicate<EntryFields> filter) {
        Instant now = Instant.now();
        Map<String, Family> families = new LinkedHashMap<>();
        Map<String, String> hashes = new HashMap<>();
        List<Failure> failures = new ArrayList<>();
        each(Entry.Kind.FAILURE, match -> {
            EntryFields fields = new EntryFields(match.entry());
            if (match.entry() instanceof Failure failure && !fields.isHidden() && filter.test(fields)) {
                families.computeIfAbsent(failure.ctxHash(), hash -> new Family(failure))
                        .add(fields, failure, now);
                hashes.put(failure.id(), failure.ctxHash());
                failures.add(failure);
            }
        });
        Map<String, List<EntryFields>> pairs = new LinkedHashMap<>();
        Set<String> judged = new HashSet<>();
        each(Entry.Kind.SUCCESS, match -> {
            EntryFields fields = new EntryFields(match.entry());
            if (match.entry() instanceof Success success && !fields.isHidden() && filter.test(fields)) {
                Set<String> answered = new HashSet<>();
                success.answers().forEach(id -> answered.add(hashes.computeIfAbsent(id, this::ofReplaced)));
                answered.stream()
                        .map(families::get)
                        .filter(family -> family != null)
                        .forEach(family -> family.addFix(fields, success));
                String lesson = success.ctxHash() + '\n' + success.patternName();
                if (fields.isPinned() || fields.votes("worked") + fields.votes("failed") > 0) {
                    judged.add(lesson);
                } else if (success.tags().contains("retry")) {
                    pairs.computeIfAbsent(lesson, first -> new ArrayList<>()).add(fields);
                }
            }
        });
        RecallHistory history = store.stats().recalls();
        history.recalls().forEach(recall -> {
            Family family = families.get(recall.ctxHash());
            if (family != null) {
                family.addRecall(recall, now);
            }
        });
        pairs.keySet().removeAll(judged);
        return new Grouping(
                families,
                byDay(failures),
                newByDay(failures),
                failures.size(),
                pairs.values().stream().map(same -> same.get(0)).toList(),
                pairs.values().stream().map(List::size).toList());
    }

    /** The hash of a failure that another one replaces, which has its hash; empty if it is not replaced. */
    private String ofReplaced(String id) {
        try {
            return store.find(id)
                    .filter(entry -> new EntryFields(entry).isReplaced())
                    .map(entry -> entry instanceof Failure failure ? failure.ctxHash() : "")
                    .orElse("");
        } catch (XMemException e) {
            return "";
        }
    }

    private static Map<LocalDate, Trend.Count> byDay(List<Failure> newestFirst) {
        Map<LocalDate, Trend.Count> days = new TreeMap<>();
        Set<String> met = new HashSet<>();
        for (int i = newestFirst.size() - 1; i >= 0; i--) {
            Failure failure = newestFirst.get(i);
            long repeat = met.add(failure.ctxHash()) ? 0 : 1;
            days.merge(day(failure), new Trend.Count(1, repeat), Trend.Count::plus);
        }
        return days;
    }

    private static Map<LocalDate, Integer> newByDay(List<Failure> newestFirst) {
        Map<String, LocalDate> firsts = new HashMap<>();
        newestFirst.forEach(failure -> firsts.put(failure.ctxHash(), day(failure)));
        Map<LocalDate, Integer> days = new TreeMap<>();
        firsts.values().forEach(day -> days.merge(day, 1, Integer::sum));
        return days;
    }

    private static LocalDate day(Failure failure) {
        Instant ts = failure.ts();
        Instant bounded = ts.isAfter(Instant.now()) ? Instant.now() : ts;
        return LocalDate.ofInstant(bounded.isBefore(Instant.EPOCH) ? Instant.EPOCH : bounded, ZoneOffset.UTC);
    }

    private void each(Entry.Kind kind, Consumer<Match> consumer) {
        each(store, Query.all().kind(kind).order(Query.Order.NEWEST), MAX_ENTRIES, match -> {
            consumer.accept(match);
            return !closed;
        });
    }

    /** Passes the entries of a query to a consumer until it returns false, or at most a number of them. */
    static void each(XMemStore store, Query query, int most, Predicate<Match> consumer) {
        Query next = query.layout(Query.Layout.DATA).limit(Query.MAX_ENTRIES);
        int count = 0;
        while (count < most) {
            Page page;
            try {
                page = store.search(next);
            } catch (XMemException.Closed e) {
                return;
            }
            for (Match match : page.matches()) {
                count++;
                if (!consumer.test(match)) {
                    return;
                }
            }
            String cursor = page.cursor();
            if (cursor == null) {
                return;
            }
            next = next.after(cursor);
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
