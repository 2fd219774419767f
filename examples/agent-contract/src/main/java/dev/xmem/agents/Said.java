package dev.xmem.agents;

/** A message that a model is given. */
public record Said(Role role, String text) {
    /** Whose message it is. */
    public enum Role {
        SYSTEM,
        USER,
        MODEL,
        TOOL
    }
}
