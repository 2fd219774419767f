package dev.xmem.transcripts;

import java.util.Map;
import java.util.Set;

/**
 * SWE-agent: {@code <instance>.traj}, with an action and an observation in each step, without exit codes and times. The
 * guard judges the observation. Last verified on 2026-11-23 with trajectories of 2024 and the documentation of 1.1.
 */
final class SweAgentFormat extends DocumentFormat {
    private static final Set<String> SKIPPED =
            Set.of("history", "response", "thought", "query", "messages", "extra_info", "replay_config");

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
        out.output(id, JsonTree.text(step, "observation"));
    }
}
