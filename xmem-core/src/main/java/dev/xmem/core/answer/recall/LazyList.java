package dev.xmem.core.answer.recall;

import dev.xmem.core.base.concurrent.Lazy;
import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;
import java.util.function.Supplier;

/** A list whose elements are made when one of them is first read. Immutable and thread-safe. */
final class LazyList<T> extends AbstractList<T> implements RandomAccess {
    private final int size;
    private final Lazy<List<T>> elements;

    LazyList(int size, Supplier<List<T>> elements) {
        this.size = size;
        this.elements = new Lazy<>(elements);
    }

    @Override
    public T get(int index) {
        return elements.get().get(index);
    }

    @Override
    public int size() {
        return size;
    }
}
