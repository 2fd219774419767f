package dev.xmem.core.index;

import dev.xmem.Entry;
import dev.xmem.core.record.LineFacts;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Totals of one log. One writer, many readers. */
final class Tally {
    private final Map<Entry.Kind, AtomicLong> kinds = new EnumMap<>(Entry.Kind.class);
    private final Map<String, Long> toolFailures = new ConcurrentHashMap<>();
    private final Map<String, Long> toolSuccesses = new ConcurrentHashMap<>();
    private final Map<String, Long> tags = new ConcurrentHashMap<>();

    Tally() {
        for (Entry.Kind kind : Entry.Kind.values()) {
            kinds.put(kind, new AtomicLong());
        }
    }

    void add(LineFacts facts) {
        count(facts.kind()).incrementAndGet();
        boolean failure = facts.kind() == Entry.Kind.FAILURE;
        if (!failure && facts.kind() != Entry.Kind.SUCCESS) {
            return;
        }
        if (facts.tool() != null) {
            (failure ? toolFailures : toolSuccesses).merge(facts.tool(), 1L, Long::sum);
        }
        List<String> given = facts.tags();
        for (int i = 0; i < given.size(); i++) {
            if (given.indexOf(given.get(i)) == i) {
                tags.merge(given.get(i), 1L, Long::sum);
            }
        }
    }

    private AtomicLong count(Entry.Kind kind) {
        AtomicLong count = kinds.get(kind);
        if (count == null) {
            throw new IllegalStateException("every kind has a count");
        }
        return count;
    }

    long of(Entry.Kind kind) {
        return count(kind).get();
    }

    Map<String, Long> toolFailures() {
        return toolFailures;
    }

    Map<String, Long> toolSuccesses() {
        return toolSuccesses;
    }

    Map<String, Long> tags() {
        return tags;
    }
}
