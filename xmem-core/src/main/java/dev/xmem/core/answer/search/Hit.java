package dev.xmem.core.answer.search;

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
record Hit(int log, int ordinal, Match.MatchType likeness, double score, String because) {}
