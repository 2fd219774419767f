package dev.xmem.core.text.hash;

import dev.xmem.core.text.hash.CauseLexicon.HashCause;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the lines of an error tell, as {@link CauseClassifier} finds it, and the parts of the hash that follow. */
final class Diagnosis {
    private static final HashCause NO_PROGRAM = HashCause.of("command-not-found always");

    /** The call that failed: that of the user's program if a build tool only started it. */
    final CommandLine.Call call;

    private final List<ScoredLine> ranked;
    private final Set<String> echo;

    @Nullable String code;

    @Nullable String exceptionName;

    @Nullable HashCause cause;

    @Nullable String noun;

    @Nullable ScoredLine line;

    PhraseMatcher.@Nullable PhraseHit hit;
    final List<String> words = new ArrayList<>();

    /** The rule that decided. */
    String by = "";

    /** Whether a structured answer decided. */
    boolean answered;

    /** The program that is missing, which is the tool of the failure; null if none is. */
    @Nullable String program;

    /** The library that a program of the user failed in, if the cause is one that any library has. */
    @Nullable String library;

    Diagnosis(CommandLine.Call call, List<ScoredLine> ranked, Set<String> echo) {
        this.call = call;
        this.ranked = ranked;
        this.echo = echo;
    }

    void decide(HashCause decided, @Nullable ScoredLine where, String how) {
        boolean missing = decided.name().equals(NO_PROGRAM.name());
        cause = missing ? NO_PROGRAM : decided;
        line = where;
        by = how;
    }

    /** Takes the cause that the words of a line name, without its noun. */
    void decide(ScoredLine where, PhraseMatcher.PhraseHit phrase) {
        decide(phrase.value(), where, "phrase for " + phrase.value().name());
        hit = phrase;
    }

    /** Takes what a structured answer tells. */
    void tell(AnswerCause told, ScoredLine where) {
        answered = true;
        line = where;
        cause = told.cause();
        noun = told.noun();
        hit = told.hit();
        code = told.code();
        words.addAll(told.words());
        by = told.by();
    }

    /** Takes that a program is missing. */
    void miss(String name, @Nullable ScoredLine where) {
        program = name;
        code = null;
        noun = null;
        exceptionName = null;
        words.clear();
        decide(NO_PROGRAM, where, "missing program");
    }

    boolean isUndecided() {
        return cause == null && code == null && exceptionName == null;
    }

    /** Whether a weak cause without a noun is all that is told. */
    boolean isVague() {
        return cause != null && cause.weak() && noun == null;
    }

    /** Whether the cause is that of a failed connection, whatever was called. */
    boolean ofNetwork() {
        return cause != null && cause.anywhere();
    }

    /** The pattern of the hash. */
    String pattern() {
        List<String> parts = new ArrayList<>();
        boolean wrapped = call.words().isEmpty() && cause != null && !isVague();
        if (exceptionName != null && !wrapped && !ofNetwork()) {
            parts.add(Slugs.kebab(exceptionName));
        }
        if (code != null) {
            parts.add(code);
        }
        if (cause != null) {
            parts.add(noun == null ? cause.name() : noun + '-' + cause.name());
        }
        parts.addAll(words);
        return String.join("-", parts);
    }

    /**
     * The operation of the hash: that of the call where the cause is not told or the tool keeps it, the service that
     * was asked, with the method where the cause is not told or is a refusal, the library that failed, {@code run} for
     * a tool whose operations are not known, or empty.
     */
    String operation() {
        String operation = reported();
        boolean shared = isGeneral() || isStatus();
        for (String operand : shared ? List.<String>of() : call.operands()) {
            operation = operand.startsWith("http") ? HostNames.withoutOwnHost(operation, operand) : operation;
        }
        boolean anyMethod = call.printsAnswer() && isTold() && !CauseLexicon.isRefusal(cause);
        return anyMethod ? HostNames.withoutMethod(operation) : operation;
    }

    private String reported() {
        boolean served = answered && call.printsAnswer() && line != null && line.answer() != null;
        if (cause != null && cause.always() && code == null && !served) {
            return "";
        }
        String text = line == null ? "" : line.text;
        boolean own = ofNetwork() && !CauseLexicon.isRefusal(cause) || text.startsWith(call.tool() + ": ");
        boolean named = ToolTable.isOfUser(call.tool()) && text.contains("://");
        String request = answered || named || !own && call.printsAnswer() ? request() : null;
        if (request != null) {
            return request;
        }
        if (library != null) {
            return library;
        }
        boolean known = ToolTable.hasOperations(call.tool());
        boolean program = known || !call.words().isEmpty();
        if (!program || !isTold() || ToolTable.isByOperation(call.tool())) {
            return call.operation();
        }
        return known ? "" : OperationParser.ANY;
    }

    /** Whether the hash tells the cause without the operation; the status of an answer or a general code does not. */
    private boolean isTold() {
        if (isStatus() || isGeneralCode()) {
            return noun != null || !words.isEmpty();
        }
        return code != null || noun != null || (cause == null ? words.size() > 1 : !cause.weak() || !words.isEmpty());
    }

    /** Whether the code is only the status of an answer. */
    private boolean isStatus() {
        return code != null && code.startsWith("http-");
    }

    /** The request that was answered, if the call names it, or the error of a program of the user; else null. */
    private @Nullable String request() {
        if (ToolTable.listed("http-clients", call.tool())) {
            return HostNames.request(call.words());
        }
        return isGeneral() && line != null && ToolTable.isOfUser(call.tool()) ? HostNames.named(line, ranked) : null;
    }

    /** Whether nothing but a status, or a refusal without its reason, tells the cause. */
    private boolean isGeneral() {
        return isGeneralCode() || code == null && noun == null && words.isEmpty() && CauseLexicon.isRefusal(cause);
    }

    private boolean isGeneralCode() {
        return by.equals("status") || by.equals("general code");
    }

    /** The subject of the error. */
    String subject() {
        return line == null ? "" : Subject.of(line, hit, cause == null ? "" : cause.name(), echo);
    }

    /** Whether the decisive line begins with the name of a tool, which then reports what the line says. */
    boolean isReportedBy(String tool) {
        int colon = line == null ? -1 : line.text.indexOf(": ");
        return line != null
                && colon > 0
                && ToolTable.canonical(line.text.substring(0, colon)).equals(tool);
    }

    /** The rule that decided, and the line that it matched. */
    String explanation() {
        String text = line == null ? "" : line.message;
        if (text.length() > 120) {
            int end = text.offsetByCodePoints(0, Math.min(100, text.codePointCount(0, text.length())));
            text = text.substring(0, end) + "…";
        }
        return by + (text.isEmpty() ? "" : " in \"" + text + '"');
    }
}
