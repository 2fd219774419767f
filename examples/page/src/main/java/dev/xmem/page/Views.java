package dev.xmem.page;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.xmem.Directive;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Page;
import dev.xmem.Query;
import dev.xmem.RecallHistory;
import dev.xmem.RecallHistory.Recalled;
import dev.xmem.Stats;
import dev.xmem.Success;
import dev.xmem.SyncReport;
import dev.xmem.VerifyReport;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.spi.ContextHash;
import dev.xmem.spi.HashInput;
import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the page shows: one JSON object for each address below {@code /api/}. Thread-safe. */
final class Views implements AutoCloseable {
    static final int WEEKS = 12;

    private static final int DAYS = 28;
    private static final int PAGE = 50;
    private static final int MAX_ENTRIES = 300;
    private static final int MAX_SHOWN = 60;
    private static final int MAX_TOLD = 50;
    private static final int RELATED = 6;
    private static final int TOP = 30;
    /** The checks of a larger store take long: the page names the command instead. */
    private static final long MAX_VERIFIED = 50_000;

    private static final int NOT_FOUND = 404;
    private static final int MAX_FILES = 4_096;

    private final XMemStore store;
    private final Path folder;
    private final boolean readOnly;
    private final String actSecret;
    private final Families families;
    private final AtomicLong changes = new AtomicLong();
    private final AtomicReference<@Nullable Counted> counted = new AtomicReference<>();
    private final AtomicReference<@Nullable CompletableFuture<VerifyReport>> verified = new AtomicReference<>();

    /** The statistics of a version of the files: to count a large store takes long. */
    private record Counted(String version, Stats stats) {}

    Views(XMemStore store, Path folder, boolean readOnly, String actSecret) {
        this.store = store;
        this.folder = folder;
        this.readOnly = readOnly;
        this.actSecret = actSecret;
        this.families = new Families(store, changes::incrementAndGet);
    }

    /** An act changed the store. */
    void changed() {
        families.forget();
        changes.incrementAndGet();
    }

    String answer(String name, Map<String, String> given) throws IOException, Refusal {
        return switch (name) {
            case "hello" -> Json.object(this::hello);
            case "version" -> Json.object(out -> out.writeStringField("version", version() + '.' + changes.get()));
            case "overview" -> Json.object(this::overview);
            case "families" -> families(given);
            case "family" -> family(given.getOrDefault("hash", ""));
            case "needs" -> Json.object(this::needs);
            case "search" -> search(given);
            case "entry" -> entry(given.getOrDefault("id", ""));
            case "rules" -> entries(Entry.Kind.DIRECTIVE, given);
            case "journal" -> entries(Entry.Kind.NOTE, given);
            case "peers" -> Json.object(this::peers);
            default -> throw new Refusal(NOT_FOUND, "There is no such view.");
        };
    }

    private void hello(JsonGenerator out) throws IOException {
        out.writeStringField("act", actSecret);
        out.writeBooleanField("read_only", readOnly);
        Path name = folder.toAbsolutePath().normalize();
        Json.text(out, "store", name.toString(), EntryFields.LINE);
        Json.text(out, "command", Acts.command(folder, ""), EntryFields.LINE);
        Stats stats = stats();
        Json.texts(out, "tools", stats.topToolsByFailures(TOP).keySet(), 100);
        Json.texts(out, "tags", stats.topTags(TOP).keySet(), 100);
    }

    /** Changes whenever a file of the store does. */
    private String version() throws IOException {
        long hash = 0;
        try (Stream<Path> files = Files.walk(folder.resolve("data"), 3, new FileVisitOption[0])) {
            for (Path file : (Iterable<Path>) files.limit(MAX_FILES)::iterator) {
                hash = 31 * hash + stamp(file);
            }
        }
        return Long.toHexString(31 * hash + stamp(folder.resolve(".xmem").resolve("recalls.ndjson")));
    }

    private Stats stats() throws IOException {
        String version = version() + '.' + changes.get();
        Counted known = counted.get();
        if (known == null || !known.version.equals(version)) {
            known = new Counted(version, store.stats());
            counted.set(known);
        }
        return known.stats;
    }

    private static long stamp(Path file) {
        try {
            boolean isFile = Files.isRegularFile(file) && !file.endsWith("index.json");
            return isFile
                    ? file.hashCode()
                            + 31 * Files.size(file)
                            + Files.getLastModifiedTime(file).toMillis()
                    : 0;
        } catch (IOException e) {
            return 0;
        }
    }

    private Families.@Nullable Grouping grouping() throws IOException {
        return families.get(version(), false);
    }

    private void overview(JsonGenerator out) throws IOException {
        Stats stats = stats();
        RecallHistory history = stats.recalls();
        Families.Grouping grouping = families.get(version(), stats.failures() > Families.MAX_ENTRIES / 4);
        LocalDate today = LocalDate.now(ZoneOffset.UTC);
        boolean isWhole = grouping != null && stats.failures() <= Families.MAX_ENTRIES;
        // Statistics count what is dismissed or replaced, too.
        out.writeNumberField("failures", isWhole ? grouping.counted() : stats.failures());
        out.writeNumberField("successes", stats.successes());
        out.writeNumberField("directives", stats.directives());
        out.writeNumberField("notes", stats.notes());
        out.writeNumberField("told", history.told());
        out.writeNumberField("worked", history.worked());
        out.writeNumberField("tokens", history.tokens());
        out.writeNumberField(
                "sessions",
                history.days().stream().mapToLong(RecallHistory.Day::sessions).sum());
        Map<LocalDate, Trend.Count> stored = grouping == null ? Map.of() : grouping.byDay();
        Trend.of(history, stored, today, WEEKS).write(out);
        days(out, history, grouping, today);
        out.writeBooleanField("grouped", grouping != null);
        if (grouping != null) {
            out.writeNumberField("counted", grouping.counted());
            out.writeNumberField("families", grouping.byHash().size());
            Instant now = Instant.now();
            out.writeNumberField("needs", needing(grouping, Family::needsLesson).size());
            out.writeNumberField(
                    "doubtful",
                    needing(grouping, family -> family.isContradicted() || family.isStale(now))
                            .size());
            out.writeNumberField("pairs", grouping.pairs().size());
            Json.array(out, "costliest", first(sorted(grouping, "costliest"), 5), Views::write);
            Json.array(out, "unhelpful", first(sorted(grouping, "unhelpful"), 5), Views::write);
        }
        health(out, stats);
    }

    private static void write(JsonGenerator out, Family family) throws IOException {
        family.write(out);
    }

    private static <T> List<T> first(List<T> all, int most) {
        return all.subList(0, Math.min(most, all.size()));
    }

    /** The last weeks, day by day: failures, new families and tokens. */
    private static void days(
            JsonGenerator out, RecallHistory history, Families.@Nullable Grouping grouping, LocalDate today)
            throws IOException {
        Map<LocalDate, RecallHistory.Day> seen = new LinkedHashMap<>();
        history.days().forEach(day -> seen.put(day.day(), day));
        List<LocalDate> days = new ArrayList<>();
        for (int i = DAYS - 1; i >= 0; i--) {
            days.add(today.minusDays(i));
        }
        Json.array(out, "days", days, (o, day) -> {
            RecallHistory.Day guard = seen.get(day);
            Trend.Count stored = grouping == null ? null : grouping.byDay().get(day);
            long recorded = stored == null ? 0 : stored.failures();
            o.writeStringField("day", day.toString());
            o.writeNumberField("failures", Math.max(recorded, guard == null ? 0 : guard.failures()));
            o.writeNumberField("new", grouping == null ? 0 : grouping.newByDay().getOrDefault(day, 0));
            o.writeNumberField("tokens", guard == null ? 0 : guard.tokens());
            o.writeNumberField("sessions", guard == null ? 0 : guard.sessions());
        });
    }

    private void health(JsonGenerator out, Stats stats) throws IOException {
        long bytes =
                stats.fileBytes().values().stream().mapToLong(Long::longValue).sum();
        boolean small = stats.failures() + stats.successes() + stats.notes() <= MAX_VERIFIED;
        Json.object(out, "health", o -> {
            o.writeNumberField("bytes", bytes);
            o.writeNumberField("index_bytes", stats.indexBytes());
            o.writeNumberField("malformed", stats.malformedLines());
            o.writeNumberField("dropped", stats.guardDropped());
            o.writeNumberField("unavailable", stats.guardUnavailable());
            Json.time(o, "last_compaction", stats.lastCompaction());
            Json.text(o, "compaction_due", stats.compactionDue(), EntryFields.LONG);
            VerifyReport report = small ? verified() : null;
            o.writeBooleanField("verified", report != null);
            o.writeBooleanField("verifiable", small);
            if (report != null) {
                o.writeNumberField("findings", report.count());
                Json.texts(o, "finding", first(report.findings(), 10), EntryFields.LONG);
            }
            SyncReport sync = stats.sync();
            Json.text(o, "sync", sync == null ? null : sync.backend(), EntryFields.LINE);
            Json.text(o, "sync_error", sync == null ? null : sync.lastError(), EntryFields.LINE);
            Json.time(o, "sync_success", sync == null ? null : sync.lastSuccess());
            Json.texts(o, "backups", backups(), 100);
        });
    }

    private List<String> backups() throws IOException {
        Path backups = folder.resolve("data").resolve("backup");
        if (!Files.isDirectory(backups)) {
            return List.of();
        }
        try (Stream<Path> found = Files.list(backups)) {
            return found.map(path -> path.getFileName().toString())
                    .sorted(Comparator.reverseOrder())
                    .limit(10)
                    .toList();
        }
    }

    /** The result of a check that runs once in the background; null until it is complete. */
    private @Nullable VerifyReport verified() {
        CompletableFuture<VerifyReport> running = verified.get();
        if (running == null) {
            running = new CompletableFuture<>();
            if (verified.compareAndSet(null, running)) {
                running.completeAsync(store::verify).whenComplete((report, failure) -> changes.incrementAndGet());
            }
        }
        return running.isDone() && !running.isCompletedExceptionally() ? running.join() : null;
    }

    private static List<Family> needing(Families.Grouping grouping, Predicate<Family> need) {
        return grouping.byHash().values().stream()
                .filter(need)
                .sorted(Comparator.comparingInt((Family family) -> -family.count))
                .toList();
    }

    private static List<Family> sorted(Families.Grouping grouping, String by) {
        Comparator<Family> byCount = Comparator.comparingInt((Family family) -> -family.count);
        Comparator<Family> order = switch (by) {
            case "costliest" ->
                Comparator.comparingInt(Family::thisWeek).reversed().thenComparing(byCount);
            case "frequent", "lessonless" -> byCount;
            case "unhelpful" -> Comparator.comparingInt(Family::disappointment).reversed();
            default -> (one, other) -> 0;
        };
        return grouping.byHash().values().stream()
                .filter(family -> !by.equals("unhelpful") || family.disappointment() > 0)
                .filter(family -> !by.equals("lessonless") || !family.hasLesson())
                .sorted(order.thenComparing(Comparator.comparing(Family::last).reversed()))
                .toList();
    }

    private String families(Map<String, String> given) throws IOException, Refusal {
        Families.Grouping grouping = grouping();
        int offset = number(given.get("offset"));
        String filter = given.getOrDefault("q", "").toLowerCase(Locale.ROOT).strip();
        List<Family> sorted = grouping == null ? List.of() : sorted(grouping, given.getOrDefault("sort", "newest"));
        List<Family> found = filter.isEmpty()
                ? sorted
                : sorted.stream()
                        .filter(family -> (family.hash() + ' ' + family.newest.error())
                                .toLowerCase(Locale.ROOT)
                                .contains(filter))
                        .toList();
        return Json.object(out -> {
            out.writeBooleanField("grouped", grouping != null);
            out.writeNumberField("counted", grouping == null ? 0 : grouping.counted());
            out.writeNumberField("total", found.size());
            out.writeNumberField("offset", offset);
            int begin = Math.min(offset, found.size());
            Json.array(out, "rows", found.subList(begin, Math.min(begin + PAGE, found.size())), Views::write);
        });
    }

    private static int number(@Nullable String text) throws Refusal {
        if (text == null) {
            return 0;
        }
        if (!text.matches("[0-9]{1,7}")) {
            throw new Refusal("The offset must be a number.");
        }
        return Integer.parseInt(text);
    }

    private String family(String hash) throws IOException, Refusal {
        Query ofHash = Query.all().ctxHash(hash);
        List<EntryFields> shown = new ArrayList<>();
        Family[] found = new Family[1];
        Instant now = Instant.now();
        Families.each(store, ofHash.kind(Entry.Kind.FAILURE).order(Query.Order.NEWEST), MAX_ENTRIES, match -> {
            EntryFields fields = new EntryFields(match.entry());
            if (match.entry() instanceof Failure failure) {
                found[0] = found[0] == null ? new Family(failure) : found[0];
                found[0].add(fields, failure, now);
                shown.add(fields);
            }
            return true;
        });
        Family family = found[0];
        if (family == null) {
            throw new Refusal(NOT_FOUND, "No failure of this family is shown; it may be dismissed.");
        }
        Map<String, EntryFields> fixes = new LinkedHashMap<>();
        Families.each(store, ofHash.kind(Entry.Kind.SUCCESS), MAX_SHOWN, match -> {
            fixes.put(match.entry().id(), new EntryFields(match.entry()));
            return true;
        });
        Families.Grouping grouping = grouping();
        Family grouped = grouping == null ? null : grouping.byHash().get(hash);
        if (grouped != null) {
            for (EntryFields fix : grouped.fixes) {
                store.find(fix.entry.id()).map(EntryFields::new).ifPresent(fresh -> fixes.put(fresh.entry.id(), fresh));
            }
        }
        fixes.values().removeIf(EntryFields::isHidden);
        fixes.values().forEach(fix -> family.addFix(fix, (Success) fix.entry));
        List<Recalled> told = new ArrayList<>();
        for (Recalled recall : stats().recalls().recalls()) {
            if (recall.ctxHash().equals(hash)) {
                family.addRecall(recall, now);
                told.add(0, recall);
            }
        }
        long total = store.search(ofHash.kind(Entry.Kind.FAILURE)
                        .layout(Query.Layout.DATA)
                        .limit(1))
                .total();
        List<Failure> related = related(family);
        return Json.object(out -> {
            family.write(out);
            out.writeNumberField("total", total);
            explain(out, family);
            Json.array(out, "failures", first(shown, MAX_SHOWN), (o, fields) -> fields.row(o));
            Json.array(out, "fixed_by", fixes.values(), (o, fields) -> fields.row(o));
            Json.array(out, "recalls", first(told, MAX_TOLD), Views::recall);
            Json.array(out, "related", related, (o, failure) -> {
                Json.text(o, "hash", failure.ctxHash(), 200);
                Json.text(o, "error", failure.error(), EntryFields.LINE);
            });
        });
    }

    /** How the hasher comes to the family of the newest failure. */
    private static void explain(JsonGenerator out, Family family) throws IOException {
        Failure newest = family.newest;
        String evidence = new EntryFields(newest).evidence();
        ContextHash hash =
                XMem.hasher().hash(HashInput.of(newest.tool(), newest.action()).error(evidence, null));
        Json.object(out, "explained", o -> {
            Json.text(o, "tool", hash.tool(), 200);
            Json.text(o, "action", hash.action(), 200);
            Json.text(o, "pattern", hash.pattern(), 200);
            Json.text(o, "subject", hash.subject(), 200);
            Json.text(o, "why", hash.explanation(), EntryFields.LONG);
            o.writeBooleanField("same", hash.value().equals(family.hash()));
        });
    }

    private static void recall(JsonGenerator out, Recalled recall) throws IOException {
        Json.time(out, "ts", recall.ts());
        Json.text(out, "session", recall.session(), 12);
        out.writeStringField("door", recall.door().name().toLowerCase(Locale.ROOT));
        out.writeStringField("result", recall.result().name().toLowerCase(Locale.ROOT));
        out.writeNumberField("tokens", recall.tokens());
        out.writeBooleanField("repeat", recall.isRepeat());
        Json.text(out, "text", recall.text(), EntryFields.LONG);
        Json.texts(out, "ids", recall.ids(), 200);
        Json.texts(out, "followed", recall.followed(), 200);
    }

    private List<Failure> related(Family family) {
        Map<String, Failure> related = new LinkedHashMap<>();
        String words = Json.shown(family.newest.error(), EntryFields.LINE);
        if (!words.isBlank()) {
            Query like = Query.words(words).kind(Entry.Kind.FAILURE).layout(Query.Layout.DATA);
            for (Match match : store.search(like).matches()) {
                if (match.entry() instanceof Failure failure
                        && !failure.ctxHash().equals(family.hash())) {
                    related.putIfAbsent(failure.ctxHash(), failure);
                }
            }
        }
        return first(List.copyOf(related.values()), RELATED);
    }

    private void needs(JsonGenerator out) throws IOException {
        Families.Grouping grouping = grouping();
        out.writeBooleanField("grouped", grouping != null);
        if (grouping != null) {
            Instant now = Instant.now();
            Json.array(out, "lessons", first(needing(grouping, Family::needsLesson), MAX_SHOWN), Views::write);
            Json.array(out, "pairs", first(grouping.pairs(), MAX_SHOWN), (o, fields) -> {
                fields.row(o);
                o.writeNumberField(
                        "times", grouping.times().get(grouping.pairs().indexOf(fields)));
            });
            Json.array(out, "contradicted", first(needing(grouping, Family::isContradicted), MAX_SHOWN), Views::write);
            Json.array(out, "stale", first(needing(grouping, family -> family.isStale(now)), MAX_SHOWN), Views::write);
        }
        List<EntryFields> conflicts = new ArrayList<>();
        Families.each(store, Query.all().kind(Entry.Kind.DIRECTIVE).tag("conflict"), MAX_SHOWN, match -> {
            conflicts.add(new EntryFields(match.entry()));
            return true;
        });
        Json.array(out, "conflicts", conflicts, (o, fields) -> fields.row(o));
        List<EntryFields> promotable = new ArrayList<>();
        first(stats().promotable(), MAX_SHOWN)
                .forEach(id -> store.find(id).map(EntryFields::new).ifPresent(promotable::add));
        Json.array(out, "promotable", promotable, (o, fields) -> fields.row(o));
    }

    private String search(Map<String, String> given) {
        Query query = Query.parse(given.getOrDefault("q", "")).layout(Query.Layout.DATA);
        // Pages of one size, since a cursor goes with its query; the limit that was asked for ends the last one.
        int loaded = Math.max(0, Integer.parseInt(given.getOrDefault("loaded", "0")));
        int left = query.limit() == Query.MAX_ENTRIES ? PAGE + 1 : Math.max(0, query.limit() - loaded);
        return page(query.limit(PAGE), given.get("cursor"), left);
    }

    private String entries(Entry.Kind kind, Map<String, String> given) {
        Query query = Query.all().kind(kind).order(Query.Order.NEWEST).layout(Query.Layout.DATA);
        return page(query.limit(PAGE), given.get("cursor"), PAGE + 1);
    }

    /** @param left at most this many rows; if the page has as many, it is the last */
    private String page(Query query, @Nullable String cursor, int left) {
        Page page = store.search(cursor == null || cursor.isEmpty() ? query : query.after(cursor));
        return Json.object(out -> {
            out.writeNumberField("total", page.total());
            out.writeBooleanField("exact", page.totalIsExact());
            Json.text(out, "cursor", page.matches().size() < left ? page.cursor() : null, EntryFields.LONG);
            Json.array(out, "rows", first(page.matches(), left), (o, match) -> {
                new EntryFields(match.entry()).row(o);
                Json.text(o, "why", match.explanation(), EntryFields.LINE);
            });
        });
    }

    private String entry(String id) throws Refusal {
        Entry entry;
        try {
            entry = store.find(id).orElse(null);
        } catch (XMemException.AmbiguousId e) {
            throw new Refusal(NOT_FOUND, String.valueOf(e.getMessage()));
        }
        if (entry == null) {
            throw new Refusal(NOT_FOUND, "There is no entry " + Json.shown(id, 100) + ".");
        }
        EntryFields fields = new EntryFields(entry);
        boolean isConflict = entry instanceof Directive && entry.tags().contains("conflict");
        return Json.object(out -> {
            fields.all(out);
            out.writeBooleanField("conflict", isConflict);
        });
    }

    private void peers(JsonGenerator out) throws IOException {
        SyncReport sync = store.stats().sync();
        Json.text(out, "backend", sync == null ? null : sync.backend(), EntryFields.LINE);
        if (sync != null) {
            Json.text(out, "replica", sync.replica(), 64);
            out.writeNumberField("published", sync.published());
            out.writeNumberField("imported", sync.imported());
            out.writeNumberField("pending", sync.pending());
            Json.time(out, "last_success", sync.lastSuccess());
            Json.text(out, "last_error", sync.lastError(), EntryFields.LINE);
            Json.texts(out, "refused", first(sync.refused(), MAX_SHOWN), EntryFields.LONG);
            Json.texts(
                    out,
                    "unread",
                    first(sync.unread(), MAX_SHOWN).stream()
                            .map(SyncReport.Unread::text)
                            .toList(),
                    EntryFields.LONG);
        }
        Path peers = folder.resolve("data").resolve("peers");
        List<Path> found = List.of();
        if (Files.isDirectory(peers)) {
            try (Stream<Path> replicas = Files.list(peers)) {
                found = replicas.filter(Files::isDirectory)
                        .sorted()
                        .limit(MAX_SHOWN)
                        .toList();
            }
        }
        Json.array(out, "peers", found, (o, peer) -> {
            Json.text(o, "replica", peer.getFileName().toString(), 64);
            try (Stream<Path> files = Files.list(peer)) {
                Json.array(
                        o,
                        "files",
                        first(files.filter(Files::isRegularFile).sorted().toList(), 40),
                        (each, file) -> {
                            Json.text(each, "name", file.getFileName().toString(), 100);
                            each.writeNumberField("bytes", Files.size(file));
                            Json.time(
                                    each, "ts", Files.getLastModifiedTime(file).toInstant());
                        });
            }
        });
    }

    @Override
    public void close() {
        families.close();
    }
}
