package dev.xmem.core.text.redact;

/**
 * The code points that show nothing: {@code Default_Ignorable_Code_Point} of Unicode 16, and interlinear annotations.
 * A text can hide words in them, for a model to read and a person not to see. Stateless. Decision:
 * docs/adr/0063-one-way-to-the-model.md.
 */
public final class InvisibleText {
    /** The first and the last code point of each range, in order. */
    private static final int[] RANGES = {
        0xAD, 0xAD, 0x34F, 0x34F, 0x61C, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180F, 0x200B, 0x200F, 0x202A,
        0x202E, 0x2060, 0x206F, 0x3164, 0x3164, 0xFE00, 0xFE0F, 0xFEFF, 0xFEFF, 0xFFA0, 0xFFA0, 0xFFF0, 0xFFFB, 0x1BCA0,
        0x1BCA3, 0x1D173, 0x1D17A, 0xE0000, 0xE0FFF
    };

    private static final int ZWNJ = 0x200C;
    private static final int ZWJ = 0x200D;
    private static final int TEXT_STYLE = 0xFE0E;
    private static final int EMOJI_STYLE = 0xFE0F;
    private static final int KEYCAP = 0x20E3;

    private InvisibleText() {}

    /** Whether a code point shows nothing of its own. */
    public static boolean isInvisible(int c) {
        if (c < RANGES[0]) {
            return false;
        }
        int low = 0;
        int high = RANGES.length / 2 - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (c < RANGES[2 * middle]) {
                high = middle - 1;
            } else if (c > RANGES[2 * middle + 1]) {
                low = middle + 1;
            } else {
                return true;
            }
        }
        return false;
    }

    /** Whether a code point only chooses the form of the one before it. */
    public static boolean isVariationSelector(int c) {
        return c >= 0xFE00 && c <= 0xFE0F || c >= 0xE0100 && c <= 0xE01EF || c >= 0x180B && c <= 0x180D || c == 0x180F;
    }

    /**
     * Whether an invisible code point is part of a sequence that people write: a joiner between two emoji or two
     * letters of a script that joins, or one variation selector after an emoji, an ideograph or a Mongolian letter.
     *
     * @param before the last code point that was kept and is no variation selector; -1 for none
     * @param selected whether a variation selector follows {@code before} already
     * @param after the code point that follows in the text; -1 for none
     */
    public static boolean belongs(int before, boolean selected, int c, int after) {
        if (c == ZWJ || c == ZWNJ) {
            boolean letters = joins(after) && (joins(before) || isMark(before));
            return letters || c == ZWJ && isEmoji(before) && isEmoji(after);
        }
        if (selected || !isVariationSelector(c)) {
            return false;
        }
        if (c == TEXT_STYLE || c == EMOJI_STYLE) {
            return isEmoji(before) || isKeycapBase(before) && after == KEYCAP;
        }
        return c < 0x2000 ? scriptOf(before) == Character.UnicodeScript.MONGOLIAN : Character.isIdeographic(before);
    }

    /** Pictographs, and the older symbols that have an emoji form. */
    private static boolean isEmoji(int c) {
        return c >= 0x1F000 && c <= 0x1FAFF
                || c >= 0x2139 && c <= 0x3299 && Character.getType(c) == Character.OTHER_SYMBOL
                || c >= 0x2194 && c <= 0x2B55 && Character.getType(c) == Character.MATH_SYMBOL
                || c == 0xA9
                || c == 0xAE
                || c == 0x203C
                || c == 0x2049
                || c == 0x2122;
    }

    private static boolean isKeycapBase(int c) {
        return c >= '0' && c <= '9' || c == '#' || c == '*';
    }

    /** Whether a letter or mark belongs to a script that needs joiners. */
    private static boolean joins(int c) {
        if (c < 0x300 || !Character.isLetter(c) && !isMark(c)) {
            return false;
        }
        return switch (scriptOf(c)) {
            case ARABIC, SYRIAC, MANDAIC, NKO, MONGOLIAN, PHAGS_PA, ADLAM, HANIFI_ROHINGYA -> true;
            case DEVANAGARI, BENGALI, GURMUKHI, GUJARATI, ORIYA, TAMIL, TELUGU, KANNADA, MALAYALAM, SINHALA -> true;
            case MYANMAR, KHMER, TIBETAN, BALINESE, JAVANESE, SUNDANESE, TAI_THAM, CHAKMA, GRANTHA, NEWA -> true;
            default -> false;
        };
    }

    private static boolean isMark(int c) {
        int type = c < 0 ? Character.UNASSIGNED : Character.getType(c);
        return type == Character.NON_SPACING_MARK || type == Character.COMBINING_SPACING_MARK;
    }

    private static Character.UnicodeScript scriptOf(int c) {
        return c < 0 ? Character.UnicodeScript.UNKNOWN : Character.UnicodeScript.of(c);
    }
}
