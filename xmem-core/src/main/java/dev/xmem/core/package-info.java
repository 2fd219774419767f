/**
 * Opens and runs stores. {@link dev.xmem.core.XMem} configures a store, {@code StoreAssembly} creates and connects its
 * parts ({@code WriteSide} those that write), and {@code DefaultStore} runs each operation in the room that implements
 * it: an append in {@code write}, a search or a recall in {@code answer}, a compaction in {@code maintain}. {@code
 * GuardBackend} gives a guard its view of the store. Decision: docs/adr/0016-floors.md.
 */
@NullMarked
package dev.xmem.core;

import org.jspecify.annotations.NullMarked;
