package dev.xmem.benchmarks;

import java.nio.file.Path;
import java.util.List;

/** The JVM that {@link OpenTime} starts. Opens a prepared folder, runs one query and prints the number of entries. */
final class OpenTimeChild {
    private OpenTimeChild() {}

    /** Arguments: an engine, its folder and a context hash. Without arguments the JVM does nothing. */
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
