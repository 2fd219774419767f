package dev.xmem.core.text.redact;

/** Knows one way in which secrets stand in a text. Immutable. */
interface SecretDetector {
    /**
     * Looks around a trigger of it, and tells the sweep what is to be taken out. What it reads in vain must be bounded, or be
     * read by it once only: see the package's essay.
     */
    void look(RedactionPass sweep, int start, int end);
}
