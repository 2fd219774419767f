package dev.xmem.core.answer.recall;

import dev.xmem.core.text.analysis.Analyzer;
import dev.xmem.core.text.analysis.Lexicon;
import dev.xmem.core.text.analysis.RankingParameters;
import java.util.HashMap;
import java.util.Map;

/**
 * The similarity of two texts: the weighted share of the terms that both have (the Sørensen–Dice coefficient, 2·|A∩B| /
 * (|A| + |B|)). A cause weighs {@value #CAUSE} words, a word that is common in reports of failures
 * {@value RankingParameters#WEAK}; whole names and identifiers weigh nothing, because they differ between similar
 * failures. Thread-safe; holds the terms of one text.
 */
final class DiceSimilarity {
    private static final double CAUSE = 2;

    private final Map<String, Double> terms;
    private final double weight;

    /** Creates the side that other texts are compared with. */
    DiceSimilarity(String text) {
        this.terms = terms(text);
        this.weight = sum(terms);
    }

    /** The similarity to another text, from 0 (nothing in common, or no terms) to 1 (the same terms). */
    double to(String text) {
        Map<String, Double> other = terms(text);
        double both = 0;
        for (Map.Entry<String, Double> term : other.entrySet()) {
            both += terms.containsKey(term.getKey()) ? term.getValue() : 0;
        }
        double all = weight + sum(other);
        return all == 0 ? 0 : 2 * both / all;
    }

    private static double sum(Map<String, Double> terms) {
        double sum = 0;
        for (double weight : terms.values()) {
            sum += weight;
        }
        return sum;
    }

    private static Map<String, Double> terms(String text) {
        Map<String, Double> terms = new HashMap<>();
        for (Analyzer.Term term : Analyzer.terms(text)) {
            double weight = weight(term);
            if (weight > 0) {
                terms.put(term.text(), weight);
            }
        }
        return terms;
    }

    private static double weight(Analyzer.Term term) {
        return switch (term.kind()) {
            case CAUSE -> CAUSE;
            case NEGATED -> 1;
            case WHOLE -> 0;
            case WORD, PART -> Lexicon.isWeak(term.text()) ? RankingParameters.WEAK : 1;
        };
    }
}
