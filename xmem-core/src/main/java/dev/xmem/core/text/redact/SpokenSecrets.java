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
            "(?:pass(?:word|phrase|code|wort|wd)?|pwd|pw|pat|otp|unseal|[A-Z_]{0,32}(?:PASSWORD|PASSWD"
                    + "|PASS|TOKEN|SECRET)"
                    + "|kennwort|mot de passe|mdp|jeton|zugangsdaten|schlüssel"
                    + "|contraseña|clave|senha|parola d'ordine|pin|secret|token|bearer|credentials?"
                    + "|(?:api|access|secret|private|auth|wi-?fi|wlan|sign(?:ing)?|encryption|master"
                    + "|licen[sc]e|account|host|deploy)"
                    + "[ _-]?key|key ?phrase|(?:seed|recovery) phrase|(?:access|unlock|security|recovery"
                    + "|door|alarm|gate|safe|entry) code"
                    + "|api[ _-]?schlüssel)";
    private static final String BEGIN = "(?<![\\p{L}\\p{N}_-])";
    private static final String IS = "(?:is|are|was|be|equals|reads|ist|lautet|est|es|é|è|=|:)";
    private static final String VALUE = "[\"'`“„«(]?([^\\s\"'`”“«»()]{4,128})";

    /** No noun that follows the name of a secret, as in "password field". */
    private static final String SAID_NAME = "(?!(?:field|fields|form|prompt|hash|policy|manager|reset"
            + "|check|login|auth"
            + "|rotation|header|authentication|protected|required|based|storage|file|names?|values?)\\b)";

    /** A name, then at most three small words, then the value. */
    private static final Pattern NAMED =
            pattern(BEGIN + NAME + "s?\\s*(?:[:=]\\s*|\\s(?:(?:is|are|was|be|of|to|than|as|for|with|ist|est|es|é|è"
                    + "|lautet|named|called|always|now|my|the|equals)\\s+){0,3})" + VALUE);

    /** "The pin for the vault is 481516", "the password, which is m0nkeybars": a few words between name and value. */
    private static final Pattern LATER =
            pattern(BEGIN + NAME + "(?:,?\\s+[^\\s.!?;]{1,64}){0,8}?,?\\s+" + IS + "\\s+" + VALUE);

    /** "Use swordf1sh as the password". */
    private static final Pattern BEFORE = pattern(
            VALUE + "[\"'`”“»)]?\\s+(?:as|for|als|comme|como|come)\\s+(?:\\p{L}{1,12}\\s+){0,3}?" + NAME + "\\b");

    /** A login, then at most six words, then a preposition and the value. */
    private static final Pattern LOGIN = pattern(BEGIN
            + "(?:log(?:s|ged|ging)?[ -]?(?:in|on)|sign(?:s|ing)? in|authenticates?|connects?|ssh|sudo|user(?:name)?"
            + "|unlocks?|opens?|decrypts?|anmelden)"
            + "(?:\\s+\\S{1,64}){0,10}?\\s+(?:with|using|and|via|type|typing|enter|mit|avec|con|com)\\s+" + VALUE);

    /** A user and what follows the name: {@code admin/s3cret}. */
    private static final Pattern ACCOUNT = pattern(BEGIN + "(?:credentials?|log[ -]?in|sign in|basic auth|account"
            + "|user)s?\\b[^.!?]{0,60}?[\\s:=][\\p{L}\\d._@-]{1,64}"
            + "(?:[/:]|\\s/\\s|\\sand\\s)([^\\s/\\\\\"'`]{4,128})");

    /** "Log in with admin / S3cret!": a user and a value with a digit or a sign in it. */
    private static final Pattern PAIR = pattern(BEGIN
            + "(?:log(?:s|ged|ging)?[ -]?(?:in|on)|sign(?:s|ing)? in|authenticates?|connects?|anmelden|einloggen"
            + "|connecte|conéctate|accedi)\\b[^.!?]{0,60}?\\s[\\p{L}\\d._@-]{2,64}\\s?[/:]\\s?"
            + "(?=\\p{Alpha}*[\\d!#$%&*+?@^~])(?!\\d+\\b)[\\p{L}\\d!#$%&*+?@^~_-]{5,64}(?![/\\w.:])");

    /** "root/toor123": a usual name of a user and a value with two digits or a sign in it. */
    private static final Pattern USUAL = pattern(BEGIN
            + "(?:root|admin|administrator|sa|guest|demo|test|user|postgres|deploy|oracle|pi"
            + "|ubuntu)\\s?[/:]\\s?"
            + "(?=\\p{Alpha}*(?:[!#$%&*+?@^~]"
            + "|\\d\\p{Alpha}*\\d))(?!\\d+\\b)[\\p{L}\\d!#$%&*+?@^~_-]{5,64}(?![/\\w.:])");

    /** "Use tangerine as password": any word. */
    private static final Pattern USED =
            pattern("(?<!never |not |n't )\\b(?:use|take|set|enter|type|nimm|utilise|usa)\\s+[\"'`]?(?!it|this"
                    + "|that|them|(?:user ?names?|emails?|phone|birthday|dates?|default|blank|same|uuids?"
                    + "|values?|variables?)\\b|\\p{L}+[-_](?:like"
                    + "|style))[\\p{L}\\d!#$%&*-]{4,64}[\"'`]?\\s+as\\s+(?:(?:the|a|my"
                    + "|our)\\s+)?(?:\\p{L}{1,12}\\s+)?"
                    + "(?:password|passphrase|passcode|pin|pw|pwd)\\b(?!\\s+(?:hash|stor|manag|format"
                    + "|generat|field|polic|encod|algo"
                    + "|provid|backend|type|prompt|check|valid))");

    /** "The alarm code of the office: 90 21 7": digits with blanks. */
    private static final Pattern DIGITS =
            pattern(BEGIN + "(?:(?:access|unlock|security|door|alarm|gate|safe|entry) code"
                    + "|pin|passcode|(?:key|code|combination) (?:for|of|to) (?:the|our|my) (?:safe|vault"
                    + "|lock|door|alarm|gate))"
                    + "\\b[^.!?\\d]{0,60}?(?:" + IS
                    + "|:)\\s*(?:always\\s+|now\\s+)?\\d(?:[ -]?\\d){3,11}(?!\\s*(?:\\p{L}+s|%|ms)\\b)");

    /** Options of a command whose value is attached, or has no form of its own. */
    private static final Pattern OPTION = pattern(
            BEGIN + "(?:(?:mysql|mariadb)[a-z]*\\b.{0,80}?\\s-p(?=\\p{L})|sshpass\\s+-p\\s*)" + "[^\\s$<{]{4,}");

    /** The words that a sentence about secrets says of them, rather than a value. */
    private static final String SAID =
            "(?!\\p{L}{0,20}(?:ed|able|ible|ory|al|ary|ing|ent|ant|ive|less|long|short|weak|strong|empty|secret|ique"
                    + "|safe|wrong|right|set|kept|hidden|forbidden|lost|valid|null|none|opaque|missing|here"
                    + "|there|rotten|manager|hash(?:es)?|reset"
                    + "|policy|field|prompt|store|file|based|bucket|refresh|lengths?|rules?|check(?:s|er)?"
                    + "|login|logins|auth|rotation"
                    + "|format|expiry|entry|header|headers|name|names|value|values|storage|generator)\\b)";

    private static final String LETTERS =
            "[\"'`“„«]?" + SAID + "(?:\\p{L}[\\p{L}-]{5,64}|\\d{4,64})[\"'`”“»]?\\s*(?:[.,;!]|$)";

    /** "User root, pass toor", "the user alice and the passphrase correct horse". */
    private static final Pattern USER = pattern(BEGIN
            + "(?:user(?:name)?|login|benutzer|usuario|utilisateur|utente|usuário)"
            + "\\s+(?:is\\s+|=\\s*|:\\s*)?(?!(?:and|or|as|for|in|und|et|y|e|must|should|name|input|field"
            + "|has|can|is|ids?|account|group|role|table|data)\\b)[\\p{L}\\d._@-]{2,64}"
            + ",?\\s+(?:(?:and|with|und|mit|et|y|e|con|com)\\s+)?(?:(?:the|a|his|their|das|le|la|il|o)\\s+)?" + NAME
            + "\\s+(?:(?:is|ist|est|es)\\s+)?[\"'`]?" + SAID + SAID_NAME
            + "(?!(?:from|in|and|or|to|must|should|are|before|after|when|with|then|every|each|twice)\\b)"
            + "[\\p{L}\\d]{4,64}");

    /** "The password is swordfish": the last word of a clause, unless it is an adjective, a participle or a noun. */
    private static final Pattern STATED = pattern(BEGIN + NAME
            + "(?:(?:\\s+(?:for|of|to|on|in|at|by|between|with|from|behind|used|we|von|für|de|del|da|di"
            + "|pour)(?:\\s+[^\\s.!?;,]{1,64}){1,4}?)?(?:,? which|,? and it| it)?"
            + "\\s*(?:[:=]|\\s" + IS + ")|[^.!?;]{0,60}\\s(?:it(?:'s|’s| is)|to))\\s*" + LETTERS);

    /** "Set DB_PASS to hollandaise", "the code is 9090 for the box". */
    private static final Pattern ASSIGNED = pattern("\\b(?:set|export|change"
            + "|put)\\s+(?:\\S{1,40}\\s+){0,3}?\\S{0,40}?"
            + NAME + "\\s+to\\s+[\"'`]?" + SAID + "[\\p{L}\\d]{6,64}\\b(?!\\s+(?:value|string"
            + "|text)s?)|" + BEGIN
            + NAME + "\\s+(?:is|=|:)\\s*"
            + "\\d{4,64}\\b(?!\\s*(?:\\p{L}+s|ms)\\b)");

    /** "Log in with the password swordfish". */
    private static final Pattern POSSESSED =
            pattern("\\b(?:with|has|and|using|type|enter|mit|avec|con|com)\\s+(?:the\\s+|a\\s+|my\\s+"
                    + "|our\\s+)?" + NAME
                    + "\\s+" + LETTERS);

    /** A quotation, or several words behind a colon. */
    private static final Pattern QUOTED = pattern(BEGIN + NAME + "(?:[^.!?;:\"“„«`]{0,60}\\s" + IS + "|\\s*[:=])\\s*"
            + "(?:[\"“„«`][^\"”“»`$<{]{4,128}[\"”“»`]|(?<=:)\\s*" + SAID
            + "(?!must|never|always|should|is|are|do|don|use|read|from|store|keep|hash|the|an?|no|not|at|in"
            + "|see|only|it)"
            + "\\p{L}+(?:\\s\\p{L}+){1,7}\\s*[.!]?$)");

    /** Names of algorithms and formats, which have digits too. */
    private static final Pattern STANDARD =
            pattern("(?:sha|md|aes|rsa|[rehp]s|base|utf|iso|tls|ssl|http|oauth|argon|pbkdf|pkcs|x|ed|k|p|fido|u|i|l"
                    + "|ec|s|v|es|python|node"
                    + "|java|jdk|ipv|port|step|level|version)-?[0-9][0-9._-]*[a-z]{0,5}[0-9]?"
                    + "|[0-9.]+[a-z]{0,7}|[0-9]+-\\p{L}+");

    private static final Pattern REFERENCE =
            Pattern.compile("[$<{%@/~].*|.*[/\\\\].*|\\w+\\.\\w{1,5}|.*[(){}<>].*|[A-Z_]+[A-Z0-9_]*");

    private SpokenSecrets() {}

    private static Pattern pattern(String regex) {
        return Pattern.compile(regex, Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);
    }

    /** The rule of the first secret of a sentence; null if there is none. */
    static @Nullable String first(String sentence) {
        for (Pattern values : new Pattern[] {NAMED, LATER, BEFORE}) {
            if (anySecret(values.matcher(sentence))) {
                return "password";
            }
        }
        for (Pattern whole : new Pattern[] {STATED, ASSIGNED, POSSESSED, QUOTED, OPTION, USED, DIGITS}) {
            if (whole.matcher(sentence).find()) {
                return "password";
            }
        }
        if (PAIR.matcher(sentence).find()
                || USUAL.matcher(sentence).find()
                || USER.matcher(sentence).find()) {
            return "login";
        }
        return anySecret(LOGIN.matcher(sentence)) || anySecret(ACCOUNT.matcher(sentence)) ? "login" : null;
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
