package dev.xmem.core.answer.render;

import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Success;
import dev.xmem.core.base.json.StoredEntries;
import dev.xmem.spi.TokenEstimator;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
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
    private static final int VALUE_CHARS = EntryAdvice.VALUE_CHARS;

    private static final Block NOTHING = new Block("", 0);

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
     * @param peers the number of occurrences that peers published
     * @param last the time of the last occurrence; null if no time is known
     */
    public record Seen(
            int times, int sessions, int peers, @Nullable Instant last) {
        /** Only similar failures were seen. */
        public static final Seen NEVER = new Seen(0, 0, 0, null);
    }

    /**
     * What one store says.
     *
     * @param label whose memory it is, put before each line; empty for the store that was asked
     * @param ranked failures and successes, best first
     */
    public record Section(String label, List<AdvisedMatch> ranked, Seen seen) {}

    /** A text and the tokens that it costs. */
    public record Block(String text, int tokens) {}

    /** Renders what one store says. */
    public String text(List<AdvisedMatch> ranked, Seen seen, Instant now, int tokenBudget) {
        return text(List.of(new Section("", ranked, seen)), now, tokenBudget);
    }

    /**
     * Renders the lessons of the first failures, the successes that answer them, and the attempts that did not help.
     * What a section says is neither repeated nor contradicted by a later one.
     *
     * @param now the time from which ages are counted
     * @param tokenBudget the most tokens that the text may cost
     * @return a text that begins with a newline; empty if there is no advice
     */
    public String text(List<Section> sections, Instant now, int tokenBudget) {
        return block(sections, now, tokenBudget).text();
    }

    /** The same, with what the text costs. */
    public Block block(List<Section> sections, Instant now, int tokenBudget) {
        List<String> lines = new ArrayList<>();
        List<Statement> said = new ArrayList<>();
        for (Section section : sections) {
            addSection(lines, said, section, now);
        }
        return lines.isEmpty() ? NOTHING : fit(lines, tokenBudget);
    }

    private void addSection(List<String> all, List<Statement> before, Section section, Instant now) {
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
        statements.addAll(lessons(failures, now));
        for (AdvisedMatch answer : answers.subList(0, Math.min(COMPARED, answers.size()))) {
            statements.add(answer(answer));
        }
        statements.addAll(attempts(failures));
        List<Statement> consistent = Statement.notSaid(Statement.withoutContradictions(statements, split), before);
        List<String> lines = new ArrayList<>();
        if (all.isEmpty() || said(consistent, Statement.Kind.LESSON).findAny().isPresent()) {
            addLessons(lines, consistent, failures, section.seen(), now);
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
            List<String> lines, List<Statement> consistent, List<AdvisedMatch> failures, Seen seen, Instant now) {
        if (failures.isEmpty()) {
            return;
        }
        AdvisedMatch first = failures.get(0);
        List<Statement> lessons =
                said(consistent, Statement.Kind.LESSON).limit(LESSONS).toList();
        String intro = intro(lessons.isEmpty() ? first : lessons.get(0).from(), seen, now);
        if (lessons.isEmpty()) {
            lines.add(intro + " (" + entry(first) + ")");
        }
        for (Statement lesson : lessons) {
            lines.add((lines.isEmpty() ? intro : lesson.intro().get()) + ": " + lesson.line());
        }
    }

    /** The first lessons of the failures, each once. */
    private static List<Statement> lessons(List<AdvisedMatch> failures, Instant now) {
        Map<String, Statement> lessons = new LinkedHashMap<>();
        for (AdvisedMatch shown : failures) {
            boolean first = true;
            for (ToldPhrase lesson : shown.says().lessons()) {
                if (!lesson.text().isEmpty() && !lessons.containsKey(lesson.text())) {
                    lessons.put(lesson.text(), lesson(shown, lesson, first, now));
                }
                if (lessons.size() == COMPARED) {
                    return List.copyOf(lessons.values());
                }
                first = false;
            }
        }
        return List.copyOf(lessons.values());
    }

    private static Statement lesson(AdvisedMatch shown, ToldPhrase lesson, boolean first, Instant now) {
        boolean against = shown.neverHelped();
        int net = shown.worked() - shown.failed();
        Supplier<String> line = () ->
                (against ? "do not try: " : "") + lesson.said() + " (" + shown.record() + "; " + entry(shown) + ")";
        Supplier<String> also =
                () -> first ? "also, " + age(shown.match().entry().ts(), now) : "also, earlier";
        return new Statement(Statement.Kind.LESSON, shown, lesson, against, against ? -net : net, also, line);
    }

    /** A success counts as one observation that it worked, in addition to its votes. */
    private static Statement answer(AdvisedMatch answer) {
        Success success = (Success) answer.match().entry();
        boolean similar = answer.match().matchType() == Match.MatchType.SIMILAR;
        String label = answer.believed()
                ? similar ? "for a similar failure: " : "worked: "
                : answer.neverHelped() ? "do not try: " : "tried: ";
        ToldPhrase phrase = answer.says().answer(success);
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
            if (alike && read < COMPARED && shown.says().hasAttempts()) {
                read++;
                for (ToldPhrase attempt : shown.says().attempts()) {
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
        return new Block(text, tokens.estimate(text));
    }

    private static String intro(AdvisedMatch first, Seen seen, Instant now) {
        if (first.match().matchType() != Match.MatchType.EXACT) {
            return "a similar failure, " + age(first.match().entry().ts(), now);
        }
        String sessions = seen.sessions() > 1 ? " in " + seen.sessions() + " sessions" : "";
        String own = seen.peers() > 0 && seen.times() == 0 ? "" : Math.max(1, seen.times()) + "×" + sessions;
        String peers = seen.peers() > 0 ? (own.isEmpty() ? "" : ", ") + seen.peers() + "× by peers" : "";
        Instant last = seen.last();
        return "seen " + own + peers + ", last " + age(last == null ? Instant.EPOCH : last, now);
    }

    private static String age(Instant then, Instant now) {
        return then.equals(Instant.EPOCH) ? "at an unknown time" : RelativeTime.of(then, now);
    }

    private static void add(List<String> lines, String label, String text) {
        if (!text.isEmpty()) {
            lines.add(label + text);
        }
    }

    /**
     * What advice says of one entry, beside its votes and its age: lessons, attempts, the steps of a fix. Prepared when it
     * is first told, and kept as long as this object unless it is long. Thread-safe: what is prepared twice is equal.
     * Decision: docs/adr/0090-lines-in-one-pass.md.
     */
    public static final class EntryAdvice {
        /** The most characters of a value that is told. */
        static final int VALUE_CHARS = 300;

        /** The most lessons of an entry that are told; later ones are not read. */
        private static final int MOST_LESSONS = 16;

        private static final int KEPT_PHRASES = 32;
        private static final int KEPT_CHARS = 1000;

        private static final Pattern PATH = Pattern.compile("[./-]");
        private static final Set<String> READERS = Set.of("cat", "head", "tail", "less", "more", "grep");

        private final Entry entry;
        private volatile @Nullable List<ToldPhrase> lessons;
        private volatile @Nullable List<ToldPhrase> attempts;
        private volatile @Nullable ToldPhrase answer;

        /** What is said of an entry with all its votes and amendments. */
        public EntryAdvice(Entry entry) {
            this.entry = entry;
        }

        /** The entry with all its votes and amendments. */
        public Entry entry() {
            return entry;
        }

        /**
         * The failure's own lesson, then those of the lines that a compaction merged into it, each once; none of another
         * entry. The first may be empty.
         */
        List<ToldPhrase> lessons() {
            List<ToldPhrase> known = lessons;
            if (known == null) {
                known = entry instanceof Failure failure ? lessons(failure) : List.of();
                lessons = known;
            }
            return known;
        }

        private static List<ToldPhrase> lessons(Failure failure) {
            List<String> texts = new ArrayList<>();
            if (failure.patternAvoid() != null) {
                texts.add(failure.patternAvoid());
            }
            texts.addAll(StoredEntries.texts(failure, "further_advice"));
            List<ToldPhrase> lessons = new ArrayList<>();
            Set<String> seen = new HashSet<>();
            for (int i = 0; i < texts.size() && lessons.size() <= MOST_LESSONS; i++) {
                String line = seen.add(texts.get(i)) ? PromptEscaping.line(texts.get(i), VALUE_CHARS) : "";
                if (i == 0 || !line.isEmpty()) {
                    lessons.add(new ToldPhrase(line, () -> PromptEscaping.said(line, line.length() + 2)));
                }
            }
            return List.copyOf(lessons);
        }

        /** Whether a failure lists anything that was tried. */
        boolean hasAttempts() {
            return entry instanceof Failure failure && !failure.triedAlso().isEmpty();
        }

        /** What a failure says was tried in vain, without what only reads it again. */
        List<ToldPhrase> attempts() {
            List<ToldPhrase> known = attempts;
            if (known == null) {
                known = entry instanceof Failure failure ? attempts(failure) : List.of();
                attempts = known.size() <= KEPT_PHRASES ? known : null;
            }
            return known;
        }

        private static List<ToldPhrase> attempts(Failure failure) {
            List<ToldPhrase> attempts = new ArrayList<>();
            String action = call(failure.action());
            for (String attempt : failure.triedAlso()) {
                String line = PromptEscaping.line(attempt, VALUE_CHARS);
                if (!line.isEmpty() && !readsAgain(line, failure.tool(), action)) {
                    attempts.add(new ToldPhrase(line, () -> listed(line)));
                }
            }
            return List.copyOf(attempts);
        }

        /** An attempt in the list of attempts, which semicolons separate. */
        private static String listed(String line) {
            int most = line.length() + 2;
            return line.indexOf(';') >= 0 ? PromptEscaping.quoted(line, most) : PromptEscaping.said(line, most);
        }

        /** Whether an attempt only reads the failure again: the same call with another view of its output, or a file. */
        private static boolean readsAgain(String attempt, String tool, String action) {
            int word = attempt.indexOf(' ');
            boolean reader = READERS.contains(word < 0 ? attempt : attempt.substring(0, word))
                    && PATH.matcher(attempt).find();
            String call = call(attempt);
            return reader || call.equals(action) || call.equals(tool + " " + action);
        }

        /** The part of a command line before its first redirection, pipe or second command. */
        private static String call(String line) {
            int end = 0;
            while (end < line.length() && "|;>".indexOf(line.charAt(end)) < 0 && !line.startsWith("&&", end)) {
                end++;
            }
            boolean stream = end > 0
                    && end < line.length()
                    && line.charAt(end) == '>'
                    && line.charAt(end - 1) >= '0'
                    && line.charAt(end - 1) <= '9';
            return line.substring(0, stream ? end - 1 : end).strip();
        }

        /** The steps of a success, or its name if it has none. */
        ToldPhrase answer(Success success) {
            ToldPhrase known = answer;
            if (known == null) {
                String steps = String.join("\n", success.keySteps());
                known = new ToldPhrase(steps.isEmpty() ? success.patternName() : steps, () -> fix(success));
                answer = known.text().length() <= KEPT_CHARS ? known : null;
            }
            return known;
        }

        private static String fix(Success success) {
            String steps = PromptEscaping.line(String.join("; ", success.keySteps()), VALUE_CHARS);
            String name = PromptEscaping.line(success.patternName(), VALUE_CHARS);
            String fix = name + (steps.isEmpty() ? "" : ": " + steps);
            return PromptEscaping.said(fix, fix.length() + 2);
        }
    }
}
