package dev.xmem.core.answer.search;

import dev.xmem.core.text.analysis.Analyzer;
import dev.xmem.core.text.analysis.Lexicon;
import dev.xmem.core.text.analysis.RankingParameters;
import dev.xmem.core.text.analysis.TermCollector;
import dev.xmem.core.text.analysis.TokenType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A query in words as a list of clauses, one for each thing that is asked. A clause is a disjunction of terms: the word
 * itself with a boost of 1, its synonyms and causes with less. Of the terms that an entry has, the best counts, not
 * their sum. A query of more than {@value #MAX_CLAUSES} clauses is read up to there.
 */
public final class ParsedQuery implements TermCollector.Taker {
    static final int MAX_CLAUSES = 64;
    private static final int WORDS_OF_VAGUE = 4;

    private final Map<String, Clause> clauses = new LinkedHashMap<>();
    private final Map<Integer, Clause> byPosition = new HashMap<>();
    private final List<Expansion> expansions = new ArrayList<>();
    private final Analyzer analyzer = new Analyzer(new TermCollector(this));

    /**
     * One thing that is asked.
     *
     * @param words the words as they were asked
     * @param boost how much it counts in the query
     * @param composite whether these are several words written as one, whose parts are clauses of their own
     * @param name whether they name a program, a service or a library
     * @param terms the terms that answer it, each with its boost
     */
    public record Clause(String words, double boost, boolean composite, boolean name, Map<String, Double> terms) {
        private void or(String term, double termBoost) {
            terms.merge(term, termBoost, Math::max);
        }
    }

    /** What some words mean together; added to their clauses when all words have one. */
    private record Expansion(int from, int to, String words, List<Lexicon.Alternative> alternatives) {}

    private ParsedQuery() {}

    /** The clauses of a query, in the order of its words. */
    public static List<Clause> clauses(String text) {
        ParsedQuery query = new ParsedQuery();
        query.analyzer.analyze(text);
        query.expansions.forEach(query::expand);
        return List.copyOf(query.clauses.values());
    }

    /** Whether a request consists of stop words but for a few words that reports of failures have in common. */
    static boolean isVague(String text, List<Clause> clauses) {
        int words = text.strip().split("\\s+", -1).length;
        return words >= WORDS_OF_VAGUE * clauses.size()
                && clauses.stream().allMatch(clause -> clause.boost() <= RankingParameters.WEAK);
    }

    @Override
    public void term(String term, TokenType kind, int from, int to) {
        switch (kind) {
            case WORD, PART -> word(term, kind, from);
            case WHOLE ->
                clause(term, analyzer.written(from, to), RankingParameters.WHOLE, from < to)
                        .or(term, 1);
            case NEGATED -> {
                Clause clause = byPosition.get(from);
                if (clause != null) {
                    clause.or(term, RankingParameters.NEGATED);
                }
            }
            case CAUSE -> expansion(List.of(new Lexicon.Alternative(term, RankingParameters.CAUSE)), from, to);
        }
    }

    @Override
    public void synonyms(List<Lexicon.Alternative> synonyms, int from, int to) {
        expansion(synonyms, from, to);
    }

    private void expansion(List<Lexicon.Alternative> alternatives, int from, int to) {
        expansions.add(new Expansion(from, to, analyzer.written(from, to), alternatives));
    }

    private void word(String term, TokenType kind, int position) {
        Clause clause = byPosition.get(position);
        if (clause == null) {
            double boost = (kind == TokenType.PART ? RankingParameters.PART : 1)
                    * (Lexicon.isWeak(term) ? RankingParameters.WEAK : 1);
            clause = clause(term, analyzer.written(position, position), boost, false);
            byPosition.put(position, clause);
        }
        clause.or(term, 1);
    }

    private Clause clause(String key, String words, double boost, boolean composite) {
        Clause clause = clauses.get(key);
        if (clause == null) {
            clause = new Clause(words, boost, composite, Lexicon.isName(key), new LinkedHashMap<>());
            if (clauses.size() < MAX_CLAUSES) {
                clauses.put(key, clause);
            }
        }
        return clause;
    }

    private void expand(Expansion expansion) {
        List<Clause> covered = new ArrayList<>();
        for (int i = expansion.from; i <= expansion.to; i++) {
            Clause clause = byPosition.get(i);
            if (clause != null) {
                covered.add(clause);
            }
        }
        if (covered.isEmpty()) {
            covered.add(clause(" " + expansion.from + "-" + expansion.to, expansion.words, 1, false));
        }
        double share = 1 / Math.sqrt(covered.size());
        for (Clause clause : covered) {
            expansion.alternatives.forEach(a -> clause.or(a.term(), a.weight() * share));
        }
    }
}
