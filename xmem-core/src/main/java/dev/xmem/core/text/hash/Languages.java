package dev.xmem.core.text.hash;

import dev.xmem.core.text.analysis.RuleFile;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Puts the English message in the place of a message that a common program prints in another language, so that the
 * rules for English messages find it. The messages are known by few words, in {@code languages.txt}. Decision:
 * docs/adr/0052-languages.md and docs/adr/0140-words-from-catalogues.md.
 */
final class Languages {
    private static final int MAX_GAP = 300;
    private static final int MAX_ENDING = 3;

    private static final String WIDE = "：，。（）；！“”„‟「」『』»«‹›";
    private static final String ASCII = ":,.();!\"\"\"\"\"\"\"\"\"\"\"\"";

    private static final int MAX_START = 8;
    private static final int SHIFT = 15;

    /** The number of slots for the beginnings of phrases. */
    private static final int SLOTS = 1 << Integer.SIZE - SHIFT;

    private Languages() {}

    /** The phrases, by their first two characters; read for the first text in another language. */
    private static final class Phrases {
        private static final Map<String, Start> BY_START = new HashMap<>();

        /** The slots of what phrases begin with, and of the whole beginnings that are looked at. */
        static final BitSet STARTS = new BitSet(SLOTS);

        static final BitSet WHOLE = new BitSet(SLOTS);

        static {
            for (RuleFile.Section section : RuleFile.sections(Languages.class, "languages.txt")) {
                for (String line : section.body()) {
                    for (String words : line.split(";", -1)) {
                        String phrase = CharClasses.lowerCase(words.strip());
                        add(phrase.startsWith("*") ? phrase.substring(1).strip() : phrase, section.header());
                    }
                }
            }
        }

        private static void add(String words, String english) {
            int end = words.indexOf('*');
            int last = words.length() - (words.endsWith("$") ? 1 : 0);
            addStart(words.substring(0, end < 0 ? last : end).strip());
            String two = words.substring(0, 2);
            Start start = BY_START.get(two);
            if (start == null) {
                start = new Start();
                BY_START.put(two, start);
            }
            start.sources.add(words);
            start.english.add(english);
        }

        /** The phrases that begin with two characters, the longest first. */
        static List<Phrase> of(String two) {
            Start start = BY_START.get(two);
            return start == null ? List.of() : start.phrases();
        }

        private static void addStart(String part) {
            int hash = 0;
            for (int i = 0; i < Math.min(part.length(), MAX_START); i++) {
                hash = next(hash, part.charAt(i));
                STARTS.set(hash >>> SHIFT);
            }
            WHOLE.set(hash >>> SHIFT);
        }

        /** Whether a phrase may begin at an index. */
        static boolean mayBegin(String lower, int at) {
            int hash = 0;
            for (int i = at; i < lower.length(); i++) {
                hash = next(hash, lower.charAt(i));
                if (!STARTS.get(hash >>> SHIFT)) {
                    return false;
                }
                if (WHOLE.get(hash >>> SHIFT)) {
                    return true;
                }
            }
            return false;
        }

        private static int next(int hash, char c) {
            return (hash + c + 1) * 0x9e3779b1;
        }
    }

    /** The phrases that begin with two characters; parsed for the first text that has these. */
    private static final class Start {
        final List<String> sources = new ArrayList<>(4);
        final List<String> english = new ArrayList<>(4);
        private volatile @Nullable List<Phrase> phrases;

        List<Phrase> phrases() {
            List<Phrase> known = phrases;
            if (known == null) {
                known = new ArrayList<>();
                for (int i = 0; i < sources.size(); i++) {
                    known.add(Phrase.of(sources.get(i), english.get(i)));
                }
                known.sort(Comparator.comparingInt(phrase -> -phrase.length()));
                phrases = known;
            }
            return known;
        }
    }

    /** The parts of a message, in lower case, and the English message with a star for what is between them. */
    private record Phrase(List<String> parts, String english, boolean last) {
        static Phrase of(String words, String english) {
            boolean last = words.endsWith("$");
            String text = last ? words.substring(0, words.length() - 1) : words;
            List<String> parts = new ArrayList<>();
            for (String part : text.split("\\*")) {
                if (!part.isBlank()) {
                    parts.add(part.strip());
                }
            }
            return new Phrase(List.copyOf(parts), english.startsWith("* ") ? english.substring(2) : english, last);
        }

        /**
         * Whether text between two indexes is an English word that contains the phrase: the name of a class, such as
         * {@code ArgumentError} for {@code argumente}, or a word that begins as the English one does, such as
         * {@code processor} for {@code processo} and {@code certificates} for {@code certificat}.
         */
        boolean isWithin(String text, int at, int end) {
            if (end >= text.length() || !Character.isLetter(text.charAt(end))) {
                return false;
            }
            for (int i = at + 1; i < at + parts.get(0).length(); i++) {
                if (Character.isUpperCase(text.charAt(i)) && Character.isLowerCase(text.charAt(i - 1))) {
                    return true;
                }
            }
            return text.regionMatches(true, at, english, 0, english.length());
        }

        int length() {
            int length = 0;
            for (String part : parts) {
                length += part.length();
            }
            return length;
        }
    }

    /** Whether the text has a letter, a quotation mark or a blank that English does not have. */
    static boolean isForeign(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= 0xc0 && Character.isLetter(c) || c == '«' || c == '„' || c == 0xa0) {
                return true;
            }
        }
        return false;
    }

    /** Whether a word in front of a message is not that of English, in the letters of English. */
    static boolean isMarked(String text) {
        for (int i = text.indexOf("er:"); i >= 0; i = text.indexOf("er:", i + 1)) {
            if (text.startsWith("Fehl", i - 4)) {
                return true;
            }
        }
        return text.contains("rreur") || text.contains("rrore:") || text.contains("rro:");
    }

    /** The text without words that have a slash, but for letters of Korean, Chinese and Japanese: a path is a name. */
    static String withoutPaths(String text) {
        StringBuilder out = new StringBuilder(text.length());
        for (String word : text.split(" ", -1)) {
            boolean path = word.indexOf('/') >= 0 || word.indexOf('\\') >= 0;
            for (int i = 0; i < word.length(); i++) {
                out.append(!path || word.charAt(i) >= 0x2e80 ? word.substring(i, i + 1) : "");
            }
            out.append(' ');
        }
        return out.toString();
    }

    /** A checksum of the letters that English does not have. */
    static String checksum(String text) {
        CRC32 sum = new CRC32();
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= 0xc0 && Character.isLetter(text.charAt(i))) {
                sum.update(text.charAt(i));
                sum.update(text.charAt(i) >> 8);
            }
        }
        return Long.toHexString(sum.getValue());
    }

    /** The line with English messages in the place of the messages that are known; the same line if none is. */
    static String english(String line) {
        String text = ascii(line);
        String lower = CharClasses.lowerCase(text);
        StringBuilder out = new StringBuilder(0);
        int from = 0;
        int i = 0;
        while (i + 1 < text.length()) {
            boolean begins = (i == 0 || lower.charAt(i) >= 0x2e80 || !Character.isLetter(lower.charAt(i - 1)))
                    && Phrases.mayBegin(lower, i);
            int end = begins ? translate(text, lower, i, out, from) : -1;
            from = end < 0 ? from : end;
            i = end < 0 ? i + 1 : end;
        }
        return from == 0 ? text : out.append(text, from, text.length()).toString();
    }

    /** Writes the text up to a message that begins here, and its translation; the end of the message, or -1. */
    private static int translate(String text, String lower, int at, StringBuilder out, int from) {
        for (Phrase phrase : Phrases.of(lower.substring(at, at + 2))) {
            if (!lower.startsWith(phrase.parts.get(0), at)) {
                continue;
            }
            StringBuilder gaps = new StringBuilder();
            int end = end(phrase, text, lower, at, gaps);
            if (end >= 0 && !phrase.isWithin(text, at, end)) {
                boolean apart = at == 0 || " (".indexOf(text.charAt(at - 1)) >= 0;
                out.append(text, from, at).append(apart ? "" : " ");
                out.append(phrase.english.replace("*", gaps.toString().strip()));
                int behind = withoutEnding(text, end);
                out.append(behind < text.length() && Character.isLetter(text.charAt(behind)) ? " " : "");
                return behind;
            }
        }
        return -1;
    }

    /** The index behind the ending of the word that a phrase stops in; the index itself if more than that follows. */
    private static int withoutEnding(String text, int at) {
        int end = at;
        while (end < text.length()
                && end - at <= MAX_ENDING
                && text.charAt(end) < 0x2e80
                && Character.isLetter(text.charAt(end))) {
            end++;
        }
        return end - at <= MAX_ENDING && text.charAt(at - 1) < 0x2e80 ? end : at;
    }

    private static int end(Phrase phrase, String text, String lower, int at, StringBuilder gaps) {
        int end = at;
        for (int i = 0; i < phrase.parts.size(); i++) {
            String part = phrase.parts.get(i);
            int limit = Math.min(lower.length(), end + (end == at ? 0 : MAX_GAP) + part.length());
            int found = end + lower.substring(end, limit).indexOf(part);
            if (found < end) {
                return -1;
            }
            gaps.append(text, end, found);
            end = found + part.length();
        }
        return phrase.last && !isLast(text, end) ? -1 : end;
    }

    /** Whether nothing but a full stop and blanks follows. */
    private static boolean isLast(String text, int from) {
        int i = from;
        while (i < text.length() && (text.charAt(i) == '.' || text.charAt(i) <= ' ')) {
            i++;
        }
        return i == text.length();
    }

    /** The line with the punctuation of English, and a blank between a closing quote and a letter that follows it. */
    private static String ascii(String line) {
        @Nullable StringBuilder out = null;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            int wide = c < 0x80 ? -1 : WIDE.indexOf(c);
            boolean space = c == ' ' && i + 1 < line.length() && line.charAt(i + 1) == ':' || c == 0xa0;
            boolean closed = (c == '\'' || c == '"') && isJoined(line, i);
            if ((wide >= 0 || space || closed) && out == null) {
                out = new StringBuilder(line.length() + 8).append(line, 0, i);
            }
            if (out != null && wide >= 0) {
                out.append(ASCII.charAt(wide)).append(wide < 3 ? " " : "");
            } else if (out != null && !space) {
                out.append(c).append(closed ? " " : "");
            }
        }
        return out == null ? line : out.toString();
    }

    /** Whether the quote at an index ends an operand and a word without a blank in front begins behind it. */
    private static boolean isJoined(String line, int quote) {
        return quote > 0
                && quote + 1 < line.length()
                && line.charAt(quote + 1) >= 0x2e80
                && line.charAt(quote - 1) > ' '
                && line.charAt(quote - 1) < 0x2e80;
    }
}
