package dev.xmem.core.answer.search;

import java.util.List;

/**
 * A part of a ranking.
 *
 * @param hits from the offset on, as many as a page may show
 * @param total how many there are in all
 * @param exact whether the total counts all of them; else it is a lower bound
 */
record Hits(List<Hit> hits, long total, boolean exact) {}
