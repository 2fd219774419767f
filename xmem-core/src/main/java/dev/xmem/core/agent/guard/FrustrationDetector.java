package dev.xmem.core.agent.guard;

import dev.xmem.core.text.hash.RuleFile;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Knows a user who says that the same thing went wrong again, in the languages of {@code frustration.txt}. Stateless; looks
 * at the beginning of a message, and its patterns repeat nothing without a bound.
 */
final class FrustrationDetector {
    private static final int MOST_CHARS = 1000;
    private static final String NEVER = "never";
    private static final String GAP = "…";
    private static final Pattern MARKS = Pattern.compile("\\p{Mn}+");
    private static final List<Pattern> PHRASES = new ArrayList<>();
    private static final List<Pattern> EXCLUDED = new ArrayList<>();

    static {
        for (RuleFile.Section section : RuleFile.sections(FrustrationDetector.class, "frustration.txt")) {
            List<Pattern> kind = section.header().equals(NEVER) ? EXCLUDED : PHRASES;
            section.body().forEach(phrase -> kind.add(compiled(folded(phrase))));
        }
    }

    private FrustrationDetector() {}

    /** Whether the message says so. */
    static boolean in(String message) {
        String text = folded(CallTruncation.head(message, MOST_CHARS));
        for (String sentence : text.split("[.!?;\\n。！？]+", -1)) {
            if (matches(PHRASES, sentence) && !matches(EXCLUDED, sentence)) {
                return true;
            }
        }
        return false;
    }

    private static boolean matches(List<Pattern> patterns, String sentence) {
        for (Pattern pattern : patterns) {
            Matcher matcher = pattern.matcher(sentence);
            if (matcher.find()) {
                return true;
            }
        }
        return false;
    }

    /** Lower case, without accents, one kind of apostrophe. */
    private static String folded(String text) {
        String parted = Normalizer.normalize(text.replace(GAP, "\u0001"), Normalizer.Form.NFKD);
        String bare = mayLoseMarks(parted) ? MARKS.matcher(parted).replaceAll("") : parted;
        return Normalizer.normalize(bare, Normalizer.Form.NFC)
                .replace("\u0001", GAP)
                .replace('’', '\'')
                .toLowerCase(Locale.ROOT)
                .replace('ł', 'l')
                .replace('ı', 'i')
                .replace("ß", "ss");
    }

    /** Marks of Indic and other scripts are letters' parts: only those of Latin, Greek, Cyrillic and Arabic go. */
    private static boolean mayLoseMarks(String text) {
        return text.chars().noneMatch(c -> c >= 0x900 && c < 0xE80 || c >= 0x3040 && c < 0x3100);
    }

    private static Pattern compiled(String phrase) {
        boolean blanks = phrase.indexOf(' ') >= 0 || phrase.chars().allMatch(c -> c < 0x2E80 || c == GAP.charAt(0));
        return blanks ? words(phrase) : characters(phrase);
    }

    private static Pattern words(String phrase) {
        StringBuilder regex = new StringBuilder("(?<![\\p{L}\\p{M}\\p{N}'])");
        boolean first = true;
        boolean gap = false;
        for (String element : phrase.split(" ", -1)) {
            if (element.equals(GAP)) {
                gap = true;
                continue;
            }
            if (!first) {
                regex.append(gap ? "(?:[^\\p{L}\\p{M}\\p{N}]{1,4}[\\p{L}\\p{M}\\p{N}']{1,30}){0,4}" : "");
                regex.append("[^\\p{L}\\p{M}\\p{N}]{1,4}");
            }
            regex.append(alternatives(element));
            first = false;
            gap = false;
        }
        return Pattern.compile(regex.toString());
    }

    private static String alternatives(String element) {
        StringBuilder regex = new StringBuilder("(?:");
        for (String word : element.split("/", -1)) {
            boolean stem = word.endsWith("*");
            regex.append(regex.length() > 3 ? "|" : "")
                    .append(Pattern.quote(stem ? word.substring(0, word.length() - 1) : word))
                    .append(stem ? "[\\p{L}\\p{M}]{0,12}" : "");
        }
        return regex.append(")(?![\\p{L}\\p{M}\\p{N}])").toString();
    }

    private static Pattern characters(String phrase) {
        StringBuilder regex = new StringBuilder();
        for (String part : phrase.split(GAP, -1)) {
            regex.append(regex.length() == 0 ? "" : ".{0,8}?").append(Pattern.quote(part));
        }
        return Pattern.compile(regex.toString());
    }
}
