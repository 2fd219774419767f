package dev.xmem.core.answer.render;

import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Success;
import dev.xmem.core.answer.render.RelativeTime.Ages;
import dev.xmem.spi.TokenEstimator;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The text of advice about a failed call, fenced, to be shown under the call's error: lessons, fixes that worked,
 * attempts that did not help. Without a lesson it says how often and when the failure was seen; the error itself is
 * never repeated. The text reports evidence, gives no orders, and does not contradict itself. What entries say cannot
 * imitate what is said of them. Immutable and thread-safe. Decisions: docs/adr/0035-catch-all-families-and-advice.md,
 * docs/adr/0063-one-way-to-the-model.md.
 */
public final class AdviceText {
    /** The most tokens that advice costs by default. */
    public static final int DEFAULT_TOKENS = 400;

    private static final int LESSONS = 3;
    private static final int ANSWERS = 3;
    /** The best entries and lessons that are compared, so that the length of a family does not count. */
    private static final int COMPARED = 16;

    private static final int MIN_CUT_CHARS = 24;
    private static final int VALUE_CHARS = EntryPhrases.VALUE_CHARS;

    private static final Block NOTHING = new Block("", 0, Instant.MAX);

    private final TokenEstimator tokens;
    private final Fence fence;
    private final Statement.SplitTexts split = new Statement.SplitTexts();

    public AdviceText(TokenEstimator tokens, Fence fence) {
        this.tokens = tokens;
        this.fence = fence;
    }

    /**
     * A match and the votes on its advice.
     *
     * @param says what its entry says
     * @param worked the number of sessions that it helped
     * @param failed the number of sessions that it did not help
     * @param stale whether no evidence has confirmed it for a long time
     */
    public record AdvisedMatch(Match match, EntryAdvice says, int worked, int failed, boolean stale) {
        /** Whether the votes do not say that it failed; a fix without votes was seen to work when it was recorded. */
        boolean believed() {
            return failed == 0 || worked > failed;
        }

        boolean neverHelped() {
            return worked == 0 && failed > 0;
        }

        String record() {
            String votes = worked + failed == 0 ? "unverified" : votes(worked, failed);
            return stale ? votes + ", old" : votes;
        }
    }

    /** The votes on advice; {@code worked} is only said of advice that worked more often than not. */
    public static String votes(int worked, int failed) {
        int all = worked + failed;
        return worked > failed ? "worked " + worked + " of " + all : "failed " + failed + " of " + all;
    }

    /**
     * The occurrences of a failure.
     *
     * @param times the number of occurrences in the store itself
     * @param sessions the number of its sessions that are known by name
     * @param moreSessions whether there may be more of them
     * @param peers the number of occurrences that peers published
     * @param last the time of the last occurrence; null if no time is known
     */
    public record Seen(
            int times,
            int sessions,
            boolean moreSessions,
            int peers,
            @Nullable Instant last) {
        /** Only similar failures were seen. */
        public static final Seen NEVER = new Seen(0, 0, false, 0, null);
    }

    /**
     * What one store says.
     *
     * @param label whose memory it is, put before each line; empty for the store that was asked
     * @param ranked failures and successes, best first
     */
    public record Section(String label, List<AdvisedMatch> ranked, Seen seen) {}

    /**
     * A text and the tokens that it costs.
     *
     * @param until when an age that it tells is told in other words
     */
    public record Block(String text, int tokens, Instant until) {}

    /**
     * Renders the lessons of the first failures, the successes that answer them, and the attempts that did not help.
     * What a section says is neither repeated nor contradicted by a later one.
     *
     * @param now the time from which ages are counted
     * @param tokenBudget the most tokens that the text may cost
     * @return a text that begins with a newline, empty if there is no advice, and what it costs
     */
    public Block block(List<Section> sections, Instant now, int tokenBudget) {
        List<String> lines = new ArrayList<>();
        List<Statement> said = new ArrayList<>();
        Ages ages = new Ages(now);
        for (Section section : sections) {
            addSection(lines, said, section, ages);
        }
        if (lines.isEmpty()) {
            return NOTHING;
        }
        Block text = fit(lines, tokenBudget);
        return new Block(text.text, text.tokens, ages.until());
    }

    private void addSection(List<String> all, List<Statement> before, Section section, Ages ages) {
        List<AdvisedMatch> failures = new ArrayList<>();
        List<AdvisedMatch> answers = new ArrayList<>();
        for (AdvisedMatch advised : section.ranked()) {
            if (advised.match().entry() instanceof Failure) {
                failures.add(advised);
            } else if (advised.match().entry() instanceof Success) {
                answers.add(advised);
            }
        }
        List<Statement> statements = new ArrayList<>();
        statements.addAll(lessons(failures, ages));
        for (AdvisedMatch answer : answers.subList(0, Math.min(COMPARED, answers.size()))) {
            statements.add(answer(answer));
        }
        statements.addAll(attempts(failures));
        List<Statement> consistent = Statement.notSaid(Statement.withoutContradictions(statements, split), before);
        List<String> lines = new ArrayList<>();
        if (all.isEmpty() || said(consistent, Statement.Kind.LESSON).findAny().isPresent()) {
            addLessons(lines, consistent, failures, section.seen(), ages);
        }
        said(consistent, Statement.Kind.ANSWER).limit(ANSWERS).forEach(each -> lines.add(each.line()));
        add(lines, "do not try, it did not help: ", tried(consistent));
        if (!failures.isEmpty() && section.label().isEmpty()) {
            String notes = ((Failure) failures.get(0).match().entry()).notes();
            add(
                    lines,
                    "notes: ",
                    notes == null ? "" : PromptEscaping.said(PromptEscaping.line(notes, VALUE_CHARS), VALUE_CHARS));
        }
        for (String line : lines) {
            all.add(section.label().isEmpty() ? line : section.label() + ": " + line);
        }
        before.addAll(consistent);
    }

    private static Stream<Statement> said(List<Statement> statements, Statement.Kind kind) {
        return statements.stream().filter(each -> each.kind() == kind);
    }

    /** The attempts in one line, cut. */
    private static String tried(List<Statement> statements) {
        StringBuilder tried = new StringBuilder();
        for (Statement each : statements) {
            if (each.kind() == Statement.Kind.ATTEMPT && tried.length() <= VALUE_CHARS) {
                tried.append(tried.isEmpty() ? "" : "; ").append(each.line());
            }
        }
        return TextSanitizer.cut(tried.toString(), VALUE_CHARS);
    }

    /** The lessons that are told; without one, only how often and when the failure was seen. */
    private static void addLessons(
            List<String> lines, List<Statement> consistent, List<AdvisedMatch> failures, Seen seen, Ages ages) {
        if (failures.isEmpty()) {
            return;
        }
        AdvisedMatch first = failures.get(0);
        List<Statement> lessons =
                said(consistent, Statement.Kind.LESSON).limit(LESSONS).toList();
        String intro = intro(lessons.isEmpty() ? first : lessons.get(0).from(), seen, ages);
        if (lessons.isEmpty()) {
            lines.add(intro + " (" + entry(first) + ")");
        }
        for (Statement lesson : lessons) {
            lines.add((lines.isEmpty() ? intro : lesson.intro().get()) + ": " + lesson.line());
        }
    }

    /** The first lessons of the failures, each once. */
    private static List<Statement> lessons(List<AdvisedMatch> failures, Ages ages) {
        Map<String, Statement> lessons = new LinkedHashMap<>();
        for (AdvisedMatch shown : failures) {
            boolean first = true;
            for (ToldPhrase lesson : shown.says().phrases.lessons()) {
                if (!lesson.text().isEmpty() && !lessons.containsKey(lesson.text())) {
                    lessons.put(lesson.text(), lesson(shown, lesson, first, ages));
                }
                if (lessons.size() == COMPARED) {
                    return List.copyOf(lessons.values());
                }
                first = false;
            }
        }
        return List.copyOf(lessons.values());
    }

    private static Statement lesson(AdvisedMatch shown, ToldPhrase lesson, boolean first, Ages ages) {
        boolean against = shown.neverHelped();
        int net = shown.worked() - shown.failed();
        Supplier<String> line = () ->
                (against ? "do not try: " : "") + lesson.said() + " (" + shown.record() + "; " + entry(shown) + ")";
        Supplier<String> also =
                () -> first ? "also, " + age(shown.match().entry().ts(), ages) : "also, earlier";
        return new Statement(Statement.Kind.LESSON, shown, lesson, against, against ? -net : net, also, line);
    }

    /** A success counts as one observation that it worked, in addition to its votes. */
    private static Statement answer(AdvisedMatch answer) {
        Success success = (Success) answer.match().entry();
        boolean similar = answer.match().matchType() == Match.MatchType.SIMILAR;
        String label = answer.believed()
                ? similar ? "for a similar failure: " : "worked: "
                : answer.neverHelped() ? "do not try: " : "tried: ";
        ToldPhrase phrase = answer.says().phrases.answer(success);
        int net = answer.worked() - answer.failed();
        return new Statement(
                Statement.Kind.ANSWER,
                answer,
                phrase,
                answer.neverHelped(),
                answer.neverHelped() ? -net : net + 1,
                () -> "",
                () -> label + phrase.said() + " (" + answer.record() + ", confidence " + EntryCard.confidence(success)
                        + "; " + entry(answer) + ")");
    }

    /** What was tried in vain: the attempts that failures of the first one's match type list. */
    private static List<Statement> attempts(List<AdvisedMatch> failures) {
        Map<String, Statement> attempts = new LinkedHashMap<>();
        int read = 0;
        for (AdvisedMatch shown : failures) {
            boolean alike = shown.match().matchType() == failures.get(0).match().matchType();
            if (alike && read < COMPARED && shown.says().phrases.hasAttempts()) {
                read++;
                for (ToldPhrase attempt : shown.says().phrases.attempts()) {
                    attempts.merge(
                            attempt.text(),
                            new Statement(Statement.Kind.ATTEMPT, shown, attempt, true, 1, () -> "", attempt::said),
                            Statement::supportedBy);
                }
            }
        }
        return List.copyOf(attempts.values());
    }

    private static String entry(AdvisedMatch advised) {
        return "entry " + PromptEscaping.id(advised.match().entry().id());
    }

    /** As many lines as fit the budget; the first that does not fit is cut. */
    private Block fit(List<String> lines, int tokenBudget) {
        Block whole = fenced(String.join("\n", lines));
        if (whole.tokens() <= tokenBudget) {
            return whole;
        }
        String body = "";
        for (String line : lines) {
            String longer = body.isEmpty() ? line : body + "\n" + line;
            if (fenced(longer).tokens() > tokenBudget) {
                String cut = TextSanitizer.cut(
                        longer, body.length(), text -> fenced(text).tokens() <= tokenBudget);
                body = cut.length() > body.length() + MIN_CUT_CHARS ? cut : body;
                break;
            }
            body = longer;
        }
        Block text = body.isEmpty() ? NOTHING : fenced(body);
        return text.tokens() <= tokenBudget ? text : NOTHING;
    }

    private Block fenced(String body) {
        String text = fence.around(body);
        return new Block(text, tokens.estimate(text), Instant.MAX);
    }

    private static String intro(AdvisedMatch first, Seen seen, Ages ages) {
        if (first.match().matchType() != Match.MatchType.EXACT) {
            return "a similar failure, " + age(first.match().entry().ts(), ages);
        }
        String sessions = seen.sessions() > 1
                ? " in " + seen.sessions() + (seen.moreSessions() ? " or more" : "") + " sessions"
                : "";
        String own = seen.peers() > 0 && seen.times() == 0 ? "" : Math.max(1, seen.times()) + "×" + sessions;
        String peers = seen.peers() > 0 ? (own.isEmpty() ? "" : ", ") + seen.peers() + "× by peers" : "";
        Instant last = seen.last();
        return "seen " + own + peers + ", last " + age(last == null ? Instant.EPOCH : last, ages);
    }

    private static String age(Instant then, Ages ages) {
        return then.equals(Instant.EPOCH) ? "at an unknown time" : ages.of(then);
    }

    private static void add(List<String> lines, String label, String text) {
        if (!text.isEmpty()) {
            lines.add(label + text);
        }
    }

    /** What advice says of one entry beside its votes and its age. Thread-safe. */
    public static final class EntryAdvice {
        private final Entry entry;
        final EntryPhrases phrases;

        /** What is said of an entry with all its votes and amendments. */
        public EntryAdvice(Entry entry) {
            this.entry = entry;
            this.phrases = new EntryPhrases(entry);
        }

        /** The entry with all its votes and amendments. */
        public Entry entry() {
            return entry;
        }

        /** About what is kept prepared takes in memory, in bytes, beside its characters, which the entry has, too. */
        public int bytes() {
            return phrases.bytes();
        }
    }
}
