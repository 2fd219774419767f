package dev.xmem.transcripts;

import dev.xmem.Advice;
import dev.xmem.Entry;
import dev.xmem.EntryDraft;
import dev.xmem.JsonDraft;
import dev.xmem.Match;
import dev.xmem.Query;
import dev.xmem.Success;
import dev.xmem.XMemStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Records the failures of transcripts in a store, with their times, sessions and folders, and the retry pairs that a
 * guard would have learned from them. Each call is recorded once, however often it is read; the failures of one family
 * and operation in one session within an hour are one entry with their count. A call that hooks recorded before is not
 * recorded again. Not thread-safe.
 */
public final class TranscriptImport {
    private static final long CONTEXT_BYTES = 1 << 20;
    private static final long MAX_TAIL_BYTES = 32 << 20;
    private static final int MAX_PENDING = 512;
    private static final int MAX_NEAR = 64;
    private static final int MAX_REMEMBERED = 4096;
    private static final Duration HOUR = Duration.ofHours(1);

    private final XMemStore store;
    private final DraftWriter writer;
    private final @Nullable Path folder;
    private final boolean dryRun;
    private final @Nullable Instant since;
    private final LongConsumer progress;

    private final LongSet seen = new LongSet();
    private final LongSet families = new LongSet();
    private final LongSet sessions = new LongSet();
    private final LongSet repeated = new LongSet();
    private final ReadCounts counts = new ReadCounts();
    private final List<String> skipped = new ArrayList<>();
    private final Map<List<String>, PendingFailure> pending = new LinkedHashMap<>();
    /** The failures that the guard holds back, because the next call of their session may show that they are typos. */
    private final Map<String, FailedCall> held = new HashMap<>();
    /** When the guard recorded a family of an operation in a session last. */
    private final Map<List<String>, Instant> judgedAt = new BoundedMap<>(MAX_REMEMBERED);
    /** The sessions, families and operations of what the guard recorded, by its ids. */
    private final Map<String, List<String>> groups = new BoundedMap<>(MAX_REMEMBERED);
    /** When a lesson about a family of an operation was recorded in a session last, by its steps too. */
    private final Map<List<String>, Instant> learnedAt = new BoundedMap<>(MAX_REMEMBERED);
    /** The entries of the store, by their sessions, families and operations. */
    private final Map<List<String>, String> ids = new BoundedMap<>(MAX_REMEMBERED);

    private final boolean wasEmpty;
    private ImportLog log;
    private int unchanged;
    private long failures;
    private long repeats;
    private long known;
    private long recorded;
    private long lessons;

    private TranscriptImport(
            XMemStore store, @Nullable Path folder, boolean dryRun, @Nullable Instant since, LongConsumer progress) {
        this.store = store;
        this.writer = new DraftWriter(store);
        this.folder = folder;
        this.dryRun = dryRun;
        this.since = since;
        this.progress = progress;
        this.wasEmpty = store.stats().failures() + store.stats().successes() == 0;
        this.log = ImportLog.none();
    }

    /**
     * Imports transcripts.
     *
     * @param store an open store
     * @param directory its directory, whose folder {@code .xmem} keeps what was imported; null to keep nothing
     * @param since only calls from this time on; null for all
     * @param progress takes the number of calls so far, from time to time
     * @throws IOException if the log of imports cannot be read or written, or another import is at work
     */
    public static ImportReport run(
            XMemStore store,
            @Nullable Path directory,
            List<TranscriptFile> files,
            @Nullable Instant since,
            LongConsumer progress)
            throws IOException {
        return new TranscriptImport(store, logFolder(directory), false, since, progress).run(files);
    }

    /**
     * Tells what an import would find, and writes nothing.
     *
     * @param store an open store, or an empty one in memory if there is none yet
     */
    public static ImportReport dryRun(
            XMemStore store,
            @Nullable Path directory,
            List<TranscriptFile> files,
            @Nullable Instant since,
            LongConsumer progress)
            throws IOException {
        return new TranscriptImport(store, logFolder(directory), true, since, progress).run(files);
    }

    private static @Nullable Path logFolder(@Nullable Path directory) {
        return directory == null ? null : directory.resolve(".xmem");
    }

    /**
     * Imports what was added to a transcript since it was imported last, for a hook at the end of a turn. Does nothing
     * if that is more than {@value #MAX_TAIL_BYTES} bytes, or if another import is at work.
     */
    public static void ofTail(XMemStore store, Path directory, Path path) throws IOException {
        TranscriptFile file = Files.isRegularFile(path) ? Transcripts.of(path) : null;
        if (file == null) {
            return;
        }
        Path folder = directory.resolve(".xmem");
        ImportLog.Read before = ImportLog.readOnly(folder).read(file);
        long added = Files.size(path) - (before == null ? 0 : before.size());
        if (added > 0 && added <= MAX_TAIL_BYTES) {
            new TranscriptImport(store, folder, false, null, count -> {}).run(List.of(file));
        }
    }

    private ImportReport run(List<TranscriptFile> files) throws IOException {
        ImportLog opened = dryRun || folder == null ? ImportLog.readOnly(folder) : ImportLog.open(folder);
        if (opened == null) {
            throw new IOException("another import into this store is at work; try again when it has ended");
        }
        Map<TranscriptFile, ImportLog.Read> before = new HashMap<>();
        try (ImportLog closed = opened) {
            log = closed;
            List<Timeline.Source> sources = sources(files, before);
            if (!sources.isEmpty()) {
                judge(sources, before);
            }
        }
        return new ImportReport(
                files.size() - unchanged,
                unchanged,
                sessions.size(),
                failures,
                families.size(),
                repeats,
                known,
                recorded,
                lessons,
                writer.rejected(),
                counts,
                skipped);
    }

    /** The transcripts that are new or have grown, and where their new part begins. */
    private List<Timeline.Source> sources(List<TranscriptFile> files, Map<TranscriptFile, ImportLog.Read> before) {
        List<Timeline.Source> sources = new ArrayList<>();
        for (TranscriptFile file : files) {
            try {
                ImportLog.Read is = ImportLog.Read.of(file.path());
                ImportLog.Read was = log.read(file);
                if (is.equals(was)) {
                    unchanged++;
                    continue;
                }
                long from = was != null && file.isAppended() && was.size() < is.size() ? was.size() : 0;
                before.put(file, is);
                sources.add(new Timeline.Source(file, Math.max(0, from - CONTEXT_BYTES)));
            } catch (IOException e) {
                skipped.add(file.path() + ": " + e.getMessage());
            }
        }
        return sources;
    }

    private void judge(List<Timeline.Source> sources, Map<TranscriptFile, ImportLog.Read> before) throws IOException {
        List<TranscriptFile> ended = new ArrayList<>();
        try (CallJudge judge = new CallJudge();
                Timeline calls = new Timeline(sources, counts, skipped, ended::add)) {
            for (PastCall call = calls.next(); call != null; call = calls.next()) {
                add(call, judge);
                if (!ended.isEmpty() && pending.isEmpty() && held.isEmpty()) {
                    done(ended, before);
                }
            }
            for (String session : List.copyOf(held.keySet())) {
                release(session, true);
            }
            flush(List.copyOf(pending.values()));
            done(ended, before);
        }
    }

    private void done(List<TranscriptFile> ended, Map<TranscriptFile, ImportLog.Read> before) throws IOException {
        if (since == null) {
            for (TranscriptFile file : ended) {
                ImportLog.Read read = before.get(file);
                if (read != null) {
                    log.add(file, read);
                }
            }
        }
        ended.clear();
    }

    private void add(PastCall call, CallJudge judge) throws IOException {
        long key = LongSet.key(call.agent() + '\n' + call.id());
        if (since != null && call.time().isBefore(since) || !seen.add(key)) {
            return;
        }
        progress.accept(seen.size());
        sessions.add(LongSet.key(call.session()));
        CallJudge.Judgement judged = judge.judge(call);
        release(call.session(), false);
        String family = judged.family();
        Advice advice = judged.advice();
        if (family != null && advice != null) {
            failed(new FailedCall(call, key, family, advice));
        }
        for (Success mined : judged.mined()) {
            learned(call, mined);
        }
    }

    private void failed(FailedCall failed) throws IOException {
        boolean isRecorded = failed.advice().recordedId() != null || isRecent(failed);
        if (isRecorded) {
            keep(failed);
        } else {
            held.put(failed.call().session(), failed);
        }
    }

    /** Whether the guard recorded such a failure in the session not long before, so that it does not do so again. */
    private boolean isRecent(FailedCall failed) {
        Instant before = judgedAt.get(failed.group());
        return before != null && before.plus(HOUR).isAfter(failed.call().time());
    }

    /** Decides about the failure that a session holds back. */
    private void release(String session, boolean last) throws IOException {
        FailedCall waiting = held.remove(session);
        if (waiting != null && (last || waiting.advice().recordedId() != null)) {
            keep(waiting);
        }
    }

    private void keep(FailedCall failed) throws IOException {
        failures++;
        families.add(LongSet.key(failed.family()));
        List<String> group = failed.group();
        repeats += repeated.add(LongSet.key(String.join("\n", group))) ? 0 : 1;
        String judged = failed.advice().recordedId();
        if (judged != null) {
            judgedAt.put(group, failed.call().time());
            groups.put(judged, group);
        }
        if (log.has(failed.key())) {
            known++;
            return;
        }
        PendingFailure before = pending.get(group);
        if (before != null
                && before.first.time().plus(HOUR).isAfter(failed.call().time())) {
            before.keys.add(failed.key());
            before.last = failed.call().time();
            return;
        } else if (before != null) {
            flush(List.of(before));
        }
        pending.put(group, new PendingFailure(failed));
        if (pending.size() > MAX_PENDING) {
            flush(List.copyOf(pending.values()).subList(0, MAX_PENDING / 2));
        }
    }

    /** Writes failures that are not in the store yet. */
    private void flush(List<PendingFailure> some) throws IOException {
        List<PendingFailure> fresh = new ArrayList<>();
        for (PendingFailure each : some) {
            pending.remove(each.group);
            Entry before = recordedBefore(each);
            if (before == null || before.tags().contains(PendingFailure.TAG) && log.has(each.key())) {
                fresh.add(each);
            } else {
                known += each.keys.size();
                ids.put(each.group, before.id());
                note(each.keys);
            }
        }
        if (dryRun) {
            recorded += fresh.size();
            return;
        }
        List<EntryDraft> drafts = new ArrayList<>();
        fresh.forEach(each -> drafts.add(JsonDraft.of(JsonTree.json(each.fields()))));
        List<@Nullable Entry> entries = writer.write(drafts);
        for (int i = 0; i < entries.size(); i++) {
            Entry entry = entries.get(i);
            if (entry != null) {
                recorded++;
                ids.put(fresh.get(i).group, entry.id());
            }
            note(fresh.get(i).keys);
            note(List.of(fresh.get(i).key()));
        }
    }

    private void note(List<Long> keys) throws IOException {
        for (long key : keys) {
            log.add(key);
        }
    }

    /** The entry of the same failure, if hooks or an import recorded one within an hour; null if none did. */
    private @Nullable Entry recordedBefore(PendingFailure each) {
        Query query = Query.all().kind(Entry.Kind.FAILURE).ctxHash(each.family());
        return newest(query, isOf(each.operation()), each.first.session(), each.first.time(), each.last);
    }

    private static Predicate<Entry> isOf(String operation) {
        return entry -> operation(entry).equals(operation);
    }

    private @Nullable Entry newest(Query query, Predicate<Entry> test, String session, Instant from, Instant to) {
        Query near =
                query.session(session).between(from.minus(HOUR), to.plus(HOUR)).limit(MAX_NEAR);
        return wasEmpty
                ? null
                : store.search(near).matches().stream()
                        .map(Match::entry)
                        .filter(test)
                        .findFirst()
                        .orElse(null);
    }

    private static String operation(Entry entry) {
        Map<String, Object> fields = JsonTree.asObject(JsonTree.parse(entry.json()));
        return fields.get("tool") instanceof String tool && fields.get("action") instanceof String action
                ? FailedCall.operation(tool, action)
                : "";
    }

    /** Records a success that the guard learned, unless hooks or this import recorded its steps within an hour. */
    private void learned(PastCall call, Success mined) throws IOException {
        long key = LongSet.key(call.agent() + '\n' + call.id() + "\nlearned\n" + mined.ctxHash());
        if (log.has(key)) {
            return;
        }
        String operation = operation(mined);
        List<String> group = List.of(call.session(), mined.ctxHash(), operation, String.join("\n", mined.keySteps()));
        Instant before = learnedAt.get(group);
        Query like = Query.all().kind(Entry.Kind.SUCCESS).ctxHash(mined.ctxHash());
        boolean isKnown = before != null && before.plus(HOUR).isAfter(call.time())
                || newest(
                                like,
                                entry -> isOf(operation).test(entry)
                                        && ((Success) entry).keySteps().equals(mined.keySteps()),
                                call.session(),
                                call.time(),
                                call.time())
                        != null;
        if (!isKnown) {
            lessons++;
            learnedAt.put(group, call.time());
            List<String> answers = answered(mined, call);
            if (!dryRun) {
                writeLearned(mined, call, answers);
            }
        }
        if (!dryRun) {
            log.add(key);
        }
    }

    /** The ids of the failures that a success answers, which are written now if they were not. */
    private List<String> answered(Success mined, PastCall call) throws IOException {
        List<String> answers = new ArrayList<>();
        for (String judged : mined.answers()) {
            List<String> group = groups.get(judged);
            PendingFailure open = group == null ? null : pending.get(group);
            if (open != null) {
                flush(List.of(open));
            }
            String id = group == null ? null : ids.get(group);
            if (id == null && group != null) {
                Query query = Query.all().kind(Entry.Kind.FAILURE).ctxHash(group.get(1));
                Entry stored = newest(query, isOf(group.get(2)), call.session(), call.time(), call.time());
                id = stored == null ? null : stored.id();
            }
            if (id != null) {
                answers.add(id);
            }
        }
        return answers;
    }

    private void writeLearned(Success mined, PastCall call, List<String> answers) {
        Map<String, Object> fields = new LinkedHashMap<>(JsonTree.asObject(JsonTree.parse(mined.json())));
        fields.remove("id");
        fields.put("answers", answers);
        fields.put("tags", List.of("retry", PendingFailure.TAG));
        fields.put("source", call.agent());
        writer.write(List.of(JsonDraft.of(JsonTree.json(fields))));
    }
}
