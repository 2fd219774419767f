package dev.xmem.core;

import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Layer;
import dev.xmem.LayerStats;
import dev.xmem.Match;
import dev.xmem.Outcome;
import dev.xmem.Page;
import dev.xmem.Query;
import dev.xmem.Success;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.answer.lookup.LessonCopy;
import dev.xmem.core.answer.recall.Recall;
import dev.xmem.core.base.config.StoreConfig;
import dev.xmem.core.store.index.LogIndex;
import dev.xmem.core.store.index.LogRegistry;
import dev.xmem.core.store.index.StoreSnapshot;
import dev.xmem.core.text.hash.RecallQuery;
import dev.xmem.spi.HashInput;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The stores that a store also asks, see {@link AskedStore}. Thread-safe. Decision: docs/adr/0042-layers.md.
 */
final class StoreLayers implements Closeable {
    private static final int MAX_OFFERS = 20;
    private static final int MAX_ANSWERED = 8;

    private final Map<Layer, AskedStore> stores = new EnumMap<>(Layer.class);
    /** Names the asking store in the user's store. */
    private final String project;

    /**
     * @param asking the configuration of the store that asks
     * @param asked the configurations of the stores that it asks
     */
    StoreLayers(StoreConfig asking, Map<Layer, StoreConfig> asked) {
        byte[] root = asking.paths().root().toString().getBytes(StandardCharsets.UTF_8);
        this.project = Long.toHexString(LogIndex.digestOf(root));
        for (Map.Entry<Layer, StoreConfig> each : asked.entrySet()) {
            stores.put(each.getKey(), new AskedStore(each.getKey(), asking, each.getValue()));
        }
    }

    boolean isEmpty() {
        return stores.isEmpty();
    }

    /** How the stores answered. */
    List<LayerStats> stats() {
        List<LayerStats> all = new ArrayList<>();
        stores.values().forEach(store -> all.add(store.stats()));
        return all;
    }

    /** A recall that the stores are answering. */
    static final class Question {
        private final Map<Layer, AskedStore.Answer> asked = new EnumMap<>(Layer.class);
        private final long begin = System.nanoTime();

        /** The answers that are there in time. */
        Map<Layer, Recall.Found> answers() {
            Map<Layer, Recall.Found> answers = new EnumMap<>(Layer.class);
            for (Map.Entry<Layer, AskedStore.Answer> each : asked.entrySet()) {
                Recall.Found found = each.getValue().await(begin);
                if (found != null) {
                    answers.put(each.getKey(), found.from(each.getKey()));
                }
            }
            return answers;
        }
    }

    /** Asks all stores about a failure; returns before they answer. */
    Question ask(HashInput input, RecallQuery query) {
        Question question = new Question();
        for (Map.Entry<Layer, AskedStore> each : stores.entrySet()) {
            AskedStore.Answer answer = each.getValue().ask(input, query);
            if (answer != null) {
                question.asked.put(each.getKey(), answer);
            }
        }
        return question;
    }

    /**
     * The other store that has an entry; null if its id does not say so, or a line of the asking store has exactly this
     * id, as a forged one may have.
     */
    @Nullable AskedStore owner(String id, StoreSnapshot asking) {
        for (AskedStore store : stores.values()) {
            if (id.endsWith(store.layer().suffix())) {
                boolean own = asking.logs().stream()
                        .anyMatch(log -> log.index().withId(id).countBelow(log.count()) > 0);
                return own ? null : store;
            }
        }
        return null;
    }

    /** Those ids, if none belongs to another store. */
    Set<String> own(Set<String> ids, LogRegistry registry) throws IOException {
        for (String id : stores.isEmpty() ? Set.<String>of() : ids) {
            if (owner(id, registry.whole()) != null) {
                throw new XMemException.Invalid("id", "is of another store, and can only be erased there: " + id + ".");
            }
        }
        return ids;
    }

    /** The store of a layer. */
    AskedStore of(Layer layer) {
        AskedStore store = stores.get(layer);
        if (store == null) {
            throw new XMemException.Unsupported(
                    "this store asks no store of the layer " + layer + "; give one to XMem.builder(dir).alsoAsk(…).");
        }
        return store;
    }

    /** Votes on an entry of another store, in the background. */
    void voteLater(AskedStore owner, String id, Outcome outcome, String session) {
        String there = owner.ownId(id);
        if (outcome == Outcome.WORKED) {
            noteProven(
                    () -> owner.read(other -> other.find(there)), owner.layer().name());
        }
        owner.writeLater(() -> owner.write(store -> store.reportOutcome(there, outcome, session)));
    }

    /** Notes for the user's store that the lesson of an entry worked in the asking store. */
    void worked(Optional<Entry> lesson) {
        noteProven(() -> lesson, null);
    }

    /** Notes the lessons that the asking store has just learned. */
    void learned(List<Entry> recorded) {
        for (Entry entry : stores.containsKey(Layer.USER) ? recorded : List.<Entry>of()) {
            if (entry instanceof Success success && !success.answers().isEmpty()) {
                noteProven(() -> Optional.of(entry), null);
            }
        }
    }

    private void noteProven(Supplier<Optional<Entry>> lesson, @Nullable String also) {
        AskedStore user = stores.get(Layer.USER);
        if (user == null) {
            return;
        }
        user.writeLater(() -> {
            Entry entry = lesson.get().orElse(null);
            String family = entry == null || LessonCopy.isPrivate(entry) ? null : family(entry);
            if (family != null) {
                user.noteProven(family, project);
                if (also != null) {
                    user.noteProven(family, also);
                }
            }
        });
    }

    private static @Nullable String family(Entry entry) {
        return entry instanceof Failure failure
                ? failure.ctxHash()
                : entry instanceof Success success ? success.ctxHash() : null;
    }

    /** The lessons that worked here and in another project, and that the user's store does not have. */
    List<Entry> offers(XMemStore from) throws IOException {
        AskedStore user = stores.get(Layer.USER);
        if (user == null || !user.isWritable()) {
            return List.of();
        }
        List<Entry> offers = new ArrayList<>();
        for (Map.Entry<String, Set<String>> proven : user.proven().entrySet()) {
            if (proven.getValue().contains(project) && proven.getValue().size() > 1) {
                Query query = Query.all()
                        .ctxHash(proven.getKey())
                        .kind(Entry.Kind.SUCCESS, Entry.Kind.FAILURE)
                        .order(Query.Order.NEWEST);
                boolean known = user.readOr(
                        false,
                        store -> !lessons(store.search(query.layer(Layer.USER))).isEmpty());
                List<Entry> own = known ? List.of() : lessons(from.search(query));
                if (own.isEmpty() && !known && stores.containsKey(Layer.TEAM)) {
                    own = of(Layer.TEAM).readOr(List.of(), store -> lessons(store.search(query.layer(Layer.TEAM))));
                }
                own.stream().findFirst().ifPresent(offers::add);
            }
        }
        offers.sort(Comparator.comparing(Entry::ts).reversed());
        return List.copyOf(offers.subList(0, Math.min(MAX_OFFERS, offers.size())));
    }

    /** The lessons on a page that are not private: successes, then failures with advice. */
    private static List<Entry> lessons(Page page) {
        return page.matches().stream()
                .map(Match::entry)
                .filter(entry -> LessonCopy.hasAdvice(entry) && !LessonCopy.isPrivate(entry))
                .sorted(Comparator.comparing(entry -> !(entry instanceof Success)))
                .toList();
    }

    /** Copies a lesson, and the failures that it answers, to the store of a layer. */
    Entry share(XMemStore from, String id, Layer to) {
        AskedStore target = of(to);
        Entry lesson = from.find(id).orElseThrow(() -> new XMemException.Invalid("id", "is unknown: " + id + "."));
        if (!LessonCopy.hasAdvice(lesson)) {
            throw new XMemException.Invalid("id", "is of an entry without advice: " + lesson.id() + ".");
        }
        List<Entry> answered = new ArrayList<>();
        if (lesson instanceof Success success) {
            int at = lesson.id().lastIndexOf('@');
            String suffix = at < 0 ? "" : lesson.id().substring(at);
            success.answers().stream()
                    .limit(MAX_ANSWERED)
                    .forEach(failure -> from.find(failure + suffix).ifPresent(answered::add));
        }
        if (LessonCopy.isPrivate(lesson) || answered.stream().anyMatch(LessonCopy::isPrivate)) {
            throw new XMemException.Invalid("id", "is of a private entry, which stays in its store: " + id + ".");
        }
        return target.write(store -> {
            List<String> answers = new ArrayList<>();
            answered.forEach(
                    failure -> answers.add(copy(store, failure, List.of()).id()));
            return target.shown(copy(store, lesson, answers));
        });
    }

    private Entry copy(XMemStore store, Entry lesson, List<String> answers) {
        String family = Objects.requireNonNull(family(lesson), "family");
        for (Match match :
                store.search(Query.all().ctxHash(family).kind(lesson.kind())).matches()) {
            if (LessonCopy.isSame(lesson, match.entry())) {
                return match.entry();
            }
        }
        return store.recordAll(List.of(LessonCopy.draft(lesson, answers))).get(0);
    }

    /** Writes what waits, as far as that is possible at once. */
    void flush() {
        stores.values().forEach(AskedStore::flush);
    }

    @Override
    public void close() {
        for (AskedStore store : stores.values()) {
            store.close();
        }
    }
}
