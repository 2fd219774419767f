package dev.xmem.hooks.dialect;

import dev.xmem.hooks.dialect.HookEvent.Type;
import java.util.Map;

/**
 * Kiro: events in camel or Pascal case without the id of a session. It shows the model only what a hook prints for a
 * prompt, as plain text.
 */
final class KiroDialect extends HookDialect {
    KiroDialect() {
        super(
                "kiro",
                Map.of(
                        "preToolUse", Type.BEFORE,
                        "PreToolUse", Type.BEFORE,
                        "postToolUse", Type.ENDED,
                        "PostToolUse", Type.ENDED,
                        "userPromptSubmit", Type.PROMPT,
                        "UserPromptSubmit", Type.PROMPT));
    }

    @Override
    boolean recognizes(EventFields event) {
        String name = name(event);
        return !name.isEmpty() && Character.isLowerCase(name.charAt(0));
    }

    @Override
    boolean isForeign(String tool, EventFields event) {
        return tool.startsWith("@") || super.isForeign(tool, event);
    }

    @Override
    public String context(HookEvent event, String text) {
        return event.type() == Type.PROMPT ? text : "";
    }

    @Override
    public String reply(String text) {
        return text;
    }
}
