package dev.xmem.core.answer.search;

/**
 * An entry whose meaning is close to a request's.
 *
 * @param log which log of the snapshot
 * @param ordinal which line of it
 * @param cosine how close: 1 is the same direction
 */
record VectorHit(int log, int ordinal, float cosine) {}
