package dev.xmem;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * An experience memory for agents: a store of failures, successes, notes and directives that is kept in NDJSON files
 * and answers queries deterministically. Opened by {@code XMem} of xmem-core.
 *
 * <p>Three verbs write entries: {@code record…} a failure or success of a tool, {@link #writeNote} a journal note, and
 * {@link #remember} a directive of the user.
 *
 * <p><strong>Thread-safety.</strong> All methods may be called from any thread. Several stores, in this process or in
 * others, may be open on one directory; each sees what the others appended at its next call.
 *
 * <p><strong>Durability.</strong> A method that writes acknowledges by returning. What it returned is as durable as the
 * store's {@link Durability} states.
 *
 * <p><strong>Exceptions.</strong> A method that cannot do its work throws {@link XMemException}; after {@link #close()}
 * every method throws {@link XMemException.Closed}. An unreadable or unwritable file is {@link XMemException.Io}. A
 * method that writes throws {@link XMemException.Busy} if another process holds a lock for too long, and
 * {@link XMemException.Unsupported} if the store was opened read-only. Null arguments throw
 * {@link NullPointerException}.
 *
 * <p><strong>Interrupts</strong> are never acted on: no method throws because of one, no file is closed, and the
 * thread's interrupt status is preserved.
 *
 * <p>Implemented only by xmem, so methods may be added in a minor release.
 */
public interface XMemStore extends AutoCloseable {

    /**
     * Records a tool call that failed: redacts the draft, computes its context hash and appends it.
     *
     * @return the stored entry, with its id, time and context hash
     * @throws XMemException.Limit if a field or the line exceeds {@link Limits}; nothing is written
     * @throws XMemException.Invalid if a required field is missing or a field is malformed; nothing is written
     * @throws XMemException.Secret if the store rejects secrets and the draft contains one; nothing is written
     * @throws XMemException.Busy if another process holds the lock for too long; nothing is written
     */
    Failure recordFailure(Failure.Draft draft);

    /**
     * Records a pattern that worked: redacts the draft, computes its context hash and appends it.
     *
     * @return the stored entry, with its id, time and context hash
     * @throws XMemException.Limit if a field or the line exceeds {@link Limits}; nothing is written
     * @throws XMemException.Invalid if a required field is missing, a field is malformed, or {@code answers} has an id
     *     that no entry has; nothing is written
     * @throws XMemException.Secret if the store rejects secrets and the draft contains one; nothing is written
     * @throws XMemException.Busy if another process holds the lock for too long; nothing is written
     */
    Success recordSuccess(Success.Draft draft);

    /**
     * Records a journal note: free text, appended as one line {@code {"ts","type","content","tags","meta"}}. A field
     * that is not given is null in the line. Throws what {@link #recordFailure} throws.
     *
     * @return the stored note
     */
    Note writeNote(Note.Draft draft);

    /**
     * Records a directive of the user: a rule, preference or constraint. If one with the same dedupe key is stored,
     * that one is reinforced instead. Throws what {@link #recordFailure} throws.
     *
     * @return the directive with all its reinforcements
     */
    Directive remember(Directive.Draft draft);

    /**
     * Turns a proven success into a rule. Proven means a usage count of 5 or more and a confidence of 0.8 or more.
     *
     * @param successId the id of a success; {@link Stats#promotable} lists those that can be promoted
     * @return the new directive
     * @throws XMemException.Invalid if there is no such success, or it is not proven
     */
    Directive promote(String successId);

    /**
     * Copies a lesson to another layer's store: a success and the failures that it answers, or a failure. The copies
     * carry no session. If that store has the lesson already, nothing is written.
     *
     * @param id the id of an entry of this store or of another layer, or an unambiguous prefix of it
     * @param to the layer that gets the copy; its store is created if there is none
     * @return the entry as it is in that store
     * @throws XMemException.Invalid if there is no such failure or success, it has no advice, or it is private
     * @throws XMemException.Unsupported if this store is private, or asks no store of this layer that it may write
     */
    Entry share(String id, Layer to);

    /**
     * Returns the lessons to offer for {@link #share}: those of this store that worked here and in another project,
     * and that the user's store does not have. At most twenty, newest first; empty if the user's store is not asked,
     * or this store is private.
     */
    List<Entry> offers();

    /**
     * Records several entries, with one write per run of entries of one kind. All drafts are validated before anything
     * is written. After a crash a prefix of the batch is stored.
     *
     * @return the stored entries, in the order of the batch
     * @throws XMemException.DuplicateId if the id of a {@link JsonDraft} is stored with other content; nothing is
     *     written
     */
    List<Entry> recordAll(List<? extends EntryDraft> batch);

    /**
     * Returns the entry with an id, or with an unambiguous prefix of it; empty if there is none.
     *
     * @throws XMemException.AmbiguousId if several ids match; it lists them
     */
    Optional<Entry> find(String idOrPrefix);

    /**
     * Returns one page of a query: the longest prefix of the ranking that fits the token budget, the limit, and
     * {@value Query#MAX_ENTRIES} entries.
     *
     * @throws XMemException.Syntax if a cursor or regular expression is malformed, or the expression takes too long
     */
    Page search(Query query);

    /** Searches the newest lines of the journal, as the command {@code memory_search} of the X-MEM protocol does. */
    ScanResult scan(Scan scan);

    /**
     * Returns the advice that is stored about a failure. Read-only: records nothing, and does not affect the age or
     * ranking of an entry.
     *
     * <p>The stores that are also asked answer within half the guard's time limit, a shared memory within three
     * quarters, and each the first time within a second; a store that is slower, damaged or missing is left out. Their
     * advice follows that of this store, within the same token limit. It repeats nothing, contradicts nothing that this
     * store says, and never raises the level.
     */
    Advice recall(ToolCall call, ToolError error);

    /**
     * Returns the guard, which integrates the memory with an agent's tool calls. It never throws and bounds its
     * latency. The first call of this method starts to {@linkplain ToolGuard#warmUp() warm up} the guard in the
     * background. Never throws: the guard of a closed store answers {@link Advice.Status#UNAVAILABLE}.
     */
    ToolGuard guard();

    /**
     * Records the outcome of advice: whether a failure's or success's advice worked. Appends one line. Outcomes affect
     * {@link Success#confidence}, {@link Success#usageCount} and {@link #recall}.
     *
     * @param id the id of the entry, or an unambiguous prefix of it
     * @param session the session that followed the advice; it has one vote per entry
     * @return false if this session has already voted on this entry; then nothing is written
     * @throws XMemException.Invalid if there is no such failure or success, or the session is empty
     */
    boolean reportOutcome(String id, Outcome outcome, String session);

    /**
     * Dismisses, pins, supersedes or retags an entry. Appends one line; existing lines are never edited.
     *
     * @param id the id of the entry, or an unambiguous prefix of it
     * @return the amended entry
     * @throws XMemException.Invalid if there is no such entry, or it would supersede itself
     */
    Entry amend(String id, Amendment change);

    /**
     * Erases entries physically, from this store and from every backend, together with the lines that cover them and
     * their outcomes and amendments. A success that answers one of them stays, without the reference. Backups keep
     * them. Same as {@code purge(ids, false)}.
     *
     * @return the number of erased lines
     * @throws XMemException.Invalid if an id is of an entry of another replica; nothing is erased then. Purge it there,
     *     or hide it here with {@link Amendment#dismiss}.
     */
    default int purge(Set<String> ids) {
        return purge(ids, false);
    }

    /**
     * Erases entries physically, as {@link #purge(Set)} does.
     *
     * @param ids the ids of the entries
     * @param backups whether to erase them from all backups, too, with the lines that they were merged from
     * @return the number of erased lines, in backups too
     * @throws XMemException.Invalid if an id is of an entry of another replica; nothing is erased then
     */
    int purge(Set<String> ids, boolean backups);

    /** Returns a snapshot of totals and counters. Counters start at zero when the store is opened and only grow. */
    Stats stats();

    /** Returns what a compaction would do, line by line, without doing it: a dry run. */
    CompactionPlan planCompaction(Retention retention);

    /**
     * Carries out a plan, and nothing that the plan does not list. Lines that were appended after the plan are kept.
     *
     * @throws XMemException.Invalid if the plan belongs to another store, or a log was replaced since; nothing is
     *     changed
     * @throws XMemException.Busy if another compaction of this store is running, or the lock was not acquired in time
     */
    default CompactionReport compact(CompactionPlan plan) {
        return compact(plan, share -> true);
    }

    /** Like {@link #compact(CompactionPlan)}, reporting progress to a listener, which may cancel the compaction. */
    CompactionReport compact(CompactionPlan plan, CompactionListener listener);

    /**
     * Restores the lines of a backup in place of those that the compaction made of them. Entries that were recorded
     * since are kept. The current files are backed up first.
     *
     * @param backup a folder that {@link CompactionReport#backup} returned
     * @throws XMemException.Invalid if it is not a backup of this store
     */
    CompactionReport restore(Path backup);

    /** Reads every line from the files and reports damage. Repairs only {@code index.json}, which is derived data. */
    VerifyReport verify();

    /**
     * Forces everything that was acknowledged to the storage device. In a store of at most 10,000 failures and
     * successes, also brings {@code index.json} up to date; in a larger one a background task or {@link #verify} does.
     */
    void flush();

    /**
     * Runs one round of synchronization with the backend now: publishes, then imports. Background rounds are
     * independent of it.
     *
     * @param limit the maximum duration of the round
     * @return a report of this round; a failure of the backend is reported there and not thrown
     * @throws XMemException.Unsupported if the store was opened without a backend
     */
    SyncReport sync(Duration limit);

    /**
     * Releases files, threads and memory. Idempotent; returns within two seconds. A store that is not closed loses
     * nothing.
     */
    @Override
    void close();
}
