package dev.xmem.micrometer;

import dev.xmem.Advice;
import dev.xmem.GuardListener;
import dev.xmem.Outcome;
import dev.xmem.Stats;
import dev.xmem.ToolCall;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The meters of one store. It listens to the guard of a store and is bound to a registry, in this order:
 *
 * <pre>{@code
 * XMemMeters meters = new XMemMeters();
 * XMemStore store = XMem.builder(directory).guardListener(meters).open();
 * meters.of(store).bindTo(registry);
 * }</pre>
 *
 * <table>
 * <caption>Meters; times in seconds</caption>
 * <tr><th>name<th>type<th>tags<th>what it counts
 * <tr><td>{@code xmem.guard}<td>timer<td>{@code question}, {@code status}<td>answers of the guard, and how long they
 *     took; recalls by their status
 * <tr><td>{@code xmem.failures}<td>counter<td>{@code known}<td>calls that the guard judged to have failed; known: the
 *     store had advice
 * <tr><td>{@code xmem.told}<td>counter<td>{@code question}<td>answers with a text for the model
 * <tr><td>{@code xmem.told.tokens}<td>counter<td><td>the tokens of these texts
 * <tr><td>{@code xmem.followed}<td>counter<td>{@code outcome}<td>votes: advice that a call followed
 * <tr><td>{@code xmem.dropped}<td>counter<td><td>entries that the guard lost
 * <tr><td>{@code xmem.unavailable}<td>counter<td><td>calls that the guard could not answer
 * <tr><td>{@code xmem.entries}<td>gauge<td>{@code kind}<td>live entries of the store
 * </table>
 *
 * <p>Tags have few values: no tool, family or session. What happens before a registry is bound is not counted, except
 * {@code xmem.dropped} and {@code xmem.unavailable}. A snapshot of the statistics serves the meters of one second.
 * Thread-safe.
 *
 * @since 0.1
 */
public final class XMemMeters implements GuardListener, MeterBinder {
    private static final long SNAPSHOT_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final AtomicReference<@Nullable XMemStore> store = new AtomicReference<>();
    private final AtomicReference<@Nullable Snapshot> snapshot = new AtomicReference<>();
    private volatile @Nullable Meters meters;

    private record Snapshot(Stats stats, long nanos) {}

    /** The meters that calls touch, resolved once: a lookup by tags costs more than the count. */
    private record Meters(
            Map<Question, Map<Advice.Status, Timer>> answers,
            Map<Question, Counter> told,
            Counter tokens,
            Counter known,
            Counter unknown,
            Map<Outcome, Counter> followed) {
        static Meters in(MeterRegistry registry) {
            Map<Question, Map<Advice.Status, Timer>> answers = new EnumMap<>(Question.class);
            Map<Question, Counter> told = new EnumMap<>(Question.class);
            for (Question question : Question.values()) {
                Tags tags = Tags.of("question", lower(question));
                Map<Advice.Status, Timer> timers = new EnumMap<>(Advice.Status.class);
                for (Advice.Status status : Advice.Status.values()) {
                    timers.put(
                            status,
                            Timer.builder("xmem.guard")
                                    .description("Answers of the guard")
                                    .tags(tags.and("status", lower(status)))
                                    .register(registry));
                }
                answers.put(question, timers);
                told.put(question, counter(registry, "xmem.told", "Answers with a text for the model", tags));
            }
            Map<Outcome, Counter> followed = new EnumMap<>(Outcome.class);
            for (Outcome outcome : Outcome.values()) {
                followed.put(
                        outcome,
                        counter(
                                registry,
                                "xmem.followed",
                                "Advice that a call followed",
                                Tags.of("outcome", lower(outcome))));
            }
            return new Meters(
                    answers,
                    told,
                    counter(registry, "xmem.told.tokens", "Tokens of the texts for the model", Tags.empty()),
                    counter(registry, "xmem.failures", "Calls that failed", Tags.of("known", "true")),
                    counter(registry, "xmem.failures", "Calls that failed", Tags.of("known", "false")),
                    followed);
        }

        private static Counter counter(MeterRegistry registry, String name, String description, Tags tags) {
            return Counter.builder(name).description(description).tags(tags).register(registry);
        }

        private static String lower(Enum<?> value) {
            return value.name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /** Takes the totals from this store, until the next call of this method. Returns this. */
    public XMemMeters of(XMemStore opened) {
        snapshot.set(null);
        store.set(opened);
        return this;
    }

    /** Registers the meters; with a second registry they are counted there instead. */
    @Override
    public void bindTo(MeterRegistry registry) {
        meters = Meters.in(registry);
        total(registry, "xmem.dropped", "Entries that the guard lost", Stats::guardDropped);
        total(registry, "xmem.unavailable", "Calls that the guard could not answer", Stats::guardUnavailable);
        entries(registry, "failure", Stats::failures);
        entries(registry, "success", Stats::successes);
        entries(registry, "note", Stats::notes);
        entries(registry, "directive", Stats::directives);
    }

    private void total(MeterRegistry registry, String name, String description, ToLongFunction<Stats> value) {
        FunctionCounter.builder(name, this, self -> self.read(value, 0))
                .description(description)
                .register(registry);
    }

    private void entries(MeterRegistry registry, String kind, ToLongFunction<Stats> value) {
        Gauge.builder("xmem.entries", this, self -> self.read(value, Double.NaN))
                .description("Live entries of the store")
                .tag("kind", kind)
                .register(registry);
    }

    /** A figure of the statistics; the last one of a store that is closed or damaged. */
    private double read(ToLongFunction<Stats> value, double absent) {
        Snapshot known = snapshot.get();
        XMemStore opened = store.get();
        if (opened != null && (known == null || System.nanoTime() - known.nanos > SNAPSHOT_NANOS)) {
            try {
                known = new Snapshot(opened.stats(), System.nanoTime());
                snapshot.set(known);
            } catch (XMemException e) {
                // The figures of before stay.
            }
        }
        return known == null ? absent : value.applyAsLong(known.stats);
    }

    @Override
    public void answered(Question question, @Nullable ToolCall call, Advice advice, Duration took) {
        Meters bound = meters;
        if (bound == null) {
            return;
        }
        bound.answers.get(question).get(advice.status()).record(took);
        if (question == Question.FAILED && advice.ctxHash() != null) {
            (advice.matches().isEmpty() ? bound.unknown : bound.known).increment();
        }
        if (!advice.isEmpty()) {
            bound.told.get(question).increment();
            bound.tokens.increment(advice.tokens());
        }
    }

    @Override
    public void followed(String entryId, Outcome outcome) {
        Meters bound = meters;
        if (bound != null) {
            bound.followed.get(outcome).increment();
        }
    }
}
