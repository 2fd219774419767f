package dev.xmem.core.answer.outcome;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

/** Order, repetition and the files they stand in do not matter to what lines say together. */
class EventFoldPropertyTest {
    @Provide
    Arbitrary<List<EntryEvent>> events() {
        Arbitrary<Long> times = Arbitraries.longs().between(0, 6);
        Arbitrary<EntryEvent> votes = Combinators.combine(
                        times,
                        Arbitraries.of("worked", "failed", "irrelevant", "enthused"),
                        Arbitraries.of("monday", "tuesday", "wednesday", ""))
                .as((ts, said, session) -> event(ts, said, session, null, List.of(), List.of()));
        Arbitrary<List<String>> tags = Arbitraries.of("a", "b", "B", "c").list().ofMaxSize(2);
        Arbitrary<EntryEvent> amendments = Combinators.combine(
                        times,
                        Arbitraries.of("dismiss", "pin", "supersede", "retag", "frame"),
                        Arbitraries.of("x", "y"),
                        tags,
                        tags)
                .as((ts, said, detail, add, remove) -> event(ts, said, null, detail, add, remove));
        return Arbitraries.oneOf(votes, amendments).list().ofMaxSize(12);
    }

    private static EntryEvent event(
            long ts,
            String said,
            @Nullable String session,
            @Nullable String detail,
            List<String> add,
            List<String> remove) {
        return new EntryEvent(ts, said, session, detail, add, remove, ts + said + session + detail + add + remove);
    }

    private static EventFold fold(List<EntryEvent> events) {
        EventFold fold = new EventFold();
        events.forEach(fold::add);
        return fold;
    }

    @Property(tries = 500)
    void state_anyOrderAndRepetition_isTheSame(@ForAll("events") List<EntryEvent> events, @ForAll Random random) {
        List<EntryEvent> other = new ArrayList<>(events);
        events.stream().filter(e -> random.nextBoolean()).forEach(other::add);
        Collections.shuffle(other, random);
        assertThat(fold(other).state(successor -> true)).isEqualTo(fold(events).state(successor -> true));
    }

    @Property(tries = 500)
    void state_anySplitIntoFiles_isTheSame(@ForAll("events") List<EntryEvent> events, @ForAll Random random) {
        List<List<EntryEvent>> files = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        events.forEach(event -> {
            files.get(random.nextInt(3)).add(event);
            files.get(random.nextInt(3)).add(event);
        });
        EventFold fold = new EventFold();
        files.forEach(file -> file.forEach(fold::add));
        assertThat(fold.state(successor -> true)).isEqualTo(fold(events).state(successor -> true));
    }

    /** A replacement by an entry that does not exist is ignored. */
    @Property(tries = 500)
    void state_successorThatDoesNotExist_isIgnored(@ForAll("events") List<EntryEvent> events) {
        List<EntryEvent> others = events.stream()
                .filter(event -> !(event.replaces() && "y".equals(event.detail())))
                .toList();
        EntryState state = fold(events).state("x"::equals);
        assertThat(state).isEqualTo(fold(others).state(successor -> true));
        assertThat(state.supersededBy())
                .isIn(fold(events).successors().contains("x") ? List.of("x") : Arrays.asList((String) null));
    }

    @Property(tries = 500)
    void state_anyVotes_countsTheFirstOfEachSession(@ForAll("events") List<EntryEvent> events) {
        Map<String, EntryEvent> first = new HashMap<>();
        for (EntryEvent event : events) {
            String voter = event.session();
            if (voter != null && !event.said().equals("enthused")) {
                first.merge(voter, event, (a, b) -> EntryEvent.ORDER.compare(a, b) <= 0 ? a : b);
            }
        }
        EntryState state = fold(events).state(successor -> true);
        assertThat(state.worked()).isEqualTo(count(first, "worked"));
        assertThat(state.failed()).isEqualTo(count(first, "failed"));
        assertThat(state.irrelevant()).isEqualTo(count(first, "irrelevant"));
    }

    private static int count(Map<String, EntryEvent> votes, String said) {
        return (int) votes.values().stream().filter(e -> e.said().equals(said)).count();
    }

    @Property(tries = 500)
    void confidence_anyVotes_staysWithinAndMovesWithTheEvidence(@ForAll("events") List<EntryEvent> events) {
        EntryState state = fold(events).state(successor -> true);
        for (double prior : new double[] {0, 0.5, 0.95, 1}) {
            double confidence = state.confidence(prior, 3);
            assertThat(confidence).isBetween(0.0, 1.0);
            EntryState better = new EntryState(
                    state.worked() + 1, state.failed(), state.irrelevant(), 0, false, null, 0, null, List.of());
            assertThat(better.confidence(prior, 3)).isGreaterThanOrEqualTo(confidence);
        }
    }
}
