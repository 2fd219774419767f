package dev.xmem.core.text.redact;

/** Recognizes one form in which secrets occur. Immutable. */
@FunctionalInterface
interface SecretDetector {
    /**
     * Examines the text around a trigger and redacts what it finds. What it reads in vain must be bounded, or must be
     * read only once: see the package description.
     */
    void detect(RedactionPass pass, int start, int end);
}
