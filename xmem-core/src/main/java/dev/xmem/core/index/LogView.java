package dev.xmem.core.index;

/**
 * The lines of one log below a count.
 *
 * @param index the log
 * @param count how many of its lines are looked at
 */
public record LogView(LogIndex index, int count) {}
