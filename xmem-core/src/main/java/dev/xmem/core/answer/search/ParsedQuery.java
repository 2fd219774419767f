package dev.xmem.core.answer.search;

import dev.xmem.core.text.analysis.Analyzer;
import dev.xmem.core.text.analysis.Lexicon;
import dev.xmem.core.text.analysis.RankingParameters;
import dev.xmem.core.text.analysis.Synonyms;
import dev.xmem.core.text.analysis.TermCollector;
import dev.xmem.core.text.analysis.TokenType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A request in words, taken apart: one slot for each thing asked, with the terms that would answer it. The word itself
 * counts in full, what means the same a little less; the best of them in an entry counts, not their sum. At most
 * {@value #MOST_SLOTS} slots; a longer request is read up to there.
 */
public final class ParsedQuery implements TermCollector.Taker {
    static final int MOST_SLOTS = 64;

    private final List<Clause> slots = new ArrayList<>();
    private final Map<Integer, Clause> byPosition = new LinkedHashMap<>();
    private final List<Late> late = new ArrayList<>();
    private final Analyzer analyzer = new Analyzer(new TermCollector(this));

    /** One thing asked. */
    public static final class Clause {
        private final String key;
        final String words;
        final double weight;
        /** Several words written as one; its parts are slots of their own. */
        final boolean composite;

        public final Map<String, Double> terms = new LinkedHashMap<>();

        Clause(String key, String words, double weight, boolean composite) {
            this.key = key;
            this.words = words;
            this.weight = weight;
            this.composite = composite;
        }

        void or(String term, double factor) {
            terms.merge(term, factor, Math::max);
        }
    }

    /** What several words mean together; added when all words have their slots. */
    private record Late(int from, int to, String words, List<Synonyms.Alternative> alternatives) {}

    private ParsedQuery() {}

    public static List<Clause> slots(String text) {
        ParsedQuery request = new ParsedQuery();
        request.analyzer.analyze(text);
        request.late.forEach(request::addLate);
        return request.slots;
    }

    @Override
    public void term(String term, TokenType kind, int from, int to) {
        switch (kind) {
            case WORD, PART -> word(term, kind, from);
            case WHOLE -> whole(term, from, to);
            case NEGATED -> negated(term, from);
            case CAUSE -> late(List.of(new Synonyms.Alternative(term, RankingParameters.CAUSE)), from, to);
        }
    }

    private void whole(String term, int from, int to) {
        slot(term, analyzer.written(from, to), RankingParameters.WHOLE, from < to)
                .or(term, 1);
    }

    private void negated(String term, int position) {
        Clause slot = byPosition.get(position);
        if (slot != null) {
            slot.or(term, RankingParameters.NEGATED);
        }
    }

    @Override
    public void synonyms(Synonyms synonyms, int from, int to) {
        late(synonyms.alternatives(), from, to);
    }

    private void late(List<Synonyms.Alternative> alternatives, int from, int to) {
        late.add(new Late(from, to, analyzer.written(from, to), alternatives));
    }

    private void word(String term, TokenType kind, int position) {
        Clause slot = byPosition.get(position);
        if (slot == null) {
            double weight =
                    (kind == TokenType.PART ? RankingParameters.PART : 1) * (isWeak(term) ? RankingParameters.WEAK : 1);
            slot = slot(term, analyzer.written(position, position), weight, false);
            byPosition.put(position, slot);
        }
        slot.or(term, 1);
    }

    private Clause slot(String key, String words, double weight, boolean composite) {
        for (Clause slot : slots) {
            if (slot.key.equals(key)) {
                return slot;
            }
        }
        Clause slot = new Clause(key, words, weight, composite);
        if (slots.size() < MOST_SLOTS) {
            slots.add(slot);
        }
        return slot;
    }

    private void addLate(Late late) {
        List<Clause> covered = new ArrayList<>();
        for (int i = late.from; i <= late.to; i++) {
            Clause slot = byPosition.get(i);
            if (slot != null) {
                covered.add(slot);
            }
        }
        if (covered.isEmpty()) {
            covered.add(slot(" " + late.from + "-" + late.to, late.words, 1, false));
        }
        double share = 1 / Math.sqrt(covered.size());
        for (Clause slot : covered) {
            late.alternatives.forEach(a -> slot.or(a.term(), a.weight() * share));
        }
    }

    private static boolean isWeak(String term) {
        Lexicon.LexiconEntry entry = Lexicon.standard().find(term);
        return entry != null && entry.weak;
    }
}
