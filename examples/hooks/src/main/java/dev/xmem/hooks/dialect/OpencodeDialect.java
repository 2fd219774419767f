package dev.xmem.hooks.dialect;

import dev.xmem.hooks.dialect.HookEvent.Type;
import java.util.Map;

/** OpenCode, by the plugin of this project: it writes the event in this form and appends the text to the result. */
final class OpencodeDialect extends HookDialect {
    OpencodeDialect() {
        super("opencode", Map.of("tool.execute.after", Type.ENDED));
    }

    @Override
    boolean recognizes(EventFields event) {
        return name(event).startsWith("tool.execute.");
    }

    @Override
    public String context(HookEvent event, String text) {
        return text;
    }

    @Override
    public String reply(String text) {
        return text;
    }
}
