package dev.xmem.transcripts;

import java.time.Instant;
import java.util.List;

/**
 * How many of the failures of the past were repeats, and what a memory would have said to them. Each failure is counted
 * once, in the order of time.
 *
 * @param repeats how the failures divide
 * @param placebo the same with the families shuffled among the failures, on average
 * @param told the repeats to which the memory would have said something
 * @param families the families that failed most, at most 50
 * @param lessons the retry pairs that the memory would have learned, at most 200
 * @param examples repeats, each with what would have been said to it, at most 200
 * @param familyCount the number of families
 * @param lessonCount the number of retry pairs
 * @param counts what the readers met
 * @param skipped what could not be read, each with the reason
 */
public record ReplayReport(
        int files,
        int sessions,
        long failures,
        int familyCount,
        long told,
        int lessonCount,
        Repeats repeats,
        Repeats placebo,
        List<Family> families,
        List<Lesson> lessons,
        List<Example> examples,
        ReadCounts counts,
        List<String> skipped) {
    /** Copies the lists. */
    public ReplayReport {
        families = List.copyOf(families);
        lessons = List.copyOf(lessons);
        examples = List.copyOf(examples);
        skipped = List.copyOf(skipped);
    }

    /**
     * How failures divide.
     *
     * @param inSession those of a family that had failed in the same session
     * @param fromEarlierSessions those of a family that had failed, but not in the same session
     * @param fresh those of a family that had not failed
     */
    public record Repeats(double inSession, double fromEarlierSessions, double fresh) {}

    /**
     * A family of failures.
     *
     * @param characters the length of the outputs, which the model had to read
     */
    public record Family(String ctxHash, long failures, int sessions, long told, long characters) {}

    /**
     * A retry pair.
     *
     * @param name the difference between the calls
     * @param steps what solved the failure
     */
    public record Lesson(Instant time, String session, String ctxHash, String tool, String name, List<String> steps) {
        /** Copies the list. */
        public Lesson {
            steps = List.copyOf(steps);
        }
    }

    /**
     * A repeat.
     *
     * @param call the call that failed
     * @param said what the memory would have said with what it knew then; empty if nothing
     */
    public record Example(
            Instant time, String agent, String session, String ctxHash, boolean inSession, String call, String said) {}

    /**
     * One failure.
     *
     * @param call the id of the call, which names its transcript and its place in it
     * @param inSession whether a call of the same session failed so before
     * @param before the last call before it that failed so, in any session; empty if there is none
     * @param told whether the memory would have said something
     * @param lesson whether it would have had a lesson or a retry pair, not only how often
     */
    public record Row(
            String agent,
            String session,
            String call,
            String ctxHash,
            boolean inSession,
            String before,
            boolean told,
            boolean lesson) {}
}
