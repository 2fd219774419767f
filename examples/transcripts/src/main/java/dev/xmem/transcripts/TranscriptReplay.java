package dev.xmem.transcripts;

import dev.xmem.Advice;
import dev.xmem.Failure;
import dev.xmem.Success;
import dev.xmem.ToolError;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * Replays transcripts in the order of time with a memory that is empty at first: how many failures were repeats, and
 * what would have been said to each of them. Needs no store and writes no file. Needs some 20 bytes of memory for each
 * call and 2 KB for each failure of its own kind. Not thread-safe.
 */
public final class TranscriptReplay {
    private static final int PLACEBOS = 20;
    private static final long SEED = 7;
    private static final int MAX_FAMILIES = 50;
    private static final int MAX_SHOWN = 200;
    private static final int EXAMPLES_OF_FAMILY = 3;
    private static final int MAX_CALL_CHARS = 300;

    private final LongConsumer progress;
    private final Consumer<ReplayReport.Row> rows;
    private final ReadCounts counts = new ReadCounts();
    private final List<String> skipped = new ArrayList<>();
    private final LongSet seen = new LongSet();
    private final Map<String, Integer> sessions = new HashMap<>();
    private final Map<String, Known> families = new HashMap<>();
    private final LongSet inSession = new LongSet();
    private final List<ReplayReport.Lesson> lessons = new ArrayList<>();
    private final List<ReplayReport.Example> examples = new ArrayList<>();
    private int[] familyOf = new int[1024];
    private int[] sessionOf = new int[1024];
    private int failures;
    private int lessonCount;
    private long told;

    private static final class Known {
        final int number;
        final String ctxHash;
        long failures;
        int sessions;
        long told;
        long characters;
        String lastCall = "";

        Known(int number, String ctxHash) {
            this.number = number;
            this.ctxHash = ctxHash;
        }

        ReplayReport.Family family() {
            return new ReplayReport.Family(ctxHash, failures, sessions, told, characters);
        }
    }

    private TranscriptReplay(LongConsumer progress, Consumer<ReplayReport.Row> rows) {
        this.progress = progress;
        this.rows = rows;
    }

    /**
     * Replays transcripts.
     *
     * @param files the transcripts, in the order of their start
     * @param progress takes the number of calls so far, from time to time
     */
    public static ReplayReport run(List<TranscriptFile> files, LongConsumer progress) throws IOException {
        return run(files, progress, row -> {});
    }

    /** As {@link #run(List, LongConsumer)}, and reports each failure. */
    public static ReplayReport run(List<TranscriptFile> files, LongConsumer progress, Consumer<ReplayReport.Row> rows)
            throws IOException {
        return new TranscriptReplay(progress, rows).replay(files);
    }

    private ReplayReport replay(List<TranscriptFile> files) throws IOException {
        List<Timeline.Source> sources =
                files.stream().map(file -> new Timeline.Source(file, 0)).toList();
        try (CallJudge judge = new CallJudge();
                Timeline calls = new Timeline(sources, counts, skipped, file -> {})) {
            for (PastCall call = calls.next(); call != null; call = calls.next()) {
                if (seen.add(LongSet.key(call.agent() + '\n' + call.id()))) {
                    progress.accept(seen.size());
                    add(call, judge.judge(call));
                }
            }
        }
        List<ReplayReport.Family> most = families.values().stream()
                .sorted(Comparator.comparingLong((Known known) -> -known.failures)
                        .thenComparing(known -> known.ctxHash))
                .limit(MAX_FAMILIES)
                .map(Known::family)
                .toList();
        return new ReplayReport(
                files.size(),
                sessions.size(),
                failures,
                families.size(),
                told,
                lessonCount,
                divided(familyOf),
                placebo(),
                most,
                lessons,
                examples,
                counts,
                skipped);
    }

    private void add(PastCall call, CallJudge.Judgement judged) {
        int session = sessions.computeIfAbsent(call.session(), absent -> sessions.size());
        String family = judged.family();
        Advice advice = judged.advice();
        if (family != null && advice != null) {
            failed(call, session, family, advice);
        }
        for (Success mined : judged.mined()) {
            lessonCount++;
            if (lessons.size() < MAX_SHOWN) {
                lessons.add(new ReplayReport.Lesson(
                        call.time(),
                        call.session(),
                        mined.ctxHash(),
                        mined.tool(),
                        mined.patternName(),
                        mined.keySteps()));
            }
        }
    }

    private void failed(PastCall call, int session, String family, Advice advice) {
        boolean isNew = !families.containsKey(family);
        Known known = families.computeIfAbsent(family, absent -> new Known(families.size(), family));
        if (failures == familyOf.length) {
            familyOf = Arrays.copyOf(familyOf, 2 * failures);
            sessionOf = Arrays.copyOf(sessionOf, 2 * failures);
        }
        familyOf[failures] = known.number;
        sessionOf[failures] = session;
        failures++;
        boolean again = !inSession.add(pair(session, known.number));
        known.failures++;
        known.sessions += again ? 0 : 1;
        ToolError result = call.result();
        known.characters += result == null ? 0 : result.text().length();
        boolean says = !advice.isEmpty();
        rows.accept(new ReplayReport.Row(
                call.agent(), call.session(), call.id(), family, again, known.lastCall, says, hasLesson(advice)));
        known.lastCall = call.id();
        if (!isNew) {
            told += says ? 1 : 0;
            known.told += says ? 1 : 0;
            if (says && known.told <= EXAMPLES_OF_FAMILY && examples.size() < MAX_SHOWN) {
                String line = call.call().tool() + ' ' + call.call().action();
                examples.add(new ReplayReport.Example(
                        call.time(),
                        call.agent(),
                        call.session(),
                        family,
                        again,
                        shown(advice, line),
                        advice.text().strip()));
            }
        }
    }

    private static boolean hasLesson(Advice advice) {
        return advice.matches().stream()
                .anyMatch(match -> match.entry() instanceof Success
                        || match.entry() instanceof Failure failure && failure.patternAvoid() != null);
    }

    /** The call, as the memory has redacted it; the newest entry of the family is the nearest. */
    private static String shown(Advice advice, String line) {
        return advice.matches().stream()
                .map(match -> match.entry())
                .filter(Failure.class::isInstance)
                .map(Failure.class::cast)
                .findFirst()
                .map(failure -> failure.tool() + ' ' + failure.action())
                .map(text -> JsonTree.head(text, MAX_CALL_CHARS))
                .orElse(line.substring(0, line.indexOf(' ')));
    }

    private static long pair(int session, int family) {
        long mixed = ((long) session << 32 ^ family) * 0x9E3779B97F4A7C15L;
        mixed ^= mixed >>> 29;
        return mixed == 0 ? 1 : mixed;
    }

    private ReplayReport.Repeats divided(int[] of) {
        LongSet together = new LongSet();
        LongSet met = new LongSet();
        long same = 0;
        long earlier = 0;
        for (int i = 0; i < failures; i++) {
            boolean isNew = met.add(pair(-2, of[i]));
            if (!together.add(pair(sessionOf[i], of[i]))) {
                same++;
            } else if (!isNew) {
                earlier++;
            }
        }
        return new ReplayReport.Repeats(same, earlier, failures - same - earlier);
    }

    private ReplayReport.Repeats placebo() {
        Random random = new Random(SEED);
        double same = 0;
        double earlier = 0;
        int[] shuffled = Arrays.copyOf(familyOf, failures);
        for (int round = 0; round < PLACEBOS; round++) {
            for (int i = failures - 1; i > 0; i--) {
                int other = random.nextInt(i + 1);
                int kept = shuffled[i];
                shuffled[i] = shuffled[other];
                shuffled[other] = kept;
            }
            ReplayReport.Repeats divided = divided(shuffled);
            same += divided.inSession();
            earlier += divided.fromEarlierSessions();
        }
        return new ReplayReport.Repeats(
                same / PLACEBOS, earlier / PLACEBOS, failures - same / PLACEBOS - earlier / PLACEBOS);
    }
}
