package dev.xmem.core.text.analysis;

import java.text.Normalizer;

/**
 * Brings text to the form in which it is compared: compatibility forms resolved (full-width letters, ligatures), Latin
 * diacritics dropped, composed again so that Hangul and kana are what they were. Case stays: the analyser needs it to
 * split {@code camelCase}. ASCII, which is nearly all there is, does not need it.
 */
final class UnicodeFolding {
    private UnicodeFolding() {}

    static String fold(String text) {
        return Normalizer.normalize(withoutMarks(text), Normalizer.Form.NFC);
    }

    private static String withoutMarks(String text) {
        String decomposed = Normalizer.normalize(text, Normalizer.Form.NFKD);
        StringBuilder kept = new StringBuilder(decomposed.length());
        for (int i = 0; i < decomposed.length(); i++) {
            char c = decomposed.charAt(i);
            if (c < 0x300 || c > 0x36F) {
                kept.append(c);
            }
        }
        return kept.toString();
    }
}
