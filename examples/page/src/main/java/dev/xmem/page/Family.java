package dev.xmem.page;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.xmem.Failure;
import dev.xmem.RecallHistory;
import dev.xmem.RecallHistory.Recalled;
import dev.xmem.RecallHistory.Result;
import dev.xmem.Success;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The failures with one context hash, their advice, and what was told of it. Changed by one thread, then only read. */
final class Family {
    static final Duration WEEK = Duration.ofDays(7);
    static final Duration STALE = Duration.ofDays(180);
    private static final int MANY = 3;
    private static final int MAX_FIXES = 20;

    final Failure newest;
    int count;
    final List<EntryFields> fixes = new ArrayList<>();
    int worked;
    int failed;
    int irrelevant;
    int told;
    int toldAgain;
    int toldWorked;
    long tokens;
    private int seenThisWeek;
    private int recordedThisWeek;
    private Instant first;
    private Instant lastWorked = Instant.EPOCH;
    private @Nullable String lesson;
    private String lessonId = "";
    private final Set<String> sessions = new HashSet<>();

    Family(Failure newest) {
        this.newest = newest;
        this.first = newest.ts();
    }

    void add(EntryFields fields, Failure failure, Instant now) {
        count += fields.occurrences();
        first = failure.ts().isBefore(first) ? failure.ts() : first;
        recordedThisWeek += failure.ts().isAfter(now.minus(WEEK)) ? fields.occurrences() : 0;
        String session = failure.sessionId();
        if (session != null) {
            sessions.add(session);
        }
        teach(failure.patternAvoid(), failure.id());
        vote(fields);
    }

    void addFix(EntryFields fields, Success fix) {
        if (fixes.size() < MAX_FIXES) {
            fixes.add(fields);
        }
        teach(fix.patternName(), fix.id());
        vote(fields);
    }

    private void teach(@Nullable String text, String id) {
        if (lesson == null && text != null) {
            lesson = text;
            lessonId = id;
        }
    }

    private void vote(EntryFields fields) {
        worked += fields.votes("worked");
        failed += fields.votes("failed");
        irrelevant += fields.votes("irrelevant");
    }

    void addRecall(Recalled recall, Instant now) {
        boolean isSeen = recall.door() == RecallHistory.Door.FAILED;
        seenThisWeek += isSeen && recall.ts().isAfter(now.minus(WEEK)) ? 1 : 0;
        if (recall.tokens() > 0) {
            told++;
            tokens += recall.tokens();
            toldAgain += recall.result() == Result.AGAIN ? 1 : 0;
            toldWorked += recall.result() == Result.WORKED ? 1 : 0;
            lastWorked = recall.result() == Result.WORKED && recall.ts().isAfter(lastWorked) ? recall.ts() : lastWorked;
        }
    }

    String hash() {
        return newest.ctxHash();
    }

    Instant last() {
        return newest.ts();
    }

    /** How often it failed in the last seven days: as guards saw it, or as it was recorded, whichever is more. */
    int thisWeek() {
        return Math.max(seenThisWeek, recordedThisWeek);
    }

    boolean hasLesson() {
        return lesson != null;
    }

    /** How much its advice disappoints: failures after it was told, and votes against it, against what worked. */
    int disappointment() {
        return hasLesson() ? toldAgain + 2 * failed + irrelevant - toldWorked - 2 * worked : 0;
    }

    boolean needsLesson() {
        return count >= MANY && !hasLesson();
    }

    boolean isContradicted() {
        return hasLesson() && failed + irrelevant > worked;
    }

    boolean isStale(Instant now) {
        Instant alive = lastWorked.isAfter(last()) ? lastWorked : last();
        return hasLesson() && alive.isBefore(now.minus(STALE));
    }

    void write(JsonGenerator out) throws IOException {
        Json.text(out, "hash", hash(), 200);
        Json.text(out, "tool", newest.tool(), 100);
        Json.text(out, "error", newest.error(), EntryFields.LINE);
        Json.text(out, "action", newest.action(), EntryFields.LINE);
        Json.text(out, "newest", newest.id(), 200);
        Json.text(out, "lesson", lesson, EntryFields.LINE);
        Json.text(out, "lesson_id", lessonId, 200);
        Json.time(out, "first", first);
        Json.time(out, "last", last());
        out.writeNumberField("count", count);
        out.writeNumberField("week", thisWeek());
        out.writeNumberField("sessions", sessions.size());
        out.writeNumberField("fixes", fixes.size());
        out.writeNumberField("worked", worked);
        out.writeNumberField("failed", failed);
        out.writeNumberField("irrelevant", irrelevant);
        out.writeNumberField("told", told);
        out.writeNumberField("told_again", toldAgain);
        out.writeNumberField("told_worked", toldWorked);
        out.writeNumberField("tokens", tokens);
    }
}
