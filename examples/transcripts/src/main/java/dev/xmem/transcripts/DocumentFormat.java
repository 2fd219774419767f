package dev.xmem.transcripts;

import java.util.Map;
import java.util.Set;

/** How an agent writes a transcript that is one JSON document with an array of steps. Has the state of one. */
abstract class DocumentFormat {
    /** The members that are not needed, at any depth. */
    Set<String> skipped() {
        return Set.of();
    }

    /** The member that is the array of steps; empty if the document is the array. */
    abstract String steps();

    /** Takes another member of the document. */
    void member(String name, Object value, CallCollector out) {}

    /** Adds the calls and results of a step; its number is counted from 1. */
    abstract void step(long number, Map<String, Object> step, CallCollector out);
}
