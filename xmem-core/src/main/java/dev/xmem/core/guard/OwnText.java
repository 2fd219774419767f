package dev.xmem.core.guard;

import dev.xmem.core.render.Fence;

/**
 * Takes out of a tool's output what the memory itself said: an agent that shows a log, or a tool that echoes its input, must
 * not have advice recorded as an error. Stateless; linear in the text.
 */
final class OwnText {
    private OwnText() {}

    /** The text without every block of advice in it. */
    static String without(String text) {
        return Fence.without(text);
    }
}
