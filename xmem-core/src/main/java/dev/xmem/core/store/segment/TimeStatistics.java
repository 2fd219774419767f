package dev.xmem.core.store.segment;

import java.nio.ByteBuffer;

/** How the times of lines follow each other. One writer; readers see the lines that were published. */
public final class TimeStatistics {
    private static final int NEVER = Integer.MAX_VALUE;

    private long first = Long.MAX_VALUE;
    private long last = Long.MIN_VALUE;
    private long newest;
    private long maxPlausibleTime = Long.MAX_VALUE;
    private int firstDisorder = NEVER;

    /** The time of the line with this number. */
    void see(long millis, int line) {
        if (first == Long.MAX_VALUE) {
            first = millis;
        }
        if (millis < last && firstDisorder == NEVER) {
            firstDisorder = line;
        }
        last = millis;
        newest = isBeyond(millis) ? newest : Math.max(newest, millis);
    }

    /** Goes on with those of other lines, the first of which has this number; see {@link #seeNewest}. */
    void add(TimeStatistics other, int line) {
        if (firstDisorder == NEVER && other.first < last) {
            firstDisorder = line;
        } else if (firstDisorder == NEVER && other.firstDisorder != NEVER) {
            firstDisorder = line + other.firstDisorder;
        }
        first = first == Long.MAX_VALUE ? other.first : first;
        last = other.last;
        if (other.newest <= maxPlausibleTime) {
            newest = Math.max(newest, other.newest);
        }
    }

    /** Whether a time is taken for somebody's mistake. */
    public boolean isBeyond(long millis) {
        return millis > maxPlausibleTime;
    }

    /** Looks for the latest time of lines that were added together, and of which some are beyond the horizon. */
    public void seeNewest(LineColumns lines) {
        for (int line = 0; line < lines.count(); line++) {
            long millis = lines.time(line);
            newest = isBeyond(millis) ? newest : Math.max(newest, millis);
        }
    }

    /** Whether the lines below this one are in the order of their times. */
    public boolean ascendsBelow(int line) {
        return line <= firstDisorder;
    }

    /** The latest time that was not beyond the horizon when it was seen. */
    public long newest() {
        return newest;
    }

    /** Times beyond this one are taken for somebody's mistake from now on. */
    public void maxPlausibleTime(long millis) {
        maxPlausibleTime = millis;
    }

    void write(SectionWriter out) {
        out.writeLong(first);
        out.writeLong(last);
        out.writeLong(newest);
        out.writeInt(firstDisorder);
    }

    void read(ByteBuffer in) {
        first = in.getLong();
        last = in.getLong();
        newest = in.getLong();
        firstDisorder = in.getInt();
    }
}
