package dev.xmem.core.store.segment;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers of the day. */
class DailyIdCounterTest {
    private static final String DAY = "2026-02-14";

    private static String dayPlus(int days) {
        return LocalDate.parse(DAY).plusDays(days).toString();
    }

    @Property(tries = 200)
    void id_ofAnyNumber_isReadBack(@ForAll @IntRange(min = 1, max = 99_999_999) int number) {
        String id = DailyIdCounter.id(DAY, number);
        assertThat(DailyIdCounter.isId(id)).isTrue();
        assertThat(DailyIdCounter.number(id, DAY)).isEqualTo(number);
        assertThat(DailyIdCounter.number(id, dayPlus(1))).isZero();
    }

    @Test
    void highest_seenInAnyOrder_isTheHighestOfItsDay() {
        List<String> ids = new ArrayList<>();
        for (int day = 0; day < 5; day++) {
            for (int number = 1; number <= 30 * (day + 1); number++) {
                ids.add(DailyIdCounter.id(dayPlus(day), number));
            }
        }
        Collections.shuffle(ids, new Random(7));
        DailyIdCounter counter = new DailyIdCounter();
        ids.forEach(counter::see);
        for (int day = 0; day < 5; day++) {
            assertThat(counter.highest(dayPlus(day))).isEqualTo(30 * (day + 1));
        }
        assertThat(counter.highest(dayPlus(5))).isZero();
    }

    /** Ids in a dictionary are counted from by their bytes. */
    @Test
    void see_keysOfADictionary_isTheSameAsTheirTexts() throws CorruptSegmentException {
        Set<String> ids = Set.of(
                "2026-02-14-007",
                "2026-02-14-1000",
                "2026-02-14-99999999",
                "2026-02-14-999999999",
                "2026-02-14-9999999999",
                "2026-02-14-00",
                "2026-02-14-00x",
                "2026-02-14_012",
                "2026-02-15-003",
                "2026-02-15-01\u0100",
                "");
        TermDictionary keys = DictionaryMergerTest.dictionary(ids);
        DailyIdCounter bytes = new DailyIdCounter();
        DailyIdCounter texts = new DailyIdCounter();
        for (int round = 0; round < 2; round++) {
            for (int place = 0; place < keys.size(); place++) {
                bytes.see(keys, place);
                texts.see(keys.key(place));
            }
        }
        assertThat(bytes.highest()).isEqualTo(texts.highest()).hasSize(2);
    }

    @Test
    void highest_anAbsurdNumber_isNotCountedFrom() {
        DailyIdCounter counter = new DailyIdCounter();
        counter.see("2026-02-14-007");
        counter.see("2026-02-14-999999999");
        assertThat(counter.highest(DAY)).isEqualTo(7);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "2026-02-14",
                "2026-02-14-",
                "2026-02-14-01",
                "2026-2-14-001",
                "2026-02-14_001",
                "2026-02-14-00a",
                "2026-02-14-+01",
                "2026-02-14-0000000001",
                "x2026-02-14-001",
                "２026-02-14-001",
                "note-0123456789abcdef"
            })
    void isId_anythingElse_isNone(String text) {
        assertThat(DailyIdCounter.isId(text)).isFalse();
        DailyIdCounter counter = new DailyIdCounter();
        counter.see(text);
        assertThat(counter.highest(DAY)).isZero();
    }
}
