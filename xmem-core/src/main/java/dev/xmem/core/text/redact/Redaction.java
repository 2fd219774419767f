package dev.xmem.core.text.redact;

import dev.xmem.spi.Redactor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The one way of every text into the store. Immutable and thread-safe; linear in the text. The rules are read for the first
 * text: who only searches needs none.
 */
public final class Redaction {
    /** A text that still changes after so many sweeps was made to; it goes as a whole. */
    private static final int MOST_SWEEPS = 8;

    private static final String OWN = "redactor";

    private final @Nullable Redactor last;

    /** A redaction that ends with the caller's own, if there is one. */
    public Redaction(@Nullable Redactor last) {
        this.last = last;
    }

    /** Reads the rules now, so that the first text does not wait for them. */
    public static void warmUp() {
        RedactionRules.builtIn();
    }

    private static CommandDetector commands() {
        return RedactionRules.builtIn().commands();
    }

    /**
     * The text as it may be stored: without control characters, and with {@code [redacted:rule]} in place of every secret. The
     * same string if there is nothing to take out. Cleaning what is clean changes nothing.
     */
    public String clean(String text) {
        return ended(swept(ControlCharStripper.removed(text), commands().ofUnknown()));
    }

    /**
     * The value of a field as it may be stored. The name says more than the value does: beside {@code password} anything is a
     * secret.
     */
    public String clean(String name, String value) {
        String visible = ControlCharStripper.removed(value);
        SensitiveNames.Key key = keyOf(name);
        if (key != null && isSecret(key, visible)) {
            return ended(RedactionPass.placeholder(key.rule()));
        }
        return ended(swept(visible, commands().ofUnknown()));
    }

    /** The action of a tool as it may be stored: {@code -psecret} is one for {@code mysql}, not for {@code mkdir}. */
    public String cleanAction(String tool, String action) {
        return ended(swept(ControlCharStripper.removed(action), commands().optionsOf(tool)));
    }

    /** The rule by which something would be taken out of a text, {@code redactor} for the caller's own; null if nothing. */
    public @Nullable String firstSecret(String text) {
        String visible = ControlCharStripper.removed(text);
        String rule = sweep(visible, commands().ofUnknown()).firstRule();
        if (rule != null) {
            return rule;
        }
        return ended(visible).equals(visible) ? null : OWN;
    }

    /** The rule by which something would be taken out of the value of a field; null if nothing. */
    public @Nullable String firstSecret(String name, String value) {
        SensitiveNames.Key key = keyOf(name);
        return key != null && isSecret(key, ControlCharStripper.removed(value)) ? key.rule() : firstSecret(value);
    }

    private String ended(String text) {
        return last == null ? text : last.redact(text);
    }

    private static RedactionPass sweep(String text, List<CommandDetector.Option> options) {
        return new RedactionPass(RedactionRules.builtIn(), text, options);
    }

    /** Sweeps until nothing is found any more: what is taken out may lay open what stands beside it. */
    private static String swept(String text, List<CommandDetector.Option> options) {
        RedactionRules rules = RedactionRules.builtIn();
        String before = text;
        for (int i = 0; i < MOST_SWEEPS; i++) {
            int begin = rules.triggers().next(before, 0);
            if (begin == before.length()) {
                return before;
            }
            String after = new RedactionPass(rules, before, options, begin).swept();
            if (after.equals(before)) {
                return before;
            }
            before = ControlCharStripper.removed(after);
        }
        return RedactionPass.placeholder(RedactionRules.WHOLE);
    }

    private static SensitiveNames.@Nullable Key keyOf(String name) {
        if (name.isEmpty()) {
            return null;
        }
        PaddedText text = new PaddedText(name);
        return RedactionRules.builtIn()
                .keys()
                .keyOf(new SensitiveName(0, text.length(), false, SensitiveName.words(name)));
    }

    private static boolean isSecret(SensitiveNames.Key key, String value) {
        String pair = "\"" + value + "\"";
        PaddedText text = new PaddedText(pair);
        ValueSpan whole = new ValueSpan(1, pair.length() - 1, ValueSpan.Style.QUOTED, "\"", "");
        return !value.isEmpty()
                && RedactionRules.builtIn().values().isSecret(sweep(text.string(), List.of()), key, whole);
    }
}
