package dev.xmem.core.redact;

/** Finds the values of names: {@code password=…}, {@code "apiKey": "…"}, {@code --token …}. */
final class KeyFinder implements Finder {
    private static final int SHORT_TOKEN = 6;
    private static final int TOKEN = 8;
    private static final int WORD = 10;
    private static final int LONG_WORD = 20;
    private static final int NOT_DOUBTED = 128;

    private final KeyNames keys;
    private final Doubt doubt;

    KeyFinder(KeyNames keys, Doubt doubt) {
        this.keys = keys;
        this.doubt = doubt;
    }

    @Override
    public void look(Sweep sweep, int start, int end) {
        if (start < sweep.namesReadTo()) {
            return;
        }
        KeyName name = KeyName.around(sweep.text(), start, end);
        sweep.namesReadTo(name.to());
        KeyNames.Key key = keys.keyOf(name);
        if (key == null) {
            return;
        }
        Value value = Value.after(sweep.text(), name);
        if (value != null && isSecret(sweep, key, value)) {
            String rule = sweep.specific(value.from(), value.to(), key.rule());
            String quote = value.quoteToAdd();
            sweep.redact(value.from(), value.to(), rule, quote + Sweep.placeholder(rule) + quote);
        }
    }

    /** Whether the value of a key is a secret. */
    boolean isSecret(Sweep sweep, KeyNames.Key key, Value value) {
        Text text = sweep.text();
        int from = value.from();
        int to = value.to();
        if (doubt.isNothing(sweep, from, to)) {
            return false;
        }
        boolean white = value.isQuoted() && Doubt.hasWhite(text, from, to);
        if (key.any()) {
            return white
                    ? value.style() != Value.Style.SAID
                            && (value.style() == Value.Style.EQUALS || !doubt.isProse(text, from, to))
                    : isPassword(text, key, value);
        }
        return !white && !Doubt.isPath(text, from, to) && isToken(text, value);
    }

    private static boolean isPassword(Text text, KeyNames.Key key, Value value) {
        int from = value.from();
        int to = value.to();
        return switch (value.style()) {
            case EQUALS -> value.isQuoted() || !isSecretFile(text, from, to);
            case QUOTED, MARKUP -> true;
            case OPTION -> text.at(from) != '-' && !isSecretFile(text, from, to);
            case COLON -> Doubt.looksSecret(text, from, to) || endsLine(text, to) && !isSecretFile(text, from, to);
            case SAID -> value.isQuoted() && key.said() || Doubt.looksSecret(text, from, to);
        };
    }

    /** A path with two slashes or more: where a secret is mounted. */
    private static boolean isSecretFile(Text text, int from, int to) {
        return Doubt.isPath(text, from, to) && text.from(from, to).matches("[~.]{0,2}/[A-Za-z_.-]+/.*");
    }

    private static boolean endsLine(Text text, int to) {
        int i = text.afterBlanks(to);
        char c = text.at(i);
        return c == 0 || c == '\n' || c == '\\' || c == '#' || c == ',' || c == '}' || Text.isQuote(c);
    }

    private static boolean isToken(Text text, Value value) {
        int from = value.from();
        int to = value.to();
        int length = to - from;
        if (length > NOT_DOUBTED) {
            return true;
        }
        boolean mixed = Doubt.isMixed(text, from, to);
        boolean loose = value.style() == Value.Style.COLON || value.style() == Value.Style.SAID;
        if (loose && text.from(from, to).indexOf(':') >= 0) {
            return false;
        }
        boolean close = value.style() == Value.Style.EQUALS || value.style() == Value.Style.OPTION;
        return mixed && length >= (loose ? TOKEN : SHORT_TOKEN) || length >= (close ? WORD : LONG_WORD);
    }
}
