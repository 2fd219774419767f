package dev.xmem.core.text.redact;

import dev.xmem.spi.Redactor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Removes invisible characters and secrets from every text that enters the store. Immutable and thread-safe; linear in
 * the length of the text. The rules are read when the first text is cleaned, so a process that only searches never
 * reads them.
 */
public final class Redaction {
    /** A text that still changes in this pass is replaced as a whole. */
    private static final int MAX_PASSES = 8;

    private static final String CUSTOM = "redactor";

    private final @Nullable Redactor last;

    /** Creates a redaction that ends with the caller's own redactor, if there is one. */
    public Redaction(@Nullable Redactor last) {
        this.last = last;
    }

    private static CommandDetector commands() {
        return RedactionRules.builtIn().commands;
    }

    /**
     * Returns the text without invisible characters, and with {@code [redacted:rule]} in place of every secret: the
     * same string if nothing has to be removed. Idempotent, apart from the caller's redactor.
     */
    public String clean(String text) {
        return finish(redacted(ControlCharStripper.removed(text), commands().optionsOfUnknown()));
    }

    /**
     * Returns the value of a field as it may be stored. Under a name such as {@code password} any value is a secret.
     */
    public String clean(String name, String value) {
        String visible = ControlCharStripper.removed(value);
        SensitiveNames.Key key = keyOf(name);
        if (key != null && isSecret(key, visible)) {
            return finish(RedactionPass.placeholder(key.rule()));
        }
        return finish(redacted(visible, commands().optionsOfUnknown()));
    }

    /**
     * Returns a tool's action as it may be stored: {@code -psecret} is a secret for {@code mysql}, not for
     * {@code mkdir}.
     */
    public String cleanAction(String tool, String action) {
        return finish(redacted(ControlCharStripper.removed(action), commands().optionsOf(tool)));
    }

    /**
     * Returns the rule that would redact the first secret of a text: {@code redactor} for the caller's redactor, null
     * if there is no secret.
     */
    public @Nullable String firstSecret(String text) {
        String visible = ControlCharStripper.removed(text);
        String rule = pass(visible, commands().optionsOfUnknown()).firstRule();
        return rule != null || finish(visible).equals(visible) ? rule : CUSTOM;
    }

    /**
     * Returns the rule of the first secret of a sentence that a user wants to be remembered: also of a word that is a
     * secret by its place only. Null if there is none.
     */
    public @Nullable String firstSpokenSecret(String sentence) {
        String rule = firstSecret(sentence);
        return rule == null ? SpokenSecrets.first(ControlCharStripper.removed(sentence)) : rule;
    }

    /** Returns the rule that would redact the value of a field; null if there is no secret. */
    public @Nullable String firstSecret(String name, String value) {
        SensitiveNames.Key key = keyOf(name);
        return key != null && isSecret(key, ControlCharStripper.removed(value)) ? key.rule() : firstSecret(value);
    }

    private String finish(String text) {
        return last == null ? text : last.redact(text);
    }

    private static RedactionPass pass(String text, List<CommandDetector.Option> options) {
        return new RedactionPass(RedactionRules.builtIn(), text, options);
    }

    /** Repeats passes until one changes nothing: a replacement can expose what is next to it. */
    private static String redacted(String text, List<CommandDetector.Option> options) {
        String before = text;
        for (int i = 0; i < MAX_PASSES; i++) {
            String after = pass(before, options).redacted();
            if (after.equals(before)) {
                return before;
            }
            before = ControlCharStripper.removed(after);
        }
        return RedactionPass.placeholder(RedactionRules.WHOLE);
    }

    private static SensitiveNames.@Nullable Key keyOf(String name) {
        return RedactionRules.builtIn().names.keyOf(SensitiveName.words(name));
    }

    private static boolean isSecret(SensitiveNames.Key key, String value) {
        String quoted = "\"" + value + "\"";
        ValueSpan whole = new ValueSpan(1, quoted.length() - 1, ValueSpan.Style.QUOTED, "\"", "");
        return !value.isEmpty() && RedactionRules.builtIn().keys.isSecret(pass(quoted, List.of()), key, whole);
    }
}
