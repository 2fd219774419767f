package dev.xmem.springboot;

import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.LatencyStats;
import dev.xmem.Match;
import dev.xmem.Page;
import dev.xmem.Query;
import dev.xmem.Stats;
import dev.xmem.VerifyReport;
import dev.xmem.XMemStore;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/**
 * The actuator endpoint: {@code /actuator/xmem} for statistics, {@code /actuator/xmem/families} for the families of the
 * newest failures, {@code /actuator/xmem/verify} to read and check every line. It shows redacted text only, changes
 * nothing, and is not exposed over HTTP by default, like other endpoints.
 */
@Endpoint(id = "xmem")
public final class XMemEndpoint {
    private static final int NEWEST = 2_100;
    private static final int FAMILIES = 100;
    private static final int TOP = 10;

    private final XMemStore store;

    XMemEndpoint(XMemStore store) {
        this.store = store;
    }

    /** What {@code /actuator/xmem} returns. */
    public record Statistics(
            long failures,
            long successes,
            long notes,
            long directives,
            Map<String, Long> topTools,
            long recalled,
            long advised,
            long guardDropped,
            long guardUnavailable,
            long malformedLines,
            double recallMillisP50,
            double recallMillisP99,
            @Nullable String compactionDue) {}

    /** The families of the newest failures, most frequent first. */
    public record Families(int readFailures, boolean all, List<Family> families) {}

    /** One family of failures. */
    public record Family(String ctxHash, String tool, int failures, String last, boolean hasLesson, String example) {}

    /** What {@code /actuator/xmem/verify} returns. */
    public record Verification(boolean clean, long lines, long count, List<String> findings, List<String> notices) {}

    /** The statistics of the store. */
    @ReadOperation
    public Statistics statistics() {
        Stats stats = store.stats();
        LatencyStats recall = stats.recallLatency();
        return new Statistics(
                stats.failures(),
                stats.successes(),
                stats.notes(),
                stats.directives(),
                stats.topToolsByFailures(TOP),
                stats.recalled(),
                stats.advised(),
                stats.guardDropped(),
                stats.guardUnavailable(),
                stats.malformedLines(),
                recall.percentile(0.5).toNanos() / 1e6,
                recall.percentile(0.99).toNanos() / 1e6,
                stats.compactionDue());
    }

    /** The statistics, the families or a verification; null, which is "not found", for anything else. */
    @ReadOperation
    public @Nullable Object part(@Selector String part) {
        return switch (part) {
            case "stats" -> statistics();
            case "families" -> families();
            case "verify" -> verification();
            default -> null;
        };
    }

    private Families families() {
        Map<String, List<Failure>> groups = new LinkedHashMap<>();
        int read = 0;
        String cursor = null;
        do {
            Query query = Query.all()
                    .kind(Entry.Kind.FAILURE)
                    .layout(Query.Layout.DATA)
                    .limit(Query.MAX_ENTRIES);
            Page page = store.search(cursor == null ? query : query.after(cursor));
            for (Match match : page.matches()) {
                Failure failure = (Failure) match.entry();
                groups.computeIfAbsent(failure.ctxHash(), absent -> new ArrayList<>())
                        .add(failure);
                read++;
            }
            cursor = page.cursor();
        } while (cursor != null && read < NEWEST);
        List<Family> families = groups.entrySet().stream()
                .map(group -> family(group.getKey(), group.getValue()))
                .sorted(Comparator.comparingInt(Family::failures).reversed())
                .limit(FAMILIES)
                .toList();
        return new Families(read, cursor == null, families);
    }

    private static Family family(String hash, List<Failure> newestFirst) {
        Failure newest = newestFirst.get(0);
        boolean lesson = newestFirst.stream().anyMatch(failure -> failure.patternAvoid() != null);
        return new Family(hash, newest.tool(), newestFirst.size(), newest.ts().toString(), lesson, newest.error());
    }

    private Verification verification() {
        VerifyReport report = store.verify();
        return new Verification(report.clean(), report.lines(), report.count(), report.findings(), report.notices());
    }
}
