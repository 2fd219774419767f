package dev.xmem;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One experience memory. Thread-safe; implemented only by xmem, so methods may be added in a minor release.
 *
 * <p>Every method throws {@link XMemException} when it cannot do its work and {@link XMemException.Closed} after
 * {@link #close()}. A caller's interrupt is kept, never answered: no method throws because of it and it never closes a
 * file. Methods that write acknowledge by returning: what was returned is as durable as the store's {@link Durability}
 * says. Several stores, in this process or in others, may be open on one directory; each sees what the others appended
 * at its next call.
 */
public interface XMemStore extends AutoCloseable {

    /**
     * Redacts, hashes and appends a failure.
     *
     * @return the stored entry, with the id, time and context hash it was given
     * @throws XMemException.Limit if a field or the line is longer than {@link Limits} allows; nothing is written
     * @throws XMemException.Busy if another process held the lock too long; nothing is written
     */
    Failure recordFailure(Failure.Draft draft);

    /**
     * Redacts, hashes and appends a success.
     *
     * @return the stored entry, with the id, time and context hash it was given
     * @throws XMemException.Limit if a field or the line is longer than {@link Limits} allows; nothing is written
     * @throws XMemException.Busy if another process held the lock too long; nothing is written
     */
    Success recordSuccess(Success.Draft draft);

    /** Appends a journal note: one line {@code {"ts","type","content","tags","meta"}}, null for what is not given. */
    Note writeNote(Note.Draft draft);

    /** Adds a user's directive, or reinforces the one with the same dedupe key; returns its folded state. */
    Directive remember(Directive.Draft draft);

    /**
     * Makes a rule of a success that was proven often enough: used five times or more, with a confidence of 0.8 or more.
     *
     * @param successId the success; {@link Stats#promotable} lists those that can be promoted
     * @throws XMemException.Invalid if there is no such success, or it is not proven yet
     */
    Directive promote(String successId);

    /**
     * Appends many entries, with one write for each run of one kind. After a crash a prefix of them is there. What is
     * refused is refused before anything is written.
     *
     * @return the stored entries, in the order of the batch
     * @throws XMemException.DuplicateId if a {@link JsonDraft} carries an id that is taken by another line; nothing is
     *     written
     */
    List<Entry> recordAll(List<? extends EntryDraft> batch);

    /**
     * Looks an entry up by its id or an unambiguous prefix of it.
     *
     * @throws XMemException.AmbiguousId if several ids begin so; it lists them
     */
    Optional<Entry> find(String idOrPrefix);

    /**
     * Answers a query with one page: the longest prefix of the ranking that fits the token budget, the limit and 70
     * entries.
     *
     * @throws XMemException.Syntax if a cursor or a regular expression is not valid, or the expression takes too long
     */
    Page search(Query query);

    /** Searches the journal's newest lines, as the {@code memory_search} of the seed's shell scripts does. */
    ScanResult scan(Scan scan);

    /** What is known about this failure. Reads only: nothing is recorded, and no entry looks fresher for it. */
    Advice recall(ToolCall call, ToolError error);

    /** The agent-facing door: never throws, never waits long. */
    ToolGuard guard();

    /**
     * Says whether the advice of a failure or a success worked: one more line. It moves {@link Success#confidence} and
     * {@link Success#usageCount}, and what {@link #recall} makes of the entry.
     *
     * @param id the entry, or an unambiguous prefix of its id
     * @param session the session that followed the advice; it has one vote an entry
     * @return false if this session already voted on this entry; nothing is written then
     * @throws XMemException.Invalid if there is no such failure or success, or the session is empty
     */
    boolean reportOutcome(String id, Outcome outcome, String session);

    /**
     * Dismisses, pins, supersedes or retags an entry: one more line, none is edited.
     *
     * @param id the entry, or an unambiguous prefix of its id
     * @return the entry as it is then
     * @throws XMemException.Invalid if there is no such entry, or it would replace itself
     */
    Entry amend(String id, Amendment change);

    /**
     * Removes entries physically, here and in every backend: the answer to a request for erasure. With them go the lines
     * that cover them or speak of them. Backups keep what they have.
     *
     * @return how many lines are gone
     */
    default int purge(Set<String> ids) {
        return purge(ids, false);
    }

    /** As {@link #purge(Set)}, and where {@code backups} says so from all backups too. */
    int purge(Set<String> ids, boolean backups);

    /** A snapshot of totals and counters. Counters only grow while the store is open. */
    Stats stats();

    /** What a compaction would do, line by line: the dry run. */
    CompactionPlan planCompaction(Retention retention);

    /**
     * Carries out a plan; touches nothing that the plan does not name. Lines that were appended since are kept.
     *
     * @throws XMemException.Invalid if the plan is of another store, or a log was replaced since; nothing is changed
     * @throws XMemException.Busy if another compaction of this store is running, or the lock was not had
     */
    default CompactionReport compact(CompactionPlan plan) {
        return compact(plan, share -> true);
    }

    /** As {@link #compact(CompactionPlan)}, telling somebody how far it is, who may end it. */
    CompactionReport compact(CompactionPlan plan, CompactionListener listener);

    /**
     * Brings the lines of a backup back, in the place of those that the compaction made of them; what was recorded since
     * stays. The files as they are now go into a backup first.
     *
     * @param backup a folder that {@link CompactionReport#backup} named
     * @throws XMemException.Invalid if it is no backup of this store
     */
    CompactionReport restore(Path backup);

    /** Reads every line from the files and says what is wrong. Repairs only {@code index.json}, which is derived. */
    VerifyReport verify();

    /** Returns when all that was acknowledged is on the medium and {@code index.json} is current. */
    void flush();

    /**
     * One round with the sync backend now: publish, then import. In the background rounds go on without it.
     *
     * @param limit how long it may take at most
     * @return what this round did; trouble with the backend is in the report, not thrown
     * @throws XMemException.Unsupported if the store was opened without a backend
     */
    SyncReport sync(Duration limit);

    /** Releases files, threads and memory. Idempotent, ends within two seconds; skipping it loses nothing. */
    @Override
    void close();
}
