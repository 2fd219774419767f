package dev.xmem.core.answer.recall;

import dev.xmem.core.answer.recall.FamilyDigest.Line;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Removes irrelevant and harmful candidates, and counts them for the explanation. */
final class AdviceFilter {
    private final FamilyDigest family;
    private int withheld;
    private int irrelevant;
    private final Map<String, String> leftOut = new LinkedHashMap<>();

    AdviceFilter(FamilyDigest family) {
        this.family = family;
    }

    List<Candidate> filter(List<Candidate> candidates) {
        List<Candidate> kept = new ArrayList<>(candidates.size());
        for (Candidate each : candidates) {
            if (HarmDetector.isIrrelevant(each.state())) {
                irrelevant++;
                leftOut.put(each.entry().id(), "sessions found it irrelevant: " + each.explanation());
            } else if (isHarmful(each)) {
                withheld++;
                leftOut.put(
                        each.entry().id(), "its advice failed more often than doing without it: " + each.explanation());
            } else {
                kept.add(each);
            }
        }
        return kept;
    }

    private boolean isHarmful(Candidate candidate) {
        int without =
                Math.max(0, family.failuresBySession.size() - candidate.state().followed());
        int repeated = Math.min(without, family.repeated);
        return HarmDetector.isHarmful(
                candidate.state().worked(), candidate.state().failed(), repeated, without - repeated);
    }

    /**
     * Notes which of these lines are no candidates, and why.
     *
     * @param candidates the candidates; those of these lines come last, in the order of the lines
     */
    void leaveOut(List<Line> lines, List<Candidate> candidates, String reason) {
        if (endsIn(candidates, lines)) {
            return;
        }
        Set<String> kept = new HashSet<>();
        for (Candidate each : candidates) {
            kept.add(each.entry().id());
        }
        for (Line line : lines) {
            if (!kept.contains(line.entry().id())) {
                leftOut.putIfAbsent(line.entry().id(), reason);
            }
        }
    }

    /** Whether the last candidates are those of all lines. */
    @SuppressWarnings("ReferenceEquality") // each line has its own
    private static boolean endsIn(List<Candidate> candidates, List<Line> lines) {
        int others = candidates.size() - lines.size();
        for (int i = 0; i < lines.size(); i++) {
            if (others < 0 || candidates.get(others + i).says() != lines.get(i).says()) {
                return false;
            }
        }
        return true;
    }

    /** The entries that were left out, and why. */
    Map<String, String> leftOut() {
        return leftOut;
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
