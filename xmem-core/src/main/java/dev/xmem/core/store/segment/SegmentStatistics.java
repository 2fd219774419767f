package dev.xmem.core.store.segment;

import dev.xmem.core.base.json.IndexedFields;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** What the lines of a stretch add up to, and which lines of it are none. One writer; readers as {@link LogStatistics} says. */
public final class SegmentStatistics {
    /**
     * A line that is no entry.
     *
     * @param offset where it begins, in bytes
     * @param length how long it is, in bytes
     * @param reason what is wrong with it
     */
    public record Malformed(long offset, long length, String reason) {}

    private static final int REPORTED_LINES = 1000;

    private final LogStatistics tally = new LogStatistics();
    private final DailyIdCounter days = new DailyIdCounter();
    private final TimeStatistics times = new TimeStatistics();
    private final List<Malformed> malformedLines = new ArrayList<>();
    private volatile long malformed;
    private volatile long repeated;

    /** Adds the line with this number. */
    public void add(IndexedFields facts, int line) {
        times.see(facts.tsMillis(), line);
        tally.add(facts);
        days.see(facts.id());
        for (String id : facts.covers()) {
            days.see(id);
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
    public void malformed(Malformed line) {
        synchronized (malformedLines) {
            if (malformedLines.size() < REPORTED_LINES) {
                malformedLines.add(line);
            }
        }
        malformed = malformed + 1;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
    public void repeated() {
        repeated = repeated + 1;
    }

    /** Goes on with those of other lines, the first of which has this number. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
    public void add(SegmentStatistics other, int line) {
        times.add(other.times, line);
        tally.add(other.tally);
        days.add(other.days);
        for (Malformed each : other.malformedLines()) {
            malformed(each);
        }
        malformed = malformed + other.malformed - other.malformedLines().size();
        repeated = repeated + other.repeated;
    }

    public void write(SectionWriter out) {
        out.section(SectionIds.STATISTICS);
        tally.write(out);
        days.write(out);
        times.write(out);
        out.writeLong(malformed);
        out.writeLong(repeated);
        List<Malformed> reported = malformedLines();
        out.writeInt(reported.size());
        for (Malformed line : reported) {
            out.writeLong(line.offset());
            out.writeLong(line.length());
            out.writeText(line.reason());
        }
    }

    public static SegmentStatistics read(SectionFile segment) throws CorruptSegmentException {
        ByteBuffer in = segment.section(SectionIds.STATISTICS);
        SegmentStatistics totals = new SegmentStatistics();
        totals.tally.read(in);
        totals.days.read(in);
        totals.times.read(in);
        totals.malformed = in.getLong();
        totals.repeated = in.getLong();
        int reported = in.getInt();
        for (int i = 0; i < reported; i++) {
            totals.malformedLines.add(new Malformed(in.getLong(), in.getLong(), SectionFile.text(in)));
        }
        return totals;
    }

    public LogStatistics tally() {
        return tally;
    }

    public DailyIdCounter days() {
        return days;
    }

    public TimeStatistics times() {
        return times;
    }

    public long malformed() {
        return malformed;
    }

    public long repeatedLines() {
        return repeated;
    }

    public List<Malformed> malformedLines() {
        synchronized (malformedLines) {
            return List.copyOf(malformedLines);
        }
    }
}
