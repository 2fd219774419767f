package dev.xmem.transcripts;

import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * SWE-agent: {@code <instance>.traj}, with an action and an observation in each step, without exit codes and times. The
 * guard judges the observation. Last verified on 2026-11-23 with trajectories of 2024 and the documentation of 1.1.
 */
final class SweAgentFormat extends DocumentFormat {
    private static final Set<String> SKIPPED =
            Set.of("history", "response", "thought", "query", "messages", "extra_info", "replay_config");

    /** The agent's own commands. They print lines of files, which are no errors of theirs. */
    private static final Pattern OWN = Pattern.compile("(?:open|goto|scroll_up|scroll_down|create|edit|insert|append"
            + "|search_dir|search_file|find_file|view|submit)\\b");

    /** How an answer begins if such a command worked. */
    private static final Pattern SHOWN = Pattern.compile(
            "\\s*+(?:\\[File: |Found \\d+ match|No matches found|More than \\d+ |diff --git |Text replaced)");

    @Override
    Set<String> skipped() {
        return SKIPPED;
    }

    @Override
    String steps() {
        return "trajectory";
    }

    @Override
    void step(long number, Map<String, Object> step, CallCollector out) {
        Object state = step.get("state");
        Map<String, Object> members = JsonTree.asObject(state instanceof String text ? JsonTree.parse(text) : state);
        out.in("", JsonTree.text(members, "working_dir"));
        String action = JsonTree.text(step, "action").strip();
        if (action.isEmpty()) {
            return;
        }
        String id = out.session + '#' + number;
        out.shell(id, action);
        String observation = JsonTree.text(step, "observation");
        if (OWN.matcher(action).lookingAt() && SHOWN.matcher(observation).lookingAt()) {
            out.shown(id);
        } else {
            out.output(id, observation);
        }
    }
}
