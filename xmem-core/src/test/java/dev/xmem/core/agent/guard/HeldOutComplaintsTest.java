package dev.xmem.core.agent.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Advice;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Messages of users in six languages, through the guard: "yes" if the message says that a failure happened again, "no"
 * if it only sounds like it. The weights were learned from all files but {@code complaints-unread.tsv}, so that the
 * figures of the others say what the rules can, not how many new messages they hear: see {@link ComplaintModelTest}.
 */
final class HeldOutComplaintsTest {
    private static final String NO_COMPLAINT = "the message does not report a repeated failure";

    @ParameterizedTest
    @CsvSource({
        "complaints-heldout.tsv, 60, 58, 2",
        "complaints-heldout-2.tsv, 120, 116, 2",
        "complaints-heldout-3.tsv, 120, 116, 2",
        "complaints-heldout-4.tsv, 60, 58, 2",
        "complaints-heldout-5.tsv, 60, 58, 2",
        "complaints-heldout-6.tsv, 60, 58, 2",
        "complaints-unread.tsv, 30, 27, 5"
    })
    void userSaid_heldOutMessages_hearsTheComplaints(String file, int each, int minHeard, int maxFalse) {
        List<ComplaintModel.Labeled> rows = ComplaintModel.read(file);
        int heard = 0;
        int falseAlarms = 0;
        try (Guarded guarded = new Guarded()) {
            for (ComplaintModel.Labeled row : rows) {
                boolean complaint = row.complaint();
                if (isHeard(guarded, row.message())) {
                    heard += complaint ? 1 : 0;
                    falseAlarms += complaint ? 0 : 1;
                    if (!complaint) {
                        System.out.printf("complaints: false alarm (%s): %s%n", row.language(), row.message());
                    }
                } else if (complaint) {
                    System.out.printf("complaints: not heard (%s): %s%n", row.language(), row.message());
                }
            }
        }
        System.out.printf("complaints: %s: heard %d, false alarms %d of %d%n", file, heard, falseAlarms, each);
        assertThat(rows).hasSize(2 * each);
        assertThat(rows).filteredOn(ComplaintModel.Labeled::complaint).hasSize(each);
        assertThat(heard).as("heard").isGreaterThanOrEqualTo(minHeard);
        assertThat(falseAlarms).as("false alarms").isLessThanOrEqualTo(maxFalse);
    }

    /** Each message comes in a session of its own, after a failure that was recorded. */
    private static boolean isHeard(Guarded guarded, String message) {
        guarded.guard.failed(Guarded.shell(message, "git push"), Guarded.NO_UPSTREAM);
        guarded.store.flush();
        Advice advice = guarded.guard.userSaid(message, message);
        assertThat(advice.status()).as(message).isNotEqualTo(Advice.Status.UNAVAILABLE);
        return advice.status() != Advice.Status.NOTHING_RELEVANT
                || !advice.reason().contains(NO_COMPLAINT);
    }
}
