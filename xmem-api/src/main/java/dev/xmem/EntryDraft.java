package dev.xmem;

import java.util.Map;

/**
 * What a caller knows before the store gives id, time and context hash. Immutable and thread-safe: each setter returns
 * a copy, so one draft can be kept as a template.
 */
public sealed interface EntryDraft permits Failure.Draft, Success.Draft, Note.Draft, Directive.Draft, JsonDraft {

    /**
     * What was set, by JSON field name: strings, numbers, lists of strings, and JSON text where the field is an object.
     * The engine reads drafts through it; callers rarely need it.
     */
    Map<String, Object> fields();
}
