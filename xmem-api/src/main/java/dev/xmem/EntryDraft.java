package dev.xmem;

import java.util.Map;

/**
 * An entry before the store assigns its id, time and context hash. Immutable and thread-safe; each setter returns a
 * copy, so a draft can serve as a template. Setters throw {@link NullPointerException} for null; sizes and formats are
 * validated when the draft is recorded.
 */
public sealed interface EntryDraft permits Failure.Draft, Success.Draft, Note.Draft, Directive.Draft, JsonDraft {

    /**
     * Returns the values that were set, by JSON field name: strings, numbers, lists of strings, and JSON text for
     * objects. The engine reads drafts through this method; callers rarely need it.
     */
    Map<String, Object> fields();
}
