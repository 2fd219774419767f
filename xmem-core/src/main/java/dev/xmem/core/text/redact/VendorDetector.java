package dev.xmem.core.text.redact;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Finds tokens that are known only beside their vendor's name: {@code ADAFRUIT_IO_KEY=…}. Immutable. */
final class VendorDetector implements SecretDetector {
    private static final CharSet NAME = CharSet.of("A-Za-z0-9_.\t -");
    private static final CharSet CLOSING = CharSet.of("\"'`]\\");
    private static final CharSet SIGN = CharSet.of("=:>|?,.");
    private static final CharSet OPENING = CharSet.of("\"'`\\=(\n\t ");
    private static final int MAX_NAME = 24;
    private static final int MAX_SIGNS = 5;

    private final List<TokenShape> shapes;
    private final Set<String> sums;

    /** Creates a detector of some shapes. Names with a word for a checksum have no secret. */
    VendorDetector(List<TokenShape> shapes, Set<String> sums) {
        this.shapes = shapes;
        this.sums = sums;
    }

    @Override
    public void detect(RedactionPass pass, int start, int end) {
        PaddedText text = pass.text;
        int name = NAME.endOfRun(text, end, MAX_NAME);
        int sign = CLOSING.endOfRun(text, name, MAX_SIGNS);
        sign = text.afterBlanks(sign, MAX_SIGNS);
        int after = SIGN.endOfRun(text, sign, MAX_SIGNS);
        Set<String> words = new HashSet<>(SensitiveName.words(text.from(end, name)));
        if (words.stream().anyMatch(sums::contains)) {
            return;
        }
        if (after > sign) {
            redact(pass, OPENING.endOfRun(text, after, MAX_SIGNS));
        }
        if (words.contains("key") || words.contains("token") || words.contains("secret")) {
            for (int i = end; i <= name; i++) {
                if (PaddedText.isBlank(text.at(i))) {
                    redact(pass, i + 1);
                }
            }
        }
    }

    private void redact(RedactionPass pass, int from) {
        for (TokenShape shape : shapes) {
            int to = shape.end(pass.text, from);
            if (to > 0 && pass.resume <= from) {
                pass.redact(from, to, pass.specific(from, to, shape.rule));
            }
        }
    }
}
