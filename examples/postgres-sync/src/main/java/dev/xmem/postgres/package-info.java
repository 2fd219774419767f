/**
 * Sync through a PostgreSQL database. {@link dev.xmem.postgres.PostgresSyncBackend} is the public class. {@code
 * TransactionRunner} runs its transactions, {@code HeadTracker} and {@code ChunkReader} read, and {@code ChunkWriter}
 * writes.
 */
@org.jspecify.annotations.NullMarked
package dev.xmem.postgres;
