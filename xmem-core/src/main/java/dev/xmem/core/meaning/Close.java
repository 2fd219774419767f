package dev.xmem.core.meaning;

/**
 * An entry whose meaning is close to a request's.
 *
 * @param log which log of the snapshot
 * @param ordinal which line of it
 * @param cosine how close: 1 is the same direction
 */
public record Close(int log, int ordinal, float cosine) {}
