package dev.xmem.core.answer.recall;

import java.util.ArrayList;
import java.util.List;

/** What is kept of what was found. */
final class AdviceFilter {
    private final FailureFamily family;
    private int withheld;
    private int irrelevant;

    AdviceFilter(FailureFamily family) {
        this.family = family;
    }

    List<Candidate> kept(List<Candidate> found) {
        List<Candidate> kept = new ArrayList<>(found.size());
        for (Candidate each : found) {
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

    private boolean isHarmful(Candidate found) {
        int without = Math.max(0, family.namedSessions() - found.state().followed());
        int repeated = Math.min(without, family.repeated());
        return HarmDetector.credible(found.state().worked(), found.state().failed(), repeated, without - repeated);
    }

    int withheld() {
        return withheld;
    }

    String reason() {
        String held =
                withheld == 0 ? "" : "; withheld " + withheld + " whose advice failed more often than doing without it";
        return held + (irrelevant == 0 ? "" : "; left out " + irrelevant + " that sessions found irrelevant");
    }
}
