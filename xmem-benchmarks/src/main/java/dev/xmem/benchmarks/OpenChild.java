package dev.xmem.benchmarks;

import java.nio.file.Path;
import java.util.List;

/** Opens a filled folder, asks it once and says how many entries came: a JVM that {@link OpenTime} starts. */
final class OpenChild {
    private OpenChild() {}

    /** An engine, its folder and a context hash; nothing for a JVM that does nothing. */
    public static void main(String[] args) throws Exception {
        if (args.length == 0) {
            System.out.println("0");
            return;
        }
        try (Engine.Answers answers = Engine.named(args[0]).open(Path.of(args[1]))) {
            System.out.println(answers.ids(new Question(Ask.PAGE_FIRST, args[2], List.of()))
                    .size());
        }
    }
}
