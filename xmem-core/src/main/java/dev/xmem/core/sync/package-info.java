/**
 * Synchronisation of a store with other machines. A replica is one store. It publishes its own logs, byte for byte, as
 * streams of a {@link dev.xmem.spi.SyncBackend}, and keeps what other replicas publish in {@code
 * data/peers/<replica>/}, which it does not publish again.
 *
 * <p>Start with {@link dev.xmem.core.sync.SyncWorker}, the background task of a store. It runs rounds ({@code
 * SyncRound}) through {@link dev.xmem.core.sync.Sync}. A round publishes with {@code StreamPublisher} and imports with
 * {@code StreamImporter}. The own log is the queue of unpublished lines: {@code SyncState}, in {@code
 * .xmem/sync-state.jsonl}, says how much of it is published. If that file is missing or stale, the round asks the
 * backend. So every step can be repeated after a crash. {@code ReplicaIdentity} holds the id of the store, and detects
 * copies.
 *
 * <p>Lock order: a round runs under {@code .xmem/sync.lock}, one at a time among all processes, and takes no other
 * lock. An append never waits for it.
 *
 * <p>{@link dev.xmem.core.sync.DirectorySync} is the backend for a shared folder, with {@code SharedFile} for its file
 * names. {@link dev.xmem.core.sync.MergedExport} makes the files of an export, with {@code CanonicalLines}; {@code
 * CommitMessage} describes a publication or an export in one line. Decision: docs/adr/0012-own-streams.md.
 */
@NullMarked
package dev.xmem.core.sync;

import org.jspecify.annotations.NullMarked;
