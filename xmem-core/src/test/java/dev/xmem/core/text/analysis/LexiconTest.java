package dev.xmem.core.text.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LexiconTest {
    private static final String OF_QUERIES = Lexicon.class.getName() + "$OfQueries";

    /** The terms that a query with a word of the lexicon also looks for. */
    private static List<String> asked(boolean query, String word) {
        Lexicon.LexiconEntry entry = Lexicon.of(query).find(word);
        return entry == null
                ? List.of()
                : entry.start.synonyms.stream()
                        .flatMap(List::stream)
                        .map(Lexicon.Alternative::term)
                        .toList();
    }

    @ParameterizedTest
    @CsvSource({"rerank,coher,@coher", "claud,anthropic,@anthropic", "ownership,@chown,chown"})
    void purposes_nameInQuotes_isAWordAndAnyOtherAProgram(String word, String term, String other) {
        assertThat(asked(true, word)).contains(term).doesNotContain(other);
    }

    /** Filler is skipped inside phrases: a purpose of one word and filler is asked for by that word alone. */
    @ParameterizedTest
    @CsvSource({"belong,@chown", "day,@date", "ownership,@chown"})
    void purposes_oneWordBesideFiller_weighsAsOneWord(String word, String program) {
        Lexicon.LexiconEntry entry = Objects.requireNonNull(Lexicon.of(true).find(word));
        assertThat(entry.start.synonyms.stream()
                        .flatMap(List::stream)
                        .filter(alternative -> alternative.term().equals(program)))
                .extracting(Lexicon.Alternative::weight)
                .containsExactly(RankingParameters.PURPOSE_WORD);
    }

    @ParameterizedTest
    @CsvSource({"rerank", "claud", "ownership"})
    void ofEntries_wordsOfQueries_areLeftOut(String word) {
        assertThat(asked(false, word)).isEmpty();
    }

    @Test
    void ofQueries_processThatOnlyRecords_isNotLoaded() throws ReflectiveOperationException {
        OwnLoader loader = new OwnLoader();
        Method of = loader.loadClass(Lexicon.class.getName()).getDeclaredMethod("of", boolean.class);
        of.setAccessible(true);

        of.invoke(null, false);
        loader.loadClass(Analyzer.class.getName())
                .getMethod("terms", String.class)
                .invoke(null, "error: file exists, cannot make folder");
        assertThat(loader.has(OF_QUERIES)).isFalse();

        of.invoke(null, true);
        assertThat(loader.has(OF_QUERIES)).isTrue();
    }

    /** Loads the classes of the core again, so that none of them is initialized. */
    private static final class OwnLoader extends ClassLoader {
        OwnLoader() {
            super(LexiconTest.class.getClassLoader());
        }

        boolean has(String name) {
            return findLoadedClass(name) != null;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("dev.xmem.core.")) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded == null ? define(name) : loaded;
            }
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (in == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }
}
