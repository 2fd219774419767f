package dev.xmem.core.recall;

import java.util.ArrayList;
import java.util.List;

/** What is kept of what was found. */
final class Judgement {
    private final Family family;
    private int withheld;
    private int irrelevant;

    Judgement(Family family) {
        this.family = family;
    }

    List<Found> kept(List<Found> found) {
        List<Found> kept = new ArrayList<>(found.size());
        for (Found each : found) {
            if (Harm.isIrrelevant(each.state())) {
                irrelevant++;
            } else if (isHarmful(each)) {
                withheld++;
            } else {
                kept.add(each);
            }
        }
        return kept;
    }

    private boolean isHarmful(Found found) {
        int without = Math.max(0, family.namedSessions() - found.state().followed());
        int repeated = Math.min(without, family.repeated());
        return Harm.credible(found.state().worked(), found.state().failed(), repeated, without - repeated);
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
