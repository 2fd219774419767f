package dev.xmem.core.hash;

import dev.xmem.core.hash.Causes.Cause;
import org.jspecify.annotations.Nullable;

/** One line of an error, and how likely it is to carry the diagnosis. */
final class Line {
    /** As it stands, without trailing blanks. */
    final String raw;
    /** Without indentation, timestamp and decoration. */
    final String text;

    final boolean indented;
    int rank;
    /** The line that says what this one announces, or null. */
    @Nullable Line continued;

    private String message;
    private @Nullable Tokens tokens;
    private @Nullable ExceptionClass exception;
    private boolean exceptionKnown;
    private Phrases.@Nullable Found<Cause> found;
    private boolean foundKnown;

    Line(String raw, String text, boolean indented) {
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
    Tokens tokens() {
        Tokens made = tokens;
        if (made == null) {
            Line next = continued;
            made = Tokens.of(next == null ? message : message + ' ' + next.message);
            tokens = made;
        }
        return made;
    }

    /** The cause that the message names, or null. */
    Phrases.@Nullable Found<Cause> found() {
        if (!foundKnown) {
            found = Causes.find(tokens());
            foundKnown = true;
        }
        return found;
    }

    /** The cause that the message names if it decides wherever it stands, or null. */
    Phrases.@Nullable Found<Cause> foundAnywhere() {
        Phrases.Found<Cause> any = found();
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
    void continueWith(Line next) {
        continued = next;
        tokens = null;
        foundKnown = false;
    }
}
