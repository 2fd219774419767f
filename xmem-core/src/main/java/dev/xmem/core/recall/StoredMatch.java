package dev.xmem.core.recall;

import dev.xmem.Entry;
import dev.xmem.Match;

/** A match as it was found. */
public record StoredMatch(Entry entry, Match.Likeness likeness, double score, String because) implements Match {}
