package dev.xmem.core.text.analysis;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The terms that match in place of a query's word. Equality is written out, because the generated methods of a record
 * are linked when they are first called, which takes 20 ms of the first search.
 */
public record Synonyms(List<Alternative> alternatives) {
    /** A term and its weight relative to the query's own word. */
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
