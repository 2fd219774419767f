package dev.xmem.benchmarks;

import java.util.List;
import java.util.function.Predicate;

/** Whether one of an entry's texts is what is looked for, and the newest entries of which one was. */
record ReferenceScan(String text, Predicate<String> test, RingBuffer<String> newest) {
    void accept(List<String> texts, String id) {
        for (String field : texts) {
            if (test.test(field)) {
                newest.add(id);
                return;
            }
        }
    }
}
