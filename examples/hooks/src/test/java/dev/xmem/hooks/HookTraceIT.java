package dev.xmem.hooks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.hooks.HookTrace.Event;
import dev.xmem.hooks.ResidentStatus.State;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The trace of a hook and its resident, and the state of the resident as a doctor sees it. */
class HookTraceIT extends HookScriptCase {
    private List<Event> trace() {
        try {
            return HookTrace.read(hook.store);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private ResidentStatus status() {
        return ResidentStatus.of(hook.store, folder.resolve(".cache/xmem"));
    }

    @Test
    void hookAndResident_traceTheirEvents_andTheResidentShowsItsState() throws Exception {
        assertThat(status().state()).isEqualTo(State.NONE);
        ResidentFile file = hook.leaveResident();
        hook.run(HookScript.failure("monday", "left-pad"));
        HookScript.await(() -> trace().size() == 2);

        assertThat(trace()).extracting(Event::by).containsExactly("itself", "resident");
        assertThat(trace()).allSatisfy(event -> {
            assertThat(event.recorded()).isNotEmpty();
            assertThat(event.millis()).isNotNegative();
        });
        HookScript.await(() -> status().state() == State.ANSWERS);
        assertThat(status().memoryKib()).isPositive();
        assertThat(trace()).as("asking is no event").hasSize(2);

        HookScript.signal("STOP", file.pid());
        try {
            HookScript.await(() -> status().state() == State.SILENT); // a signal takes a moment
        } finally {
            HookScript.signal("CONT", file.pid());
        }
        HookScript.signal("KILL", file.pid());
        HookScript.await(() -> status().state() == State.STALE); // once the system has removed the process
        assertThat(status().text()).contains("has ended");
    }
}
