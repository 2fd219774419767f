package dev.xmem.benchmarks;

import java.util.List;
import java.util.function.Predicate;

/** Evaluates one query by a full scan: the predicate on each text of an entry, and the newest matching ids. */
record ReferenceScan(String text, Predicate<String> predicate, RingBuffer<String> newest) {
    void accept(List<String> texts, String id) {
        for (String field : texts) {
            if (predicate.test(field)) {
                newest.add(id);
                return;
            }
        }
    }
}
