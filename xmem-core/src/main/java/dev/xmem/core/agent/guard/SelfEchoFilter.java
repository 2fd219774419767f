package dev.xmem.core.agent.guard;

import dev.xmem.core.answer.render.Fence;

/**
 * Takes out of a tool's output what the memory itself said: an agent that shows a log, or a tool that echoes its input, must
 * not have advice recorded as an error. Stateless; linear in the text.
 */
final class SelfEchoFilter {
    private SelfEchoFilter() {}

    /** The text without every block of advice in it. */
    static String without(String text) {
        return Fence.without(text);
    }
}
