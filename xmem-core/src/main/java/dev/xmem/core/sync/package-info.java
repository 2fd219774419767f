/**
 * Own lines to other machines, and theirs to here. A replica is one store; it publishes its own logs, byte for byte, as
 * streams of a {@link dev.xmem.spi.SyncBackend}, and keeps what others published in {@code data/peers/<replica>/}, which it
 * publishes to nobody. The own log is the outbox: how much of it is out stands in {@code .xmem/sync-state.jsonl}, and when
 * that is gone or behind, the backend is asked. So a crash anywhere is cured by doing it again.
 *
 * <p>Only one thread of one process works here at a time: the holder of {@code .xmem/sync.lock}. It takes no other lock,
 * so nobody who appends ever waits for it.
 */
@NullMarked
package dev.xmem.core.sync;

import org.jspecify.annotations.NullMarked;
