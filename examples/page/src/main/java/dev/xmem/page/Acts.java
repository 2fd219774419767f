package dev.xmem.page;

import dev.xmem.Amendment;
import dev.xmem.CompactionPlan;
import dev.xmem.CompactionReport;
import dev.xmem.Entry;
import dev.xmem.JsonDraft;
import dev.xmem.Outcome;
import dev.xmem.Retention;
import dev.xmem.XMemStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * What a user changes through the page: {@code preview} says what an act would do and which command does the same,
 * {@code do} does it and says how to take it back. Everything goes through the store, which refuses what it refuses
 * elsewhere. Thread-safe.
 */
final class Acts {
    /** The session of votes that are given on the page. */
    private static final String SESSION = "page";

    private static final int MAX_PLAN = 60_000;
    private static final int MAX_STEPS = 8;
    private static final Set<String> AMENDMENTS = Set.of("pin", "dismiss", "supersede", "restore");

    private final XMemStore store;
    private final Path folder;
    private final Runnable changed;
    private @Nullable CompactionPlan plan;

    /** @param changed called after each act */
    Acts(XMemStore store, Path folder, Runnable changed) {
        this.store = store;
        this.folder = folder;
        this.changed = changed;
    }

    /**
     * One act.
     *
     * @param title what it does, as a sentence
     * @param details what it changes, line by line
     * @param command the command that does the same
     * @param undo the request that takes it back; null if nothing does
     * @param work does it; returns the request that takes it back if that is known only then
     */
    private record Act(
            String title,
            List<String> details,
            String command,
            @Nullable Map<String, Object> undo,
            Work work) {}

    private interface Work {
        @Nullable Map<String, Object> run() throws IOException, Refusal;
    }

    /** Work whose undo is known before it. */
    private interface PlainWork {
        void run() throws IOException, Refusal;
    }

    private static Work plain(PlainWork work) {
        return () -> {
            work.run();
            return null;
        };
    }

    /** The command line of {@code xmem} with the store of the page. */
    static String command(Path folder, String arguments) {
        return ("xmem --store " + quoted(folder.toString()) + ' ' + arguments).strip();
    }

    private static String quoted(String text) {
        return text.matches("[A-Za-z0-9_@%+=:,./-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
    }

    String answer(String name, Map<String, Object> request) throws IOException, Refusal {
        if (!name.equals("preview") && !name.equals("do")) {
            throw new Refusal(404, "There is no such act.");
        }
        Act act = act(request);
        boolean isDone = name.equals("do");
        Map<String, Object> undo = act.undo;
        if (isDone) {
            if (isFinal(request) && !text(request, "confirm").equals(text(request, "id"))) {
                throw new Refusal("Confirm by typing the id: this cannot be undone.");
            }
            Map<String, Object> known = act.work.run();
            undo = known == null ? undo : known;
            changed.run();
        }
        Map<String, Object> back = undo;
        return Json.object(out -> {
            out.writeStringField("title", Json.shown(act.title, EntryFields.LONG));
            Json.texts(out, "details", act.details, EntryFields.LONG);
            out.writeStringField("command", Json.shown(act.command, EntryFields.LONG));
            out.writeBooleanField("final", back == null && isFinal(request));
            out.writeBooleanField("undoable", back != null);
            if (isDone && back != null) {
                out.writeFieldName("undo");
                Json.value(out, back);
            }
        });
    }

    /** Whether an act erases something and has to be confirmed. */
    private static boolean isFinal(Map<String, Object> request) {
        return text(request, "act").equals("purge");
    }

    private static String text(Map<String, Object> request, String name) {
        return request.get(name) instanceof String text ? text.strip() : "";
    }

    private static Set<String> texts(Map<String, Object> request, String name) {
        Set<String> texts = new TreeSet<>();
        if (request.get(name) instanceof List<?> items) {
            items.forEach(item -> texts.add(String.valueOf(item).strip()));
        }
        texts.remove("");
        return texts;
    }

    private Act act(Map<String, Object> request) throws Refusal {
        String act = text(request, "act");
        return switch (act) {
            case "lesson" -> teach(text(request, "family"), text(request, "text"), text(request, "instead"));
            case "compact" -> compact();
            case "backup" -> backup(text(request, "name"));
            case "steps" -> steps(request);
            case "pin", "dismiss", "supersede", "restore", "retag", "vote", "purge" -> {
                Entry entry = entry(text(request, "id"));
                yield switch (act) {
                    case "pin" -> pin(entry);
                    case "dismiss" -> dismiss(entry, text(request, "why"));
                    case "supersede" -> supersede(entry, entry(text(request, "by")));
                    case "restore" -> restore(entry);
                    case "retag" -> retag(entry, texts(request, "add"), texts(request, "remove"));
                    case "vote" -> vote(entry, text(request, "outcome"));
                    default -> purge(entry, Boolean.TRUE.equals(request.get("backups")));
                };
            }
            default -> throw new Refusal("There is no act " + Json.shown(act, 40) + ".");
        };
    }

    private Entry entry(String id) throws Refusal {
        if (id.isEmpty()) {
            throw new Refusal("An id is missing.");
        }
        return store.find(id).orElseThrow(() -> new Refusal("There is no entry " + Json.shown(id, 100) + "."));
    }

    private static Map<String, Object> request(String act, Entry entry) {
        Map<String, Object> request = new LinkedHashMap<>();
        request.put("act", act);
        request.put("id", entry.id());
        return request;
    }

    /** The requests that make an entry what it is now, after it was pinned, dismissed, replaced or restored. */
    private static List<Map<String, Object>> back(Entry entry) {
        Map<String, Object> fields = new EntryFields(entry).fields;
        List<Map<String, Object>> steps = new ArrayList<>();
        steps.add(request("restore", entry));
        if (Boolean.TRUE.equals(fields.get("pinned"))) {
            steps.add(request("pin", entry));
        }
        if (fields.containsKey("dismissed")) {
            Map<String, Object> request = request("dismiss", entry);
            request.put("why", String.valueOf(fields.get("dismissed")));
            steps.add(request);
        }
        if (fields.get("superseded_by") instanceof String by) {
            Map<String, Object> request = request("supersede", entry);
            request.put("by", by);
            steps.add(request);
        }
        return steps;
    }

    private static Map<String, Object> steps(List<Map<String, Object>> steps) {
        Map<String, Object> request = new LinkedHashMap<>();
        request.put("act", "steps");
        request.put("steps", steps);
        return request;
    }

    /** Several acts in their order, as they take something back. */
    private Act steps(Map<String, Object> request) throws Refusal {
        List<Act> acts = new ArrayList<>();
        if (request.get("steps") instanceof List<?> steps && steps.size() <= MAX_STEPS) {
            for (Object step : steps) {
                Map<String, Object> fields = new LinkedHashMap<>();
                if (step instanceof Map<?, ?> given) {
                    given.forEach((name, value) -> fields.put(String.valueOf(name), value));
                }
                if (!AMENDMENTS.contains(text(fields, "act"))) {
                    throw new Refusal("A step pins, dismisses, replaces or restores an entry.");
                }
                acts.add(act(fields));
            }
        }
        if (acts.isEmpty()) {
            throw new Refusal("Give 1 to " + MAX_STEPS + " steps.");
        }
        String commands = String.join("\n", acts.stream().map(Act::command).toList());
        List<String> titles = acts.stream().map(Act::title).toList();
        return new Act("Take back", titles, commands, null, plain(() -> {
            for (Act each : acts) {
                awaitNextMilli();
                each.work.run();
            }
        }));
    }

    /** Amendments of one millisecond have no order. */
    private static void awaitNextMilli() {
        long begin = System.currentTimeMillis();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
        while (System.currentTimeMillis() <= begin && System.nanoTime() < end) {
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(200));
        }
    }

    private Act amend(String title, List<String> details, Entry entry, String option, Amendment change) {
        return new Act(
                title,
                details,
                command(folder, "amend " + quoted(entry.id()) + ' ' + option),
                steps(back(entry)),
                plain(() -> store.amend(entry.id(), change)));
    }

    private Act pin(Entry entry) {
        return amend(
                "Pin " + entry.id(),
                List.of(
                        "It ranks before other entries.",
                        "It is never pruned.",
                        "If it was dismissed, it is shown again."),
                entry,
                "--pin",
                Amendment.pin());
    }

    private Act dismiss(Entry entry, String why) {
        String reason = why.isEmpty() ? "dismissed on the page" : Lesson.redacted(why);
        return amend(
                "Dismiss " + entry.id(),
                List.of("It is no longer shown, searched or counted. It stays in its file."),
                entry,
                "--dismiss " + quoted(reason),
                Amendment.dismiss(reason));
    }

    private Act supersede(Entry entry, Entry by) {
        return amend(
                "Replace " + entry.id() + " by " + by.id(),
                List.of("The old entry is hidden while the new one exists."),
                entry,
                "--superseded-by " + quoted(by.id()),
                Amendment.supersededBy(by.id()));
    }

    private Act restore(Entry entry) {
        return amend(
                "Show " + entry.id() + " as at first",
                List.of("It is neither pinned, nor dismissed, nor replaced."),
                entry,
                "--restore",
                Amendment.restore());
    }

    private Act retag(Entry entry, Set<String> add, Set<String> remove) throws Refusal {
        if (add.isEmpty() && remove.isEmpty()) {
            throw new Refusal("Give a tag to add or to remove.");
        }
        StringBuilder options = new StringBuilder();
        List<String> details = new ArrayList<>();
        add.forEach(tag -> {
            options.append("--tag ").append(quoted(tag)).append(' ');
            details.add("Adds the tag " + tag + '.');
        });
        remove.forEach(tag -> {
            options.append("--untag ").append(quoted(tag)).append(' ');
            details.add("Removes the tag " + tag + '.');
        });
        Map<String, Object> undo = request("retag", entry);
        Set<String> added = new TreeSet<>(add);
        added.removeAll(new HashSet<>(entry.tags()));
        Set<String> removed = new TreeSet<>(remove);
        removed.retainAll(new HashSet<>(entry.tags()));
        undo.put("add", removed);
        undo.put("remove", added);
        boolean changes = !added.isEmpty() || !removed.isEmpty();
        String line = command(
                folder, "amend " + quoted(entry.id()) + ' ' + options.toString().strip());
        return new Act(
                "Change the tags of " + entry.id(),
                details,
                line,
                changes ? undo : null,
                plain(() -> store.amend(entry.id(), Amendment.retag(add, remove))));
    }

    private Act vote(Entry entry, String given) throws Refusal {
        Outcome outcome;
        try {
            outcome = Outcome.valueOf(given.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new Refusal("A vote is worked, failed or irrelevant.");
        }
        String line = command(folder, "outcome " + quoted(entry.id()) + ' ' + given + " --session " + SESSION);
        return new Act(
                "Vote that the advice of " + entry.id() + ' '
                        + (outcome == Outcome.IRRELEVANT ? "was irrelevant" : given),
                List.of("The page has one vote on each entry. A vote cannot be taken back."),
                line,
                null,
                plain(() -> {
                    if (!store.reportOutcome(entry.id(), outcome, SESSION)) {
                        throw new Refusal(409, "The page has voted on this entry already.");
                    }
                }));
    }

    private Act purge(Entry entry, boolean backups) {
        String line = command(folder, "purge " + (backups ? "--backups " : "") + quoted(entry.id()));
        return new Act(
                "Erase " + entry.id(),
                List.of(
                        "Its lines, outcomes and amendments are erased from all logs and archives.",
                        backups ? "Backups lose it, too." : "Backups keep it.",
                        "This cannot be undone."),
                line,
                null,
                plain(() -> store.purge(Set.of(entry.id()), backups)));
    }

    /** @param instead the id of the advice that the lesson replaces; empty to add one */
    private Act teach(String family, String text, String instead) throws Refusal {
        Lesson lesson = Lesson.of(store, family, text, instead.isEmpty() ? null : entry(instead));
        StringBuilder commands = new StringBuilder("echo " + quoted(lesson.line()) + " | " + command(folder, "record"));
        for (Entry old : lesson.replaced()) {
            commands.append('\n').append(command(folder, "amend " + quoted(old.id()) + " --superseded-by NEW_ID"));
        }
        return new Act("Teach " + family, lesson.details(), commands.toString(), Map.of(), () -> {
            Entry taught = store.recordAll(List.of(JsonDraft.of(lesson.line()))).get(0);
            Map<String, Object> unlearn = request("dismiss", taught);
            unlearn.put("why", "taken back on the page");
            List<Map<String, Object>> steps = new ArrayList<>(List.of(unlearn));
            for (Entry old : lesson.replaced()) {
                store.amend(old.id(), Amendment.supersededBy(taught.id()));
                steps.addAll(back(old));
            }
            return steps(steps);
        });
    }

    private synchronized Act compact() {
        CompactionPlan now = store.planCompaction(Retention.defaults());
        String text = Json.shown(now.text(), MAX_PLAN);
        CompactionPlan shown = plan;
        plan = now;
        if (now.isEmpty() && (shown == null || shown.isEmpty())) {
            return new Act("Nothing to compact", List.of(), command(folder, "compact"), null, () -> null);
        }
        return new Act("Compact the store", List.of(text.split("\n", -1)), command(folder, "compact"), Map.of(), () -> {
            // The plan that was shown, not what became due since.
            CompactionReport report = store.compact(shown == null ? now : shown);
            Map<String, Object> back = new LinkedHashMap<>();
            back.put("act", "backup");
            back.put("name", String.valueOf(report.backup().getFileName()));
            return back;
        });
    }

    private Act backup(String name) throws Refusal {
        if (!name.matches("[0-9A-Za-z][0-9A-Za-z._:-]{0,99}")) {
            throw new Refusal("Give the name of a backup.");
        }
        return new Act(
                "Restore the backup " + name,
                List.of("Its lines take the place of those that the compaction made of them. Later entries stay."),
                command(folder, "restore " + quoted(name)),
                null,
                plain(() -> store.restore(Path.of(name))));
    }
}
