package dev.xmem.cli;

import com.fasterxml.jackson.core.JsonParser;
import dev.xmem.Directive;
import dev.xmem.XMemException;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Runs a command that stores directives and prints each, or why they were refused. */
final class DirectiveOutput {
    private DirectiveOutput() {}

    static int of(RootCommand root, Supplier<List<Directive>> stored) throws IOException {
        List<Directive> directives;
        try {
            directives = stored.get();
        } catch (XMemException.Io | XMemException.Busy | XMemException.Closed e) {
            throw e;
        } catch (XMemException e) {
            root.terminal().error(root.json, String.valueOf(e.getMessage()).strip());
            return Main.REFUSED;
        }
        for (Directive directive : directives) {
            root.terminal().answer(root.json ? json(directive) : directive.confirmation());
        }
        root.terminal().flush();
        return Main.OK;
    }

    private static String json(Directive directive) {
        String kind = kind(directive);
        return JsonText.object(g -> {
            g.writeStringField("id", directive.id());
            g.writeStringField("scope", directive.scope().name().toLowerCase(Locale.ROOT));
            if (kind != null) {
                g.writeStringField("kind", kind);
            }
            g.writeStringField("canonical", directive.canonical());
            g.writeNumberField("strength", directive.strength());
            g.writeStringField("dedupe_key", directive.dedupeKey());
            if (!directive.confirmation().endsWith(directive.canonical())) {
                g.writeStringField("conflict", directive.confirmation());
            }
        });
    }

    /** The kind in the stored line: rule, preference or constraint. */
    private static @Nullable String kind(Directive directive) {
        String[] kind = {null};
        try {
            JsonText.read(directive.json(), (String name, JsonParser p) -> {
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
