package dev.xmem.core.answer.recall;

import java.util.ArrayList;
import java.util.List;

/** Removes irrelevant and harmful candidates, and counts them for the explanation. */
final class AdviceFilter {
    private final FailureFamily family;
    private int withheld;
    private int irrelevant;

    AdviceFilter(FailureFamily family) {
        this.family = family;
    }

    List<Candidate> filter(List<Candidate> candidates) {
        List<Candidate> kept = new ArrayList<>(candidates.size());
        for (Candidate each : candidates) {
            if (HarmDetector.isIrrelevant(each.state())) {
                irrelevant++;
            } else if (isHarmful(each)) {
                withheld++;
            } else {
                kept.add(each);
            }
        }
        return kept;
    }

    private boolean isHarmful(Candidate candidate) {
        int without = Math.max(0, family.namedSessions() - candidate.state().followed());
        int repeated = Math.min(without, family.repeated());
        return HarmDetector.isHarmful(
                candidate.state().worked(), candidate.state().failed(), repeated, without - repeated);
    }

    int withheld() {
        return withheld;
    }

    String reason() {
        String harm = "; withheld " + withheld + " whose advice failed more often than doing without it";
        return (withheld == 0 ? "" : harm)
                + (irrelevant == 0 ? "" : "; left out " + irrelevant + " that sessions found irrelevant");
    }
}
