package dev.xmem.core.text.hash;

import dev.xmem.core.text.analysis.RuleFile;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The lexicon of causes of {@code causes.txt}: finds the cause that a line names.
 * Decision: docs/adr/0025-two-cause-lexicons.md.
 */
final class CauseLexicon {
    static final List<RuleFile.Section> SECTIONS = RuleFile.sections(CauseLexicon.class, "causes.txt");

    /** Causes that say that something failed, not what. */
    private static final Set<String> REPEATED = Set.of("command-failed", "assertion-failed");

    /** Causes of texts that a parser reads, whose messages list what it expects. */
    private static final Set<String> SYNTAX =
            Set.of("syntax-error", "invalid-json", "unknown-option", "unknown-command", "argument-count");

    private static final Set<String> REFUSALS =
            Set.of("auth-failed", "permission-denied", "forbidden", "rate-limited", "expired");

    private static final Set<String> NONE = Set.of("no", "none", "nothing", "neither");
    private static final HashCause NOT_FOUND = HashCause.of("not-found noun");
    private static final String FILE = "file-not-found";
    private static final HashCause INVALID_TOKEN = HashCause.of("syntax-error");

    /** The causes of the sections. */
    private static final List<HashCause> CAUSES = new ArrayList<>();

    private static final Set<String> CATCH_ALL = new HashSet<>();
    private static final Set<String> NAMES = new HashSet<>();
    /** What goes wrong on the way to a server. */
    private static final Set<String> CONNECTION = new HashSet<>(Set.of("not-running"));

    /** The ends of hashes that have no operation for any tool, also for those that keep it. */
    private static final List<String> OF_ANY_OPERATION = new ArrayList<>();

    static {
        for (RuleFile.Section section : SECTIONS) {
            HashCause cause = HashCause.of(section.header());
            CAUSES.add(cause);
            (cause.weak || REPEATED.contains(cause.name) ? CATCH_ALL : NAMES).add(cause.name);
            if (cause.anywhere) {
                CONNECTION.add(cause.name);
            }
            if (cause.always) {
                OF_ANY_OPERATION.add('-' + cause.name);
            }
        }
        for (HashCause cause : MissingFile.CAUSES) {
            NAMES.add(cause.name);
        }
    }

    /** The phrases; read for the first error, since a call that has not failed needs only the names. */
    private static final class Phrases {
        static final PhraseMatcher ALL = new PhraseMatcher();

        /** Words beside a token that a service was given, and beside one that a parser reads. */
        static final Set<String> AUTH = WordTables.list("token-auth");

        static final Set<String> PARSING = WordTables.list("token-parsing");

        static {
            for (int i = 0; i < CAUSES.size(); i++) {
                HashCause cause = CAUSES.get(i);
                for (String phrases : SECTIONS.get(i).body()) {
                    ALL.add(phrases, cause, cause.weak);
                }
            }
        }
    }

    private CauseLexicon() {}

    /** Whether a hash ends with a cause that has no operation for any tool. */
    static boolean isOfAnyOperation(String hash) {
        for (String end : OF_ANY_OPERATION) {
            if (hash.endsWith(end)) {
                return true;
            }
        }
        return false;
    }

    /** The longest cause that tells failures apart and that a pattern or a hash ends with; empty if there is none. */
    static String causeOf(String hash) {
        int from = 0;
        while (!NAMES.contains(hash.substring(from))) {
            from = hash.indexOf('-', from) + 1;
            if (from == 0) {
                return "";
            }
        }
        return hash.substring(from);
    }

    /** Whether a cause is that of a connection that failed, by whatever it was told. */
    static boolean isOfConnection(String name) {
        return CONNECTION.contains(name);
    }

    /** Whether a cause is about the account of a service, whichever service it is. */
    static boolean isRefusal(@Nullable HashCause cause) {
        return cause != null && REFUSALS.contains(cause.name);
    }

    /** Whether a pattern is the name of a cause that does not tell failures apart. */
    static boolean isCatchAll(String pattern) {
        return CATCH_ALL.contains(pattern);
    }

    /**
     * The most specific cause that the line names, or null. The causes with the flag {@code anywhere} come first in the
     * file, so one search finds them. Of the other causes, the first sentence decides if it names one.
     */
    static PhraseMatcher.@Nullable PhraseHit find(TokenizedLine tokens) {
        int from = behindAttempt(tokens);
        PhraseMatcher.PhraseHit inner = from == 0 ? null : Phrases.ALL.find(tokens, from, tokens.size);
        PhraseMatcher.PhraseHit whole =
                detailed(tokens, ofToken(tokens, inner == null ? Phrases.ALL.find(tokens, 0, tokens.size) : inner));
        if (whole == null || !whole.value().anywhere) {
            HashCause check = DataCheck.of(tokens.line, whole == null || !SYNTAX.contains(whole.value().name));
            if (check != null) {
                return new PhraseMatcher.PhraseHit(check, 0, 0, 0);
            }
        }
        whole = whole != null && whole.value().name.equals(FILE) ? behindColon(tokens, whole) : whole;
        int sentence = tokens.firstSentence();
        if (whole == null || whole.value().anywhere || sentence == tokens.size) {
            return whole;
        }
        PhraseMatcher.PhraseHit first = ofToken(tokens, Phrases.ALL.find(tokens, 0, sentence));
        return first == null || first.value().weak ? whole : first;
    }

    /** The first token behind {@code Failed to execute: }, which repeats what was tried; 0 for another beginning. */
    private static int behindAttempt(TokenizedLine tokens) {
        boolean tried = tokens.size > 2
                && tokens.word(0).equals("cannot")
                && tokens.isWord(1)
                && tokens.line.startsWith(": ", tokens.end(1));
        return tried ? 2 : 0;
    }

    /**
     * The cause that the part behind the last colon names by itself, if the given one has words on both sides of it:
     * {@code cannot open file 'x': header not found} is about the header.
     */
    private static PhraseMatcher.PhraseHit behindColon(TokenizedLine tokens, PhraseMatcher.PhraseHit hit) {
        int colon = tokens.line.lastIndexOf(": ", tokens.start(hit.last()));
        if (colon < tokens.start(hit.first())) {
            return hit;
        }
        int from = hit.last();
        while (tokens.start(from - 1) > colon) {
            from--;
        }
        PhraseMatcher.PhraseHit inner = Phrases.ALL.find(tokens, from, tokens.size);
        return inner == null || inner.value().weak && noun(tokens, inner, Set.of()) == null ? hit : inner;
    }

    /**
     * The weak cause in the parentheses that end a message, which say more than the text in front of them: {@code SQL
     * error or missing database (no such column: x)}; else the given one.
     */
    private static PhraseMatcher.@Nullable PhraseHit detailed(
            TokenizedLine tokens, PhraseMatcher.@Nullable PhraseHit hit) {
        int open = hit != null && hit.value().weak && tokens.line.endsWith(")") ? tokens.line.lastIndexOf('(') : -1;
        if (hit == null || open < 0) {
            return hit;
        }
        int from = hit.last() + 1;
        while (from < tokens.size && tokens.start(from) < open) {
            from++;
        }
        PhraseMatcher.PhraseHit detail = Phrases.ALL.find(tokens, from, Math.min(from + 3, tokens.size));
        return detail != null && noun(tokens, detail, Set.of()) != null ? detail : hit;
    }

    /**
     * An invalid token is what a parser reads if a position, a quoted text or a word about parsing is beside it, and
     * else what a service was given. What no such thing exists of is missing.
     */
    private static PhraseMatcher.@Nullable PhraseHit ofToken(
            TokenizedLine tokens, PhraseMatcher.@Nullable PhraseHit hit) {
        if (hit != null && tokens.word(hit.first()).equals("exists") && isNegated(tokens, hit.first())) {
            return new PhraseMatcher.PhraseHit(NOT_FOUND, hit.order(), hit.first(), hit.last());
        }
        boolean token = hit != null
                && hit.value().name.equals("auth-failed")
                && tokens.word(hit.first()).equals("invalid")
                && tokens.word(hit.last()).equals("token");
        String rest = token && hit != null
                ? tokens.line.substring(tokens.end(hit.last())).stripLeading()
                : "";
        boolean read = rest.startsWith("'") || rest.startsWith("\"") || rest.startsWith("`");
        for (int i = 0; token && i < tokens.size; i++) {
            if (Phrases.AUTH.contains(tokens.word(i))) {
                return hit;
            }
            boolean position = tokens.kind(i) == TokenizedLine.NUMBER && tokens.end(i) - tokens.start(i) != 3;
            read |= position || tokens.isQuoted(i) || Phrases.PARSING.contains(tokens.word(i));
        }
        return read && hit != null
                ? new PhraseMatcher.PhraseHit(INVALID_TOKEN, hit.first(), hit.last(), hit.last())
                : hit;
    }

    /** Whether one of the four tokens in front says that there is none, or that it is {@code not one that exists}. */
    private static boolean isNegated(TokenizedLine tokens, int at) {
        boolean that = at > 0 && tokens.word(at - 1).equals("that");
        for (int i = Math.max(0, at - 4); i < at; i++) {
            if (NONE.contains(tokens.word(i)) || that && tokens.word(i).equals("not")) {
                return true;
            }
        }
        return false;
    }

    /** The first token of the parentheses that end the line if the token is in them; else the first of the line. */
    private static int opening(TokenizedLine tokens, int at) {
        int open = tokens.line.endsWith(")") && at < tokens.size ? tokens.line.lastIndexOf('(') : -1;
        int i = open >= 0 && tokens.start(at) > open ? at : 0;
        while (i > 0 && tokens.start(i - 1) > open) {
            i--;
        }
        return i;
    }

    /**
     * The noun nearest to the phrase, or null; not one that the command line has, and not one in front of what it
     * refers to ({@code reference to undeclared resource}).
     */
    static @Nullable String noun(TokenizedLine tokens, PhraseMatcher.PhraseHit phrase, Set<String> echo) {
        String best = null;
        int nearest = 9;
        for (int i = opening(tokens, phrase.first()); i < tokens.size; i++) {
            String term = tokens.isWord(i) && !tokens.isQuoted(i) ? WordTables.noun(tokens.word(i)) : null;
            boolean named = i > 0
                    && (tokens.word(i - 1).equals("name") || tokens.word(i - 1).equals("named"));
            named |= i + 1 < phrase.first() && tokens.word(i + 1).equals("to") && tokens.isWord(i + 2);
            named |= !tokens.isApart(i) || i > phrase.last() && isValue(tokens, i);
            if (term == null
                    || named
                    || echo.contains(tokens.word(i)) && !term.equals("remote") && !term.equals("config")) {
                continue;
            }
            int distance = i < phrase.first() ? phrase.first() - i : i > phrase.last() ? i - phrase.last() + 2 : 0;
            if (distance < nearest) {
                nearest = distance;
                best = term;
            }
        }
        return best;
    }

    /** Whether a word stands alone between a colon and the end of the line. */
    private static boolean isValue(TokenizedLine tokens, int i) {
        return i == tokens.size - 1 && tokens.line.startsWith(": ", tokens.start(i) - 2);
    }

    /** A cause and its flags, which {@code causes.txt} explains. */
    record HashCause(String name, boolean anywhere, boolean noun, boolean weak, boolean always) {
        /** Parses a name and the flags that follow it. */
        static HashCause of(String header) {
            int end = header.indexOf(' ');
            String flags = end < 0 ? "" : header.substring(end);
            return new HashCause(
                    end < 0 ? header : header.substring(0, end),
                    flags.contains(" anywhere"),
                    flags.contains(" noun"),
                    flags.contains(" weak"),
                    flags.contains(" always"));
        }

        /** Whether this is the network cause of a failure that only says that something took too long. */
        boolean isWithin(@Nullable String outer) {
            boolean waited = "network-timeout".equals(outer) || "timeout".equals(outer);
            return waited && !weak && anywhere && !name.contains("timeout");
        }
    }
}
