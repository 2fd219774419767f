package dev.xmem.core.text.analysis;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Terms that may stand in an entry where a request used another word, and how much each counts beside that word. Equality is
 * written out here: what a record brings by itself is made when it is first asked for, which takes 20 ms of the first search.
 */
public record Synonyms(List<Alternative> alternatives) {
    /** One such term. */
    public record Alternative(String term, double weight) {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Alternative alternative
                    && term.equals(alternative.term)
                    && Double.compare(weight, alternative.weight) == 0;
        }

        @Override
        public int hashCode() {
            return 31 * term.hashCode() + Double.hashCode(weight);
        }
    }

    public Synonyms {
        alternatives = List.copyOf(alternatives);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Synonyms synonyms && alternatives.equals(synonyms.alternatives);
    }

    @Override
    public int hashCode() {
        return alternatives.hashCode();
    }
}
