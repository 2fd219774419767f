package dev.xmem.cli;

import com.fasterxml.jackson.core.JsonParser;
import dev.xmem.Directive;
import dev.xmem.XMemException;
import java.io.IOException;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The answer to a command that stores a directive: what is now remembered, or why it is not. */
final class DirectiveAnswer {
    private DirectiveAnswer() {}

    static int of(Root root, Supplier<Directive> stored) throws IOException {
        Directive directive;
        try {
            directive = stored.get();
        } catch (XMemException.Io | XMemException.Busy | XMemException.Closed e) {
            throw e;
        } catch (XMemException e) {
            root.terminal().error(root.json, String.valueOf(e.getMessage()).strip());
            return Main.REFUSED;
        }
        root.terminal().answer(root.json ? json(directive) : directive.confirmation());
        root.terminal().flush();
        return Main.OK;
    }

    private static String json(Directive directive) {
        String kind = kind(directive);
        return Json.object(g -> {
            g.writeStringField("id", directive.id());
            g.writeStringField("scope", directive.scope().name().toLowerCase(Locale.ROOT));
            if (kind != null) {
                g.writeStringField("kind", kind);
            }
            g.writeStringField("canonical", directive.canonical());
            g.writeNumberField("strength", directive.strength());
            g.writeStringField("dedupe_key", directive.dedupeKey());
        });
    }

    /** Rule, preference or constraint, as its line says. */
    private static @Nullable String kind(Directive directive) {
        String[] kind = {null};
        try {
            Json.read(directive.json(), (String name, JsonParser p) -> {
                if (name.equals("kind")) {
                    kind[0] = p.getText();
                }
            });
        } catch (LineException e) {
            return null;
        }
        return kind[0];
    }
}
