package dev.xmem.benchmarks;

import java.nio.file.Path;
import java.util.List;

/** Opens a filled folder, types it once and says how many entries came: a JVM that {@link OpenTime} starts. */
final class OpenTimeChild {
    private OpenTimeChild() {}

    /** An engine, its folder and a context hash; nothing for a JVM that does nothing. */
    public static void main(String[] args) throws Exception {
        if (args.length == 0) {
            System.out.println("0");
            return;
        }
        try (Engine.Searcher answers = Engine.named(args[0]).open(Path.of(args[1]))) {
            System.out.println(answers.ids(new TestQuery(QueryType.PAGE_FIRST, args[2], List.of()))
                    .size());
        }
    }
}
