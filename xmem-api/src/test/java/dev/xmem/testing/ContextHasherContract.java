package dev.xmem.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.spi.ContextHash;
import dev.xmem.spi.ContextHasher;
import dev.xmem.spi.HashInput;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/**
 * The contract test of {@link ContextHasher}. It does not measure how well a hasher distinguishes causes. A provider's
 * test extends it, on JUnit 5 with jqwik:
 *
 * <pre>{@code
 * final class MyHasherTest extends ContextHasherContract {
 *     protected ContextHasher hasher() {
 *         return new MyHasher();
 *     }
 * }
 * }</pre>
 */
public abstract class ContextHasherContract {
    private static final int MEBIBYTE = 1 << 20;
    private static final String SLUG = "[a-z0-9]+(-[a-z0-9]+)*";

    /** The hasher under test: always the same one, or a new one with the same results. */
    protected abstract ContextHasher hasher();

    @Test
    public void id_always_notBlankAndStable() {
        assertThat(hasher().id()).isNotBlank().isEqualTo(hasher().id());
    }

    @Property
    public void hash_anyFailure_slug(
            @ForAll("texts") String tool, @ForAll("texts") String action, @ForAll("texts") String error) {
        assertSlug(hasher().hash(HashInput.of(tool, action).error(error, 1)));
        assertSlug(hasher().hash(HashInput.of(tool, action).error(error, null)));
    }

    @Property
    public void hash_anySuccess_slug(
            @ForAll("texts") String tool, @ForAll("texts") String action, @ForAll("texts") String name) {
        HashInput success = HashInput.of(tool, action).patternName(name);
        assertSlug(hasher().hash(success));
        assertSlug(hasher().hash(success.keySteps(List.of(name, action)).signature(name)));
    }

    /** Before a call there is no error, so the hash is the operation. */
    @Property
    public void hash_beforeTheCall_operation(@ForAll("texts") String tool, @ForAll("texts") String action) {
        ContextHash hash = hasher().hash(HashInput.of(tool, action));
        assertSlug(hash);
        assertThat(hash.value()).isEqualTo(hash.operation());
    }

    @Property
    public void hash_anyFailure_sameEachTime(@ForAll("texts") String action, @ForAll("texts") String error) {
        HashInput input = HashInput.of("git", action).error(error, 128);
        assertThat(parts(hasher().hash(input))).isEqualTo(parts(hasher().hash(input)));
    }

    @Test
    public void hash_mebibyte_slug() {
        for (String unit : List.of(
                "a",
                " ",
                "\n",
                "\0",
                "\"",
                "(",
                "/",
                "é",
                "\uD83D",
                "error: ",
                "Caused by: x\n",
                "at a.b(C.java:1)\n")) {
            String text = unit.repeat(MEBIBYTE / unit.length());
            assertSlug(hasher().hash(HashInput.of("git", "push origin").error(text, 1)));
            assertSlug(hasher().hash(HashInput.of("git", text).error("fatal: " + text, 1)));
            assertSlug(hasher().hash(HashInput.of(text, text).patternName(text)));
        }
    }

    @Test
    public void hash_manyThreads_sameResults() throws Exception {
        ContextHasher hasher = hasher();
        List<List<String>> expected = hashAll(hasher);
        Callable<List<List<String>>> work = () -> hashAll(hasher);
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            for (Future<List<List<String>>> done : threads.invokeAll(Collections.nCopies(32, work))) {
                assertThat(done.get()).isEqualTo(expected);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** In Turkish the lower case of I differs; Thai and Arabic have other digits. */
    @Test
    @ResourceLock(Resources.LOCALE)
    public void hash_otherDefaultLocale_sameResults() {
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.ROOT);
            List<List<String>> expected = hashAll(hasher());
            for (String tag : List.of("tr-TR", "th-TH-u-nu-thai", "ar-EG-u-nu-arab", "lt-LT")) {
                Locale.setDefault(Locale.forLanguageTag(tag));
                assertThat(hashAll(hasher())).as(tag).isEqualTo(expected);
            }
        } finally {
            Locale.setDefault(before);
        }
    }

    /** Fragments of commands and errors, ASCII with control characters, and any chars, including lone surrogates. */
    @Provide
    public Arbitrary<String> texts() {
        Arbitrary<String> words = Arbitraries.of(
                "git",
                "npm",
                "install",
                "PUSH",
                "error:",
                "fatal:",
                "ERR!",
                "not found",
                "I",
                "İ",
                "--flag=",
                "-x",
                " ",
                "\n",
                "\r\n",
                "\t",
                "\0",
                "\u001B[31m",
                "'",
                "\"",
                "&&",
                "|",
                "/usr/bin/",
                "10.0.0.1:80",
                "ENOENT",
                "Exception",
                "\uD83D",
                "ß",
                "404");
        return Arbitraries.oneOf(
                words.list().ofMaxSize(30).map(list -> String.join("", list)),
                Arbitraries.strings().ascii().ofMaxLength(200),
                Arbitraries.strings().withCharRange('\0', '\uFFFF').ofMaxLength(100));
    }

    private static List<List<String>> hashAll(ContextHasher hasher) {
        List<List<String>> hashes = new ArrayList<>();
        for (String tool : List.of("GIT", "pip", "Iİıi", "")) {
            for (String error : List.of(
                    "FATAL: INVALID INDEX", "didn't find section in config file", "exit 404 in line 12", "ıİ")) {
                hashes.add(parts(hasher.hash(
                        HashInput.of(tool, tool + " INSTALL Left-Pad").error(error, 1))));
                hashes.add(parts(hasher.hash(HashInput.of(tool, "INIT").patternName(error))));
            }
            hashes.add(parts(hasher.hash(HashInput.of(tool, "LIST --INVALID"))));
        }
        return hashes;
    }

    private static List<String> parts(ContextHash hash) {
        return List.of(hash.value(), hash.operation(), hash.subject());
    }

    private static void assertSlug(ContextHash hash) {
        assertThat(hash.value()).matches(SLUG).hasSizeLessThanOrEqualTo(ContextHash.MAX_CHARS);
        assertThat(hash.operation()).matches(SLUG).hasSizeLessThanOrEqualTo(ContextHash.MAX_CHARS);
        assertThat(hash.subject()).isNotNull();
    }
}
