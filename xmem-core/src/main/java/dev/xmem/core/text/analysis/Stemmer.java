package dev.xmem.core.text.analysis;

/**
 * An English stemmer: removes from a lower-case word, in place, a plural, then {@code -ing} or {@code -ed}, then
 * {@code -ation}, {@code -ion} or {@code -ate}, then a final {@code e} and a doubled consonant. So {@code installs},
 * {@code installed}, {@code installing} and {@code installation} become one term. Lighter than the Porter stemmer on
 * purpose: words that merge must mean the same to a user who searches for a failure. At least three letters and a vowel
 * stay. Irregular forms are in the {@link Lexicon}.
 */
final class Stemmer {
    private static final int SHORTEST = 3;
    private static final String[] HISSING = {"sses", "shes", "ches", "xes"};
    private static final String[] UNCHANGED = {"ss", "us", "sis", "xis"};

    private Stemmer() {}

    /** Stems the first {@code length} characters of {@code word}. Returns the length of the stem. */
    static int stem(char[] word, int length) {
        if (length <= SHORTEST || !isPlain(word, length)) {
            return length;
        }
        int left = plural(word, length);
        left = participle(word, left);
        left = noun(word, left);
        return left > 4 && word[left - 1] == 'e' ? left - 1 : left;
    }

    private static boolean isPlain(char[] word, int length) {
        for (int i = 0; i < length; i++) {
            if (word[i] < 'a' || word[i] > 'z') {
                return false;
            }
        }
        return true;
    }

    private static int plural(char[] word, int length) {
        if (word[length - 1] != 's' || endsWithAny(word, length, UNCHANGED)) {
            return length;
        }
        if (endsWith(word, length, "ies")) {
            return length > 4 ? withY(word, length - 3) : length - 1;
        }
        return length - (endsWithAny(word, length, HISSING) ? 2 : 1);
    }

    private static int participle(char[] word, int length) {
        if (endsWith(word, length, "ied") && length > 4) {
            return withY(word, length - 3);
        }
        boolean past = endsWith(word, length, "ed") && !endsWith(word, length, "eed");
        int stem = endsWith(word, length, "ing") ? length - 3 : past ? length - 2 : length;
        return stem < length && keepsVowel(word, stem) ? undouble(word, stem) : length;
    }

    private static int noun(char[] word, int length) {
        if (endsWith(word, length, "ation") && length > 8) {
            return length - 5;
        }
        if (length > 6 && (endsWith(word, length, "tion") || endsWith(word, length, "ate"))) {
            return length - 3;
        }
        return length > 6 && endsWith(word, length, "at") ? length - 2 : length;
    }

    private static int undouble(char[] word, int length) {
        char last = word[length - 1];
        boolean doubled = length > SHORTEST && last == word[length - 2] && last != 'l' && last != 's' && last != 'z';
        return doubled && !isVowel(last) ? length - 1 : length;
    }

    private static int withY(char[] word, int length) {
        word[length] = 'y';
        return length + 1;
    }

    private static boolean keepsVowel(char[] word, int length) {
        for (int i = 0; i < length && length >= SHORTEST; i++) {
            if (isVowel(word[i]) || word[i] == 'y') {
                return true;
            }
        }
        return false;
    }

    private static boolean isVowel(char c) {
        return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u';
    }

    private static boolean endsWithAny(char[] word, int length, String[] endings) {
        for (String ending : endings) {
            if (endsWith(word, length, ending)) {
                return true;
            }
        }
        return false;
    }

    private static boolean endsWith(char[] word, int length, String ending) {
        int from = length - ending.length();
        if (from < 0) {
            return false;
        }
        for (int i = 0; i < ending.length(); i++) {
            if (word[from + i] != ending.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
