package dev.xmem.core.maintain.compact;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The changes of a log in file order. Those of indexed lines are made when they are read, from what the plan has noted
 * of each ordinal. Not changed once it is in a plan.
 */
final class PlannedChanges extends AbstractList<LineChange> implements RandomAccess {
    private final IntFunction<@Nullable LineChange> ofIndexed;
    private final List<LineChange> ofOthers = new ArrayList<>();
    /** The ordinal of each indexed line, and for another one the complement of its place among the others. */
    private int[] places = new int[16];

    private int size;
    private final LogPlan.Summary summary = new LogPlan.Summary();

    /** @param ofIndexed the change of an indexed line by its ordinal, or null */
    PlannedChanges(IntFunction<@Nullable LineChange> ofIndexed) {
        this.ofIndexed = ofIndexed;
    }

    /** Adds the change of an indexed line, if there is one. */
    void addIndexed(int ordinal) {
        add(ofIndexed.apply(ordinal), ordinal);
    }

    /** Adds the change of a line that is not indexed, if it is one. */
    boolean addOther(@Nullable LineChange change) {
        add(change, ~ofOthers.size());
        if (change != null) {
            ofOthers.add(change);
        }
        return true;
    }

    private void add(@Nullable LineChange change, int place) {
        if (change != null) {
            if (size == places.length) {
                places = Arrays.copyOf(places, size + (size >> 1));
            }
            places[size++] = place;
            summary.add(change);
        }
    }

    LogPlan.Summary summary() {
        return summary;
    }

    @Override
    public LineChange get(int i) {
        int place = places[Objects.checkIndex(i, size)];
        return place < 0 ? ofOthers.get(~place) : Objects.requireNonNull(ofIndexed.apply(place));
    }

    @Override
    public int size() {
        return size;
    }
}
