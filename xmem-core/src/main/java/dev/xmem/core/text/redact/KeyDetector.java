package dev.xmem.core.text.redact;

/** Finds the values of names: {@code password=…}, {@code "apiKey": "…"}, {@code --token …}. */
final class KeyDetector implements SecretDetector {
    private static final int SHORT_TOKEN = 6;
    private static final int TOKEN = 8;
    private static final int WORD = 10;
    private static final int LONG_WORD = 20;
    private static final int NOT_DOUBTED = 128;

    private final SensitiveNames keys;
    private final FalsePositiveFilter doubt;

    KeyDetector(SensitiveNames keys, FalsePositiveFilter doubt) {
        this.keys = keys;
        this.doubt = doubt;
    }

    @Override
    public void look(RedactionPass sweep, int start, int end) {
        if (start < sweep.namesReadTo()) {
            return;
        }
        SensitiveName name = SensitiveName.around(sweep.text(), start, end);
        sweep.namesReadTo(name.to());
        SensitiveNames.Key key = keys.keyOf(name);
        if (key == null) {
            return;
        }
        ValueSpan value = ValueSpan.after(sweep.text(), name);
        if (value != null && isSecret(sweep, key, value)) {
            String rule = sweep.specific(value.from(), value.to(), key.rule());
            String quote = value.quoteToAdd();
            sweep.redact(value.from(), value.to(), rule, quote + RedactionPass.placeholder(rule) + quote);
        }
    }

    /** Whether the value of a key is a secret. */
    boolean isSecret(RedactionPass sweep, SensitiveNames.Key key, ValueSpan value) {
        PaddedText text = sweep.text();
        int from = value.from();
        int to = value.to();
        if (doubt.isNothing(sweep, from, to)) {
            return false;
        }
        boolean white = value.isQuoted() && FalsePositiveFilter.hasWhite(text, from, to);
        if (key.any()) {
            return white
                    ? value.style() != ValueSpan.Style.SAID
                            && (value.style() == ValueSpan.Style.EQUALS || !doubt.isProse(text, from, to))
                    : isPassword(text, key, value);
        }
        return !white && !FalsePositiveFilter.isPath(text, from, to) && isToken(text, value);
    }

    private static boolean isPassword(PaddedText text, SensitiveNames.Key key, ValueSpan value) {
        int from = value.from();
        int to = value.to();
        return switch (value.style()) {
            case EQUALS -> value.isQuoted() || !isSecretFile(text, from, to);
            case QUOTED, MARKUP -> true;
            case OPTION -> text.at(from) != '-' && !isSecretFile(text, from, to);
            case COLON ->
                FalsePositiveFilter.looksSecret(text, from, to) || endsLine(text, to) && !isSecretFile(text, from, to);
            case SAID -> value.isQuoted() && key.said() || FalsePositiveFilter.looksSecret(text, from, to);
        };
    }

    /** A path with two slashes or more: where a secret is mounted. */
    private static boolean isSecretFile(PaddedText text, int from, int to) {
        return FalsePositiveFilter.isPath(text, from, to) && text.from(from, to).matches("[~.]{0,2}/[A-Za-z_.-]+/.*");
    }

    private static boolean endsLine(PaddedText text, int to) {
        int i = text.afterBlanks(to);
        char c = text.at(i);
        return c == 0 || c == '\n' || c == '\\' || c == '#' || c == ',' || c == '}' || PaddedText.isQuote(c);
    }

    private static boolean isToken(PaddedText text, ValueSpan value) {
        int from = value.from();
        int to = value.to();
        int length = to - from;
        if (length > NOT_DOUBTED) {
            return true;
        }
        boolean mixed = FalsePositiveFilter.isMixed(text, from, to);
        boolean loose = value.style() == ValueSpan.Style.COLON || value.style() == ValueSpan.Style.SAID;
        if (loose && text.from(from, to).indexOf(':') >= 0) {
            return false;
        }
        boolean close = value.style() == ValueSpan.Style.EQUALS || value.style() == ValueSpan.Style.OPTION;
        return mixed && length >= (loose ? TOKEN : SHORT_TOKEN) || length >= (close ? WORD : LONG_WORD);
    }
}
