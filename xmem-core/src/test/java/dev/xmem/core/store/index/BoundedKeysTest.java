package dev.xmem.core.store.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The first keys of several sorted lists are those of all, and no list is read much further than it has to be. */
class BoundedKeysTest {
    @Test
    void test_keysOfManyLists_keepsTheFirstOfAll() {
        Random random = new Random(3);
        for (int most = 1; most < 40; most++) {
            BoundedKeys first = new BoundedKeys(most);
            TreeSet<String> all = new TreeSet<>();
            for (int list = 0; list < 5; list++) {
                TreeSet<String> keys = new TreeSet<>();
                for (int i = random.nextInt(60); i > 0; i--) {
                    keys.add("git-" + (char) ('a' + random.nextInt(26)) + (random.nextBoolean() ? "ż" : "x"));
                }
                all.addAll(keys);
                for (String key : keys) {
                    if (!first.test(key)) {
                        break;
                    }
                }
            }
            assertThat(new ArrayList<>(first.keys()))
                    .isEqualTo(all.stream().limit(most).toList());
        }
    }

    @Test
    void test_sortedKeys_saysFalseAfterOneTooMany() {
        BoundedKeys first = new BoundedKeys(2);
        assertThat(List.of(first.test("a"), first.test("b"), first.test("b"), first.test("c")))
                .containsExactly(true, true, true, false);
        assertThat(first.keys()).containsExactly("a", "b");
    }
}
