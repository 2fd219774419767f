package dev.xmem.core.base.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.JsonGeneratorDelegate;
import java.io.IOException;

/**
 * Writes U+FFFD for an unpaired surrogate, which has no form in UTF-8. An escape in a line that another program wrote
 * can name one.
 */
final class WholeCharacters extends JsonGeneratorDelegate {
    WholeCharacters(JsonGenerator generator) {
        super(generator, false);
    }

    @Override
    public void writeFieldName(String name) throws IOException {
        super.writeFieldName(whole(name));
    }

    @Override
    public void writeString(String text) throws IOException {
        super.writeString(whole(text));
    }

    private static String whole(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                return text.codePoints()
                        .map(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE ? 0xFFFD : c)
                        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                        .toString();
            }
        }
        return text;
    }
}
