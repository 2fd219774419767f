package dev.xmem.core.answer.render;

import dev.xmem.Directive;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Note;
import dev.xmem.Success;
import dev.xmem.core.base.json.LowerCase;
import dev.xmem.spi.ContextHash;
import java.util.Locale;
import java.util.Set;

/** An entry in a list: one line, and for a success its steps below. */
final class ListLine implements EntryText {
    private static final int NAME_CHARS = 120;
    private static final int ADVICE_CHARS = 100;
    private static final int SENTENCE_CHARS = 240;
    private static final int STEPS = 3;

    /** Operations that a hash may have without a word of the call. */
    private static final Set<String> IMPLIED = Set.of("run", "build");

    private static final String DETAIL = "\n   - ";

    /** The operation and the pattern of a context hash; empty where the hash does not contain them. */
    record HashParts(String operation, String pattern) {

        /**
         * Splits the rest after the tool's slug at its first hyphen, if the call has the word in front of it. A hash
         * without the slug is all pattern, and so is the rest of a hash without an operation:
         * {@code git-not-a-repository}.
         */
        static HashParts of(Failure failure) {
            String hash = failure.ctxHash();
            String slug = ContextHash.of(failure.tool(), "", "").value() + "-";
            if (!hash.startsWith(slug)) {
                return new HashParts("", hash);
            }
            String rest = hash.substring(slug.length());
            String[] parts = rest.split("-", 2);
            boolean called = parts[0].isEmpty()
                    || IMPLIED.contains(parts[0])
                    || isCalled(LowerCase.of(failure.action()), parts[0]);
            return called ? new HashParts(parts[0], parts.length < 2 ? "" : parts[1]) : new HashParts("", rest);
        }

        /**
         * Whether a call has an operation as a word, or a short form of it as its first word: {@code npm i}. The rules
         * of hashes would tell it exactly, but they take longer to load than a list takes in a new process.
         */
        private static boolean isCalled(String action, String operation) {
            for (int at = action.indexOf(operation); at >= 0; at = action.indexOf(operation, at + 1)) {
                int end = at + operation.length();
                if ((at == 0 || !Character.isLetterOrDigit(action.charAt(at - 1)))
                        && (end == action.length() || !Character.isLetterOrDigit(action.charAt(end)))) {
                    return true;
                }
            }
            int first = action.indexOf(' ');
            String word = first < 0 ? action : action.substring(0, first);
            return !word.isEmpty() && operation.startsWith(word);
        }
    }

    @Override
    public String whole(Match match) {
        Entry entry = match.entry();
        return PromptEscaping.id(entry.id()) + ": " + said(entry);
    }

    private static String said(Entry entry) {
        if (entry instanceof Failure failure) {
            return failure(failure);
        } else if (entry instanceof Success success) {
            return success(success);
        } else if (entry instanceof Note note) {
            return note(note);
        } else if (entry instanceof Directive directive) {
            return directive(directive);
        }
        return PromptEscaping.said(entry.json(), ADVICE_CHARS);
    }

    private static String failure(Failure failure) {
        HashParts hash = HashParts.of(failure);
        String operation = hash.operation().isEmpty() ? "" : hash.operation() + ' ';
        String name = failure.tool() + ' ' + operation + hash.pattern();
        String advice = failure.patternAvoid() == null ? "" : PromptEscaping.said(failure.patternAvoid(), ADVICE_CHARS);
        return PromptEscaping.said(name, NAME_CHARS) + (advice.isEmpty() ? "" : " — " + advice);
    }

    private static String success(Success success) {
        StringBuilder out = new StringBuilder(PromptEscaping.said(success.patternName(), NAME_CHARS));
        int steps = 0;
        for (String step : success.keySteps()) {
            String said = steps == STEPS ? "" : PromptEscaping.said(step, NAME_CHARS);
            if (!said.isEmpty()) {
                out.append(DETAIL).append(said);
                steps++;
            }
        }
        return out.append(DETAIL).append(EntryCard.confidenceLine(success)).toString();
    }

    private static String note(Note note) {
        String type = PromptEscaping.said(note.type(), NAME_CHARS);
        return (type.isEmpty() || type.equals("note") ? "" : type + ": ")
                + PromptEscaping.said(note.content(), NAME_CHARS);
    }

    private static String directive(Directive directive) {
        String scope = directive.scope().name().toLowerCase(Locale.ROOT);
        return PromptEscaping.said(directive.canonical(), SENTENCE_CHARS) + " (" + scope + ", strength "
                + directive.strength() + ")";
    }
}
