package dev.xmem.transcripts;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The formats of transcripts. The name of each is that of the agent, in lower case with hyphens. */
public enum TranscriptFormat {
    /** Claude Code. */
    CLAUDE,
    /** Codex CLI. */
    CODEX,
    /** GitHub Copilot CLI. */
    COPILOT,
    /** Gemini CLI. */
    GEMINI,
    /** OpenCode. */
    OPENCODE,
    /** SWE-agent. */
    SWE_AGENT,
    /** mini-SWE-agent. */
    MINI_SWE_AGENT,
    /** Reports of tests. */
    JUNIT,
    /** The logs of errlore. */
    ERRLORE;

    /** Returns the name of the agent, such as {@code swe-agent}. */
    public String agent() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the format of an agent; empty if there is none. */
    public static Optional<TranscriptFormat> of(String agent) {
        return Stream.of(values())
                .filter(format -> format.agent().equals(agent))
                .findFirst();
    }

    /** Returns the names of all agents. */
    public static String agents() {
        return Stream.of(values()).map(TranscriptFormat::agent).collect(Collectors.joining(", "));
    }
}
