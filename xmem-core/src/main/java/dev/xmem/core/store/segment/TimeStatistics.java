package dev.xmem.core.store.segment;

import java.nio.ByteBuffer;

/** Whether lines are in the order of their times, and the newest time. One writer. */
public final class TimeStatistics {
    private static final int NEVER = Integer.MAX_VALUE;

    private long first = Long.MAX_VALUE;
    private long last = Long.MIN_VALUE;
    private long newest;
    private long maxPlausibleTime = Long.MAX_VALUE;
    private int firstDisorder = NEVER;

    /** Adds the time of the line with this number. */
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

    /** Adds the statistics of later lines, the first of which has this number; see {@link #seeNewest}. */
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

    /** Whether a time is too far in the future to be right. */
    public boolean isBeyond(long millis) {
        return millis > maxPlausibleTime;
    }

    /** Finds the newest plausible time of lines that were added together, where the newest of all is not plausible. */
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

    /** The newest time that was plausible when it was added. */
    public long newest() {
        return newest;
    }

    /** From now on, later times are not plausible. */
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
