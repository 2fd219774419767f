package dev.xmem.core.words;

import java.util.List;

/** Terms that may stand in an entry where a request used another word, and how much each counts beside that word. */
record Synonyms(List<Alternative> alternatives) {
    /** One such term. */
    record Alternative(String term, double weight) {}

    Synonyms {
        alternatives = List.copyOf(alternatives);
    }
}
