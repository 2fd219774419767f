package dev.xmem.benchmarks.repeat;

import java.util.List;
import java.util.Random;

/**
 * The names of one task: no two tasks share them.
 *
 * @param word the project's
 * @param other something in it
 */
record TaskNames(String word, String other) {
    private static final List<String> FIRST = List.of(
            "amber", "basalt", "cedar", "delta", "ember", "fjord", "garnet", "harbor", "indigo", "juniper", "kelp",
            "lagoon", "meadow", "nickel", "orchid", "pebble", "quartz", "raven", "saffron", "tundra", "umber", "velvet",
            "willow", "zephyr");
    private static final List<String> SECOND = List.of(
            "invoice", "catalog", "ledger", "report", "stock", "mailer", "portal", "billing", "roster", "planner",
            "archive", "metrics", "survey", "booking", "quota", "tracker", "budget", "journal", "parser", "gateway");

    static TaskNames of(Random random) {
        return new TaskNames(made(random), made(random));
    }

    private static String made(Random random) {
        return FIRST.get(random.nextInt(FIRST.size()))
                + '-'
                + SECOND.get(random.nextInt(SECOND.size()))
                + random.nextInt(100);
    }
}
