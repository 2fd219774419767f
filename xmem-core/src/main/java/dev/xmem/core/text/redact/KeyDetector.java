package dev.xmem.core.text.redact;

/** Finds the values of sensitive names: {@code password=…}, {@code "apiKey": "…"}, {@code --token …}. */
final class KeyDetector implements SecretDetector {
    private static final int SHORT_TOKEN = 6;
    private static final int TOKEN = 8;
    private static final int WORD = 10;
    private static final int LONG_WORD = 20;
    private static final int MAX_EXAMINED = 128;

    private final SensitiveNames names;
    private final FalsePositiveFilter filter;

    KeyDetector(SensitiveNames names, FalsePositiveFilter filter) {
        this.names = names;
        this.filter = filter;
    }

    @Override
    public void detect(RedactionPass pass, int start, int end) {
        if (start < pass.namesReadTo) {
            return;
        }
        SensitiveName name = SensitiveName.around(pass.text, start, end);
        pass.namesReadTo = name.to();
        SensitiveNames.Key key = names.keyOf(name.words());
        ValueSpan value = key == null ? null : ValueSpan.after(pass.text, name);
        if (key != null && value != null && isSecret(pass, key, value)) {
            String rule = pass.specific(value.from(), value.to(), key.rule());
            String quote = value.quoteToAdd();
            pass.redact(value.from(), value.to(), rule, quote + RedactionPass.placeholder(rule) + quote);
        }
    }

    /** Whether the value of a key is a secret. */
    boolean isSecret(RedactionPass pass, SensitiveNames.Key key, ValueSpan value) {
        PaddedText text = pass.text;
        int from = value.from();
        int to = value.to();
        if (pass.isBenign(from, to)) {
            return false;
        }
        if (isOwnPlace(text, key, value)) {
            return false;
        }
        boolean white = value.isQuoted() && FalsePositiveFilter.hasWhite(text, from, to);
        if (!key.any()) {
            return !white && !FalsePositiveFilter.isPath(text, from, to) && isToken(text, value);
        }
        return switch (value.style()) {
            case EQUALS -> value.isQuoted() || !isSecretFile(text, from, to);
            case QUOTED, MARKUP -> !white || !filter.isProse(text, from, to);
            case OPTION ->
                white ? !filter.isProse(text, from, to) : text.at(from) != '-' && !isSecretFile(text, from, to);
            case COLON ->
                FalsePositiveFilter.looksSecret(text, from, to) || endsLine(text, to) && !isSecretFile(text, from, to);
            case SAID -> !white && (value.isQuoted() && key.said() || FalsePositiveFilter.looksSecret(text, from, to));
        };
    }

    /** Whether a name has its other meaning here: {@code OLDPWD=/x}, {@code pass=1042}. */
    private static boolean isOwnPlace(PaddedText text, SensitiveNames.Key key, ValueSpan value) {
        String bare = text.from(value.from(), Math.min(value.to(), value.from() + MAX_EXAMINED));
        return switch (key.joined()) {
            case "pwd" -> bare.startsWith("/") && FalsePositiveFilter.isPath(text, value.from(), value.to());
            case "pass" -> !value.isQuoted() && bare.matches("\\d{1,6}(?:ms|s|%)?");
            default -> false;
        };
    }

    /** Whether the value is a path of at least two directories, where a secret is mounted. */
    private static boolean isSecretFile(PaddedText text, int from, int to) {
        return FalsePositiveFilter.isPath(text, from, to) && text.from(from, to).matches("[~.]{0,2}/[A-Za-z_.-]+/.*");
    }

    private static boolean endsLine(PaddedText text, int to) {
        char c = text.at(text.afterBlanks(to));
        return c == 0 || "\n\\#,}\"'`".indexOf(c) >= 0;
    }

    private static boolean isToken(PaddedText text, ValueSpan value) {
        int from = value.from();
        int to = value.to();
        int length = to - from;
        if (length > MAX_EXAMINED) {
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
