package dev.xmem.core.index;

import dev.xmem.core.record.LineFacts;
import dev.xmem.core.segment.BadSegment;
import dev.xmem.core.segment.Segment;
import dev.xmem.core.segment.SegmentWriter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** What the lines of a stretch add up to, and which lines of it are none. One writer; readers as {@link Tally} says. */
final class Totals {
    private static final int SECTION = 4;
    private static final int REPORTED_LINES = 1000;

    private final Tally tally = new Tally();
    private final DayCounter days = new DayCounter();
    private final Times times = new Times();
    private final List<LogIndex.Malformed> malformedLines = new ArrayList<>();
    private volatile long malformed;
    private volatile long repeated;

    /** Adds the line with this number. */
    void add(LineFacts facts, int line) {
        times.see(facts.tsMillis(), line);
        tally.add(facts);
        days.see(facts.id());
        for (String id : facts.covers()) {
            days.see(id);
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
    void malformed(LogIndex.Malformed line) {
        synchronized (malformedLines) {
            if (malformedLines.size() < REPORTED_LINES) {
                malformedLines.add(line);
            }
        }
        malformed = malformed + 1;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
    void repeated() {
        repeated = repeated + 1;
    }

    /** Goes on with those of other lines, the first of which has this number. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
    void add(Totals other, int line) {
        times.add(other.times, line);
        tally.add(other.tally);
        days.add(other.days);
        for (LogIndex.Malformed each : other.malformedLines()) {
            malformed(each);
        }
        malformed = malformed + other.malformed - other.malformedLines().size();
        repeated = repeated + other.repeated;
    }

    void write(SegmentWriter out) {
        out.section(SECTION);
        tally.write(out);
        days.write(out);
        times.write(out);
        out.writeLong(malformed);
        out.writeLong(repeated);
        List<LogIndex.Malformed> reported = malformedLines();
        out.writeInt(reported.size());
        for (LogIndex.Malformed line : reported) {
            out.writeLong(line.offset());
            out.writeLong(line.length());
            out.writeText(line.reason());
        }
    }

    static Totals read(Segment segment) throws BadSegment {
        ByteBuffer in = segment.stream(SECTION);
        Totals totals = new Totals();
        totals.tally.read(in);
        totals.days.read(in);
        totals.times.read(in);
        totals.malformed = in.getLong();
        totals.repeated = in.getLong();
        int reported = in.getInt();
        for (int i = 0; i < reported; i++) {
            totals.malformedLines.add(new LogIndex.Malformed(in.getLong(), in.getLong(), Segment.text(in)));
        }
        return totals;
    }

    Tally tally() {
        return tally;
    }

    DayCounter days() {
        return days;
    }

    Times times() {
        return times;
    }

    long malformed() {
        return malformed;
    }

    long repeatedLines() {
        return repeated;
    }

    List<LogIndex.Malformed> malformedLines() {
        synchronized (malformedLines) {
            return List.copyOf(malformedLines);
        }
    }
}
