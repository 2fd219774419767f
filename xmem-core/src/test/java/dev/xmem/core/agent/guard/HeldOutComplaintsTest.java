package dev.xmem.core.agent.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Advice;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * Messages of users in six languages: "yes" if the message says that a failure happened again, "no" if it only sounds
 * like it. They were written by an author who had not read the rules of the guard.
 */
final class HeldOutComplaintsTest {
    private static final String NO_COMPLAINT = "the message does not report a repeated failure";

    @Test
    void userSaid_heldOutMessages_hearsTheComplaints() {
        List<String[]> rows = rows();
        int heard = 0;
        int falseAlarms = 0;
        try (Guarded guarded = new Guarded()) {
            for (String[] row : rows) {
                boolean complaint = row[1].equals("yes");
                if (isHeard(guarded, row[2])) {
                    heard += complaint ? 1 : 0;
                    falseAlarms += complaint ? 0 : 1;
                    if (!complaint) {
                        System.out.printf("complaints: false alarm (%s): %s%n", row[0], row[2]);
                    }
                } else if (complaint) {
                    System.out.printf("complaints: not heard (%s): %s%n", row[0], row[2]);
                }
            }
        }
        System.out.printf("complaints: heard %d of 60, false alarms %d of 60%n", heard, falseAlarms);
        assertThat(rows).hasSize(120).allSatisfy(row -> assertThat(row).hasSize(3));
        assertThat(rows).filteredOn(row -> row[1].equals("yes")).hasSize(60);
        assertThat(heard).as("heard").isGreaterThanOrEqualTo(52);
        assertThat(falseAlarms).as("false alarms").isLessThanOrEqualTo(4);
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

    private static List<String[]> rows() {
        try (InputStream in = Objects.requireNonNull(
                        HeldOutComplaintsTest.class.getResourceAsStream("complaints-heldout.tsv"));
                BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            return reader.lines().map(line -> line.split("\t", -1)).toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
