package dev.xmem.cli;

import com.fasterxml.jackson.core.JsonParser;
import dev.xmem.Directive;
import dev.xmem.XMemException;
import java.io.IOException;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Runs a command that stores a directive and prints the stored directive, or why it was refused. */
final class DirectiveOutput {
    private DirectiveOutput() {}

    static int of(RootCommand root, Supplier<Directive> stored) throws IOException {
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
        return JsonText.object(g -> {
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
