package dev.xmem.agents;

/** A message that the model receives. */
public record ModelMessage(Role role, String text) {
    /** The sender of a message. */
    public enum Role {
        SYSTEM,
        USER,
        MODEL,
        TOOL
    }
}
