package dev.xmem.core.store.segment;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** The order in which the keys of several dictionaries are passed on, beside that of a sorted map of their bytes. */
class DictionaryMergerTest {
    private static final String CHARS = "ab\0\u007f\u0080\u00ff\u0100";

    /** A key: short ones, and long ones whose first bytes are the same in all dictionaries. */
    private static String key(SplittableRandom random, String shared) {
        StringBuilder key = new StringBuilder(shared);
        int length = random.nextInt(random.nextBoolean() ? 3 : 20);
        for (int i = 0; i < length; i++) {
            key.append(CHARS.charAt(random.nextInt(random.nextInt(4) > 0 ? 2 : CHARS.length())));
        }
        return key.toString();
    }

    static TermDictionary dictionary(Set<String> keys) throws CorruptSegmentException {
        TermDictionary.Builder builder = new TermDictionary.Builder();
        keys.forEach(key -> builder.put(key, new byte[] {1}));
        SectionWriter out = new SectionWriter();
        out.section(1);
        builder.write(out);
        return new TermDictionary(SectionFile.of(ByteBuffer.wrap(out.finish())).section(1));
    }

    @Property(tries = 300)
    void visit_anyDictionaries_passesOnTheKeysThatCountInTheOrderOfTheirBytes(@ForAll long seed)
            throws CorruptSegmentException {
        SplittableRandom random = new SplittableRandom(seed);
        String shared = random.nextBoolean() ? "" : "2026-01-01-";
        Map<byte[], List<Integer>> expected = new TreeMap<>(Arrays::compareUnsigned);
        DictionaryMerger merger = new DictionaryMerger();
        int sources = 1 + random.nextInt(6);
        for (int source = 0; source < sources; source++) {
            Set<String> keys = new LinkedHashSet<>();
            for (int n = random.nextInt(30); n > 0; n--) {
                keys.add(key(random, shared));
            }
            TermDictionary dictionary = dictionary(keys);
            BitSet some = random.nextBoolean() ? null : new BitSet();
            for (int place = 0; place < dictionary.size(); place++) {
                if (some != null) {
                    some.set(place, random.nextBoolean());
                }
                if (some == null || some.get(place)) {
                    expected.computeIfAbsent(KeyCodec.of(dictionary.key(place)), bytes -> new ArrayList<>())
                            .add(source);
                }
            }
            merger.add(dictionary, some);
        }
        List<String> merged = new ArrayList<>();
        List<Integer> with = new ArrayList<>();
        merger.visit(new DictionaryMerger.ValueVisitor() {
            @Override
            public void value(int source, TermDictionary keys, int place) {
                with.add(source);
            }

            @Override
            public void key(TermDictionary keys, int place) {
                merged.add(keys.key(place) + with);
                with.clear();
            }
        });
        assertThat(merged)
                .isEqualTo(expected.entrySet().stream()
                        .map(key -> KeyCodec.text(key.getKey()) + key.getValue())
                        .toList());
    }
}
