package dev.xmem.core.agent.guard;

import dev.xmem.core.text.hash.RuleFile;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Detects messages in which a user complains that the same thing went wrong again, in the languages of {@code
 * frustration.txt}. Reads the first 1,000 characters with patterns whose repetitions are all bounded. Stateless.
 */
final class FrustrationDetector {
    private static final int MAX_CHARS = 1000;
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

    /** Whether a message is such a complaint. */
    static boolean in(String message) {
        String text = folded(CallTruncation.head(message, MAX_CHARS));
        return Stream.of(text.split("[.!?;\\n。！？]+", -1))
                .anyMatch(sentence -> matches(PHRASES, sentence) && !matches(EXCLUDED, sentence));
    }

    private static boolean matches(List<Pattern> patterns, String sentence) {
        return patterns.stream().anyMatch(pattern -> pattern.matcher(sentence).find());
    }

    /** Converts to lower case, removes accents and unifies apostrophes. */
    private static String folded(String text) {
        String decomposed = Normalizer.normalize(text.replace(GAP, "\u0001"), Normalizer.Form.NFKD);
        String bare = hasAccents(decomposed) ? MARKS.matcher(decomposed).replaceAll("") : decomposed;
        return Normalizer.normalize(bare, Normalizer.Form.NFC)
                .replace("\u0001", GAP)
                .replace('’', '\'')
                .toLowerCase(Locale.ROOT)
                .replace('ł', 'l')
                .replace('ı', 'i')
                .replace("ß", "ss");
    }

    /** Whether marks are accents: in Indic, Thai, Lao and Japanese scripts they are parts of letters and are kept. */
    private static boolean hasAccents(String text) {
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
