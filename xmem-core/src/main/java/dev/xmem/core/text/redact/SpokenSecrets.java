package dev.xmem.core.text.redact;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds words of a user's sentence that are secrets by their place: {@code use password hunter2x}, {@code log in as
 * root with s3cr3t}. Stricter than the rules for output, because a sentence with a secret is refused and nothing is
 * lost.
 */
final class SpokenSecrets {
    private static final String NAME =
            "(?:pass(?:word|phrase|code|wort)?|pwd|kennwort|mot de passe|contraseña|clave|senha"
                    + "|parola d'ordine|pin|secret|token|(?:api|access|secret|private|auth)[ _-]?key|api[ _-]?schlüssel|credentials?)";
    private static final String VALUE = "[\"'`“„«(]?([^\\s\"'`”“«»()]{4,128})";

    /** A name, then at most three small words, then the value. */
    private static final Pattern NAMED = Pattern.compile(
            "(?<![\\p{L}\\p{N}_-])" + NAME + "s?\\s*(?:[:=]\\s*|\\s(?:(?:is|are|was|be|of|to|as|for|with|ist|est|es|é|è"
                    + "|lautet|named|called|always|now|my|the)\\s+){0,3})" + VALUE,
            Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);

    /** A login, then at most six words, then a preposition and the value. */
    private static final Pattern LOGIN = Pattern.compile(
            "(?<![\\p{L}\\p{N}_-])(?:log(?:ged)?[ -]?(?:in|on)|sign in|authenticate|connect|ssh|sudo|user(?:name)?|anmelden)"
                    + "(?:\\s+\\S{1,64}){0,6}?\\s+(?:with|using|and|via|mit|avec|con|com)\\s+" + VALUE,
            Pattern.CASE_INSENSITIVE);

    /** "The password is swordfish": the last word, unless it is an adjective or a participle. */
    private static final Pattern STATED = Pattern.compile(
            "(?<![\\p{L}\\p{N}_-])" + NAME + "\\s*(?:[:=]|\\s(?:is|ist|lautet|es|é|è|est))\\s*[\"'`“„«]?"
                    + "(?!\\p{L}{0,20}(?:ed|able|ible|ory|al|ary|ing|ent|ant|ive|less|long|short|weak|strong|empty|secret|ique"
                    + "|safe|wrong|right|set|kept|hidden|lost|valid|null|none|opaque|missing|here|there|rotten)\\b)"
                    + "(?:\\p{L}{6,64}|\\d{4,64})[\"'`”“»]?[.!]?\\s*$",
            Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);

    /** Names of algorithms and formats, which have digits too. */
    private static final Pattern STANDARD = Pattern.compile(
            "(?:sha|md|aes|rsa|[rehp]s|base|utf|iso|tls|ssl|http|oauth|argon|pbkdf|pkcs|x|ed|k|p|fido|u|i|l|ec|s|v|es|python|node"
                    + "|java|jdk|ipv|port|step|level|version)-?[0-9][0-9._-]*[a-z]{0,5}[0-9]?|[0-9.]+[a-z]{0,7}|[0-9]+-\\p{L}+",
            Pattern.CASE_INSENSITIVE);

    private static final Pattern REFERENCE =
            Pattern.compile("[$<{%@/~].*|.*[/\\\\].*|\\w+\\.\\w{1,5}|.*[(){}<>].*|[A-Z_]+[A-Z0-9_]*");

    private SpokenSecrets() {}

    /** The rule of the first secret of a sentence; null if there is none. */
    static @Nullable String first(String sentence) {
        if (anySecret(NAMED.matcher(sentence)) || STATED.matcher(sentence).find()) {
            return "password";
        }
        return anySecret(LOGIN.matcher(sentence)) ? "login" : null;
    }

    private static boolean anySecret(Matcher values) {
        while (values.find()) {
            if (isSecret(values.group(1).replaceAll("[.,;:!?]+$", ""))) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether no word of a sentence looks so: letters and digits, or a sign inside; not a variable, path or version.
     */
    private static boolean isSecret(String word) {
        PaddedText text = new PaddedText(word);
        return !REFERENCE.matcher(word).matches()
                && !STANDARD.matcher(word).matches()
                && FalsePositiveFilter.looksSecret(text, 0, word.length());
    }
}
