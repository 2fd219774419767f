package dev.xmem.core.base.json;

import dev.xmem.Entry;
import dev.xmem.Layer;
import dev.xmem.Match;

/** A match with its values. */
public record SimpleMatch(Entry entry, Match.MatchType matchType, double score, String explanation, Layer layer)
        implements Match {}
