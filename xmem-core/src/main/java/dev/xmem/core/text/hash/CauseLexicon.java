package dev.xmem.core.text.hash;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The lexicon of {@code causes.txt}: what a line says went wrong. */
final class CauseLexicon {
    static final List<RuleFile.Section> SECTIONS = RuleFile.sections(RuleFile.class, "causes.txt");

    private static final PhraseMatcher<Cause> ALL = new PhraseMatcher<>();

    static {
        for (RuleFile.Section section : SECTIONS) {
            Cause cause = Cause.of(section.header());
            for (String phrases : section.body()) {
                ALL.add(phrases, cause, cause.weak);
            }
        }
    }

    private CauseLexicon() {}

    /**
     * The most specific cause that the line names, or null. What is looked for anywhere comes first in the table, so that one search
     * finds it; of the other causes the one that the first sentence names is preferred.
     */
    static PhraseMatcher.@Nullable Found<Cause> find(TokenizedLine tokens) {
        PhraseMatcher.Found<Cause> whole = ALL.find(tokens, tokens.size);
        int sentence = tokens.firstSentence();
        if (whole == null || whole.value().anywhere || sentence == tokens.size) {
            return whole;
        }
        PhraseMatcher.Found<Cause> first = ALL.find(tokens, sentence);
        return first == null || first.value().weak ? whole : first;
    }

    /** One cause and its flags. */
    static final class Cause {
        final String name;
        final boolean anywhere;
        final boolean noun;
        final boolean weak;
        final boolean always;

        private Cause(String name, Set<String> flags) {
            this.name = name;
            this.anywhere = flags.contains("anywhere");
            this.noun = flags.contains("noun");
            this.weak = flags.contains("weak");
            this.always = flags.contains("always");
        }

        static Cause of(String header) {
            String[] parts = header.split(" ", -1);
            return new Cause(parts[0], Set.of(parts));
        }

        static Cause named(String name) {
            return new Cause(name, Set.of());
        }
    }
}
