package dev.xmem.core.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;

/**
 * The targets for Jazzer, which runs one of them at a time: see CONTRIBUTING. Compiled under the profile {@code fuzz}
 * only; what it finds is kept in the corpus that {@link FuzzCorpusTest} reads.
 */
class ParsersFuzz {
    @FuzzTest(maxDuration = "15m")
    void line(byte[] bytes) {
        Target.LINE.read(bytes);
    }

    @FuzzTest(maxDuration = "15m")
    void log(byte[] bytes) {
        Target.LOG.read(bytes);
    }

    @FuzzTest(maxDuration = "15m")
    void query(byte[] bytes) {
        Target.QUERY.read(bytes);
    }

    @FuzzTest(maxDuration = "15m")
    void command(byte[] bytes) {
        Target.COMMAND.read(bytes);
    }

    @FuzzTest(maxDuration = "15m")
    void draft(byte[] bytes) {
        Target.DRAFT.read(bytes);
    }

    @FuzzTest(maxDuration = "15m")
    void index(byte[] bytes) {
        Target.INDEX.read(bytes);
    }

    @FuzzTest(maxDuration = "15m")
    void segment(byte[] bytes) {
        Target.SEGMENT.read(bytes);
    }
}
