package dev.xmem.core.text.hash;

import dev.xmem.core.text.hash.CauseLexicon.Cause;
import org.jspecify.annotations.Nullable;

/** One line of an error, and how likely it is to carry the diagnosis. */
final class ScoredLine {
    /** As it stands, without trailing blanks. */
    final String raw;
    /** Without indentation, timestamp and decoration. */
    final String text;

    final boolean indented;
    int rank;
    /** The line that says what this one announces, or null. */
    @Nullable ScoredLine continued;

    private String message;
    private @Nullable TokenizedLine tokens;
    private @Nullable ExceptionClass exception;
    private boolean exceptionKnown;
    private PhraseMatcher.@Nullable Found<Cause> found;
    private boolean foundKnown;

    ScoredLine(String raw, String text, boolean indented) {
        this.raw = raw;
        this.text = text;
        this.indented = indented;
        this.message = text;
    }

    /** What the tool says, without its name and words such as {@code error:} in front. */
    String message() {
        return message;
    }

    void message(String stripped) {
        message = stripped;
    }

    /** The message and the line that continues it. */
    TokenizedLine tokens() {
        TokenizedLine made = tokens;
        if (made == null) {
            ScoredLine next = continued;
            made = TokenizedLine.of(next == null ? message : message + ' ' + next.message);
            tokens = made;
        }
        return made;
    }

    /** The cause that the message names, or null. */
    PhraseMatcher.@Nullable Found<Cause> found() {
        if (!foundKnown) {
            found = CauseLexicon.find(tokens());
            foundKnown = true;
        }
        return found;
    }

    /** The cause that the message names if it decides wherever it stands, or null. */
    PhraseMatcher.@Nullable Found<Cause> foundAnywhere() {
        PhraseMatcher.Found<Cause> any = found();
        return any != null && any.value().anywhere ? any : null;
    }

    @Nullable ExceptionClass exception() {
        if (!exceptionKnown) {
            exception = ExceptionClass.of(text);
            exceptionKnown = true;
        }
        return exception;
    }

    /** Another line continues this one. */
    void continueWith(ScoredLine next) {
        continued = next;
        tokens = null;
        foundKnown = false;
    }
}
