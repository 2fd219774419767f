package dev.xmem.page;

import dev.xmem.Amendment;
import dev.xmem.CompactionPlan;
import dev.xmem.CompactionReport;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Outcome;
import dev.xmem.Query;
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
import org.jspecify.annotations.Nullable;

/**
 * What a user changes through the page: {@code preview} says what an act would do and which command does the same,
 * {@code do} does it and says how to take it back. Everything goes through the store, which refuses what it refuses
 * elsewhere. Thread-safe.
 */
final class Acts {
    private static final String SESSION = "page";
    private static final int MAX_LESSON = 2_000;
    private static final int MAX_PLAN = 60_000;

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
                throw refused("Confirm by typing the id: this cannot be undone.");
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
                Json.object(out, "undo", o -> {
                    for (Map.Entry<String, Object> field : back.entrySet()) {
                        o.writeFieldName(field.getKey());
                        if (field.getValue() instanceof Iterable<?> items) {
                            o.writeStartArray();
                            for (Object item : items) {
                                o.writeString(String.valueOf(item));
                            }
                            o.writeEndArray();
                        } else {
                            o.writeString(String.valueOf(field.getValue()));
                        }
                    }
                });
            }
        });
    }

    /** Whether an act erases something and has to be confirmed; taking back a lesson does not. */
    private static boolean isFinal(Map<String, Object> request) {
        return text(request, "act").equals("purge");
    }

    private static Refusal refused(String message) {
        return new Refusal(Gate.BAD_REQUEST, message);
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
            case "lesson" -> lesson(text(request, "family"), text(request, "text"), text(request, "instead"));
            case "compact" -> compact();
            case "backup" -> backup(text(request, "name"));
            case "pin", "dismiss", "supersede", "restore", "retag", "vote", "purge", "unlearn" -> {
                Entry entry = entry(text(request, "id"));
                yield switch (act) {
                    case "pin" -> pin(entry);
                    case "dismiss" -> dismiss(entry, text(request, "why"));
                    case "supersede" -> supersede(entry, entry(text(request, "by")));
                    case "restore" -> restore(entry);
                    case "retag" -> retag(entry, texts(request, "add"), texts(request, "remove"));
                    case "vote" -> vote(entry, text(request, "outcome"));
                    case "unlearn" -> unlearn(entry);
                    default -> purge(entry, Boolean.TRUE.equals(request.get("backups")));
                };
            }
            default -> throw refused("There is no act " + Json.shown(act, 40) + ".");
        };
    }

    private Entry entry(String id) throws Refusal {
        if (id.isEmpty()) {
            throw refused("An id is missing.");
        }
        return store.find(id).orElseThrow(() -> refused("There is no entry " + Json.shown(id, 100) + "."));
    }

    private static Map<String, Object> request(String act, Entry entry) {
        Map<String, Object> request = new LinkedHashMap<>();
        request.put("act", act);
        request.put("id", entry.id());
        return request;
    }

    /** The request that makes an entry what it is now, after it was pinned, dismissed, replaced or restored. */
    private static Map<String, Object> back(Entry entry) {
        Map<String, Object> fields;
        try {
            fields = Json.read(entry.json());
        } catch (IOException e) {
            fields = Map.of();
        }
        if (fields.get("superseded_by") instanceof String by) {
            Map<String, Object> request = request("supersede", entry);
            request.put("by", by);
            return request;
        }
        if (fields.containsKey("dismissed")) {
            Map<String, Object> request = request("dismiss", entry);
            request.put("why", String.valueOf(fields.get("dismissed")));
            return request;
        }
        return request(Boolean.TRUE.equals(fields.get("pinned")) ? "pin" : "restore", entry);
    }

    private Act amend(String title, List<String> details, Entry entry, String option, Amendment change) {
        return new Act(
                title, details, command(folder, "amend " + quoted(entry.id()) + ' ' + option), back(entry), () -> {
                    store.amend(entry.id(), change);
                    return null;
                });
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
        String reason = why.isEmpty() ? "dismissed on the page" : why;
        return amend(
                "Dismiss " + entry.id(),
                List.of("It is no longer told, searched or counted. It stays in its file."),
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
            throw refused("Give a tag to add or to remove.");
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
        return new Act("Change the tags of " + entry.id(), details, line, changes ? undo : null, () -> {
            store.amend(entry.id(), Amendment.retag(add, remove));
            return null;
        });
    }

    private Act vote(Entry entry, String given) throws Refusal {
        Outcome outcome;
        try {
            outcome = Outcome.valueOf(given.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw refused("A vote is worked, failed or irrelevant.");
        }
        String line = command(folder, "outcome " + quoted(entry.id()) + ' ' + given + " --session " + SESSION);
        return new Act(
                "Vote that the advice of " + entry.id() + ' '
                        + (outcome == Outcome.IRRELEVANT ? "was irrelevant" : given),
                List.of("The page has one vote on each entry. A vote cannot be taken back."),
                line,
                null,
                () -> {
                    if (!store.reportOutcome(entry.id(), outcome, SESSION)) {
                        throw new Refusal(409, "The page has voted on this entry already.");
                    }
                    return null;
                });
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
                () -> {
                    store.purge(Set.of(entry.id()), backups);
                    return null;
                });
    }

    /** Takes back a lesson that was just written: nothing refers to it yet. */
    private Act unlearn(Entry entry) throws Refusal {
        if (!entry.tags().contains(SESSION)) {
            throw refused("Only a lesson that was written on the page is taken back so.");
        }
        return purge(entry, false);
    }

    /** @param instead the id of the advice that the lesson replaces; empty to add one */
    private Act lesson(String family, String lesson, String instead) throws Refusal {
        Entry old = instead.isEmpty() ? null : entry(instead);
        if (lesson.isEmpty() || lesson.length() > MAX_LESSON) {
            throw refused("Write a lesson of at most " + MAX_LESSON + " characters.");
        }
        Query newest = Query.all()
                .ctxHash(family)
                .kind(Entry.Kind.FAILURE)
                .order(Query.Order.NEWEST)
                .layout(Query.Layout.DATA)
                .limit(1);
        if (store.search(newest).matches().stream()
                        .findFirst()
                        .orElseThrow(() -> refused("No such family."))
                        .entry()
                instanceof Failure failure) {
            String line = Json.object(out -> {
                out.writeStringField("type", "tool_failure");
                out.writeStringField("tool", failure.tool());
                out.writeStringField("action", failure.action());
                out.writeStringField("error", new EntryFields(failure).evidence());
                out.writeStringField("pattern_avoid", lesson);
            });
            Failure.Draft draft = Failure.of(failure.tool(), failure.action(), new EntryFields(failure).evidence())
                    .patternAvoid(lesson)
                    .tags(SESSION);
            List<String> details = new ArrayList<>();
            details.add("An agent that meets this failure is told: " + lesson);
            if (old != null) {
                details.add("It replaces " + old.id() + '.');
            }
            String record = "echo " + quoted(line) + " | " + command(folder, "record");
            return new Act("Teach " + family, details, record, Map.of(), () -> {
                Failure taught = store.recordFailure(draft);
                if (old != null) {
                    // Without its successor an entry is shown again, so taking back the lesson takes back both.
                    store.amend(old.id(), Amendment.supersededBy(taught.id()));
                }
                return request("unlearn", taught);
            });
        }
        throw refused("No such family.");
    }

    private synchronized Act compact() {
        CompactionPlan now = store.planCompaction(Retention.defaults());
        String text = Json.shown(now.text(), MAX_PLAN);
        CompactionPlan shown = plan;
        plan = now;
        return new Act(
                now.isEmpty() ? "Nothing to compact" : "Compact the store",
                List.of(text.split("\n", -1)),
                command(folder, "compact"),
                Map.of(),
                () -> {
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
            throw refused("Give the name of a backup.");
        }
        return new Act(
                "Restore the backup " + name,
                List.of("Its lines take the place of those that the compaction made of them. Later entries stay."),
                command(folder, "restore " + quoted(name)),
                null,
                () -> {
                    store.restore(Path.of(name));
                    return null;
                });
    }
}
