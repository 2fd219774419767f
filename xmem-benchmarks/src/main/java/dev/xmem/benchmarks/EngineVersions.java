package dev.xmem.benchmarks;

import java.util.ArrayList;
import java.util.List;

/** Reports the versions of the engines. */
public final class EngineVersions {
    private EngineVersions() {}

    /** Returns the available engines with their versions. */
    public static List<String> all() {
        List<String> all = new ArrayList<>();
        for (String name : List.of("sqlite", "ripgrep", "grep")) {
            add(Engine.named(name), all);
        }
        Engine.discovered().forEach(engine -> add(engine, all));
        return all;
    }

    private static void add(Engine engine, List<String> all) {
        try {
            all.add(engine.version());
        } catch (Exception e) {
            all.add("no " + engine.name());
        }
    }
}
