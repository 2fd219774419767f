package dev.xmem.core.text.hash;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SlugsTest {
    @ParameterizedTest
    @CsvSource({
        "NoSuchKey,no-such-key",
        "HTTPError,http-error",
        "ECONNREFUSED,econnrefused",
        "a__b--C1,a-b-c1",
        "-x9Y-,x9y",
        "érrorNotFound,rror-not-found",
        "'. ',''"
    })
    void kebab_aName_wordsInLowerCase(String name, String kebab) {
        assertThat(Slugs.kebab(name)).isEqualTo(kebab);
    }

    @Property
    void all_anyText_theWordsOfTheKebabCaseInOrder(
            @ForAll
                    @CharRange(from = 'A', to = 'E')
                    @CharRange(from = 'x', to = 'z')
                    @Chars({'0', '9', '-', '_', ' ', 'é', 'Ü', '\u0130'})
                    @StringLength(max = 30)
                    String text) {
        List<String> words = new ArrayList<>();
        assertThat(Slugs.all(text, words::add)).isTrue();
        assertThat(String.join("-", words)).isEqualTo(Slugs.kebab(text));
        assertThat(Slugs.all(text, word -> false)).isEqualTo(words.isEmpty());
    }
}
