package dev.xmem.core.search;

import dev.xmem.Match;

/**
 * A line in a ranking.
 *
 * @param log which log of the snapshot
 * @param ordinal which line of it
 * @param likeness in which way it matches
 * @param score how well
 * @param because why, for a person
 */
public record Hit(int log, int ordinal, Match.Likeness likeness, double score, String because) {}
