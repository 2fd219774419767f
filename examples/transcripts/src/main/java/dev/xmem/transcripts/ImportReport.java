package dev.xmem.transcripts;

import java.util.List;

/**
 * What an import found and recorded.
 *
 * @param files the transcripts that were read
 * @param unchanged the transcripts that were not read, since they were imported before
 * @param failures the failed calls that were found, also those that were known
 * @param families the number of their context hashes
 * @param repeats those of a family that failed before in the same session
 * @param known those that were recorded before, by an import or by hooks
 * @param recorded the entries that were written for failures; one may stand for several calls of a session
 * @param lessons the entries that were written for retry pairs
 * @param rejected the entries that the store refused
 * @param counts what the readers met
 * @param skipped what could not be read, each with the reason
 */
public record ImportReport(
        int files,
        int unchanged,
        int sessions,
        long failures,
        int families,
        long repeats,
        long known,
        long recorded,
        long lessons,
        long rejected,
        ReadCounts counts,
        List<String> skipped) {
    /** Copies the list. */
    public ImportReport {
        skipped = List.copyOf(skipped);
    }

    /** Returns the sums in a sentence, such as {@code 312 failures in 41 families, 118 repeats in a session}. */
    public String text() {
        return plural(failures, "failure", "failures") + " in " + plural(families, "family", "families") + ", "
                + plural(repeats, "repeat", "repeats") + " in a session";
    }

    private static String plural(long count, String one, String many) {
        return count + " " + (count == 1 ? one : many);
    }
}
