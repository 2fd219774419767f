package dev.xmem.core.maintain.compact;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Different texts in the order in which they were added: mostly few, so that no hash table is worth it. */
final class DistinctTexts {
    private static final int FEW = 16;

    private final List<String> texts = new ArrayList<>(4);
    private @Nullable Set<String> many;

    static DistinctTexts of(List<String> texts) {
        DistinctTexts all = new DistinctTexts();
        all.addAll(texts);
        return all;
    }

    void addAll(List<String> more) {
        for (int i = 0; i < more.size(); i++) {
            add(more.get(i));
        }
    }

    /** Returns whether the text is new. */
    boolean add(String text) {
        if (many == null && texts.size() == FEW) {
            many = new HashSet<>(texts);
        }
        boolean isNew = many == null ? !texts.contains(text) : many.add(text);
        return isNew && texts.add(text);
    }

    /** All texts; not to be kept while more are added. */
    List<String> inOrder() {
        return Collections.unmodifiableList(texts);
    }
}
