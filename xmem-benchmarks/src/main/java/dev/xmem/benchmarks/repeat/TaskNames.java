package dev.xmem.benchmarks.repeat;

import java.util.List;
import java.util.Random;

/**
 * The names in one task. No two tasks share them.
 *
 * @param word the name of the project
 * @param other the name of something in it
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
        return new TaskNames(randomName(random), randomName(random));
    }

    private static String randomName(Random random) {
        return FIRST.get(random.nextInt(FIRST.size()))
                + '-'
                + SECOND.get(random.nextInt(SECOND.size()))
                + random.nextInt(100);
    }
}
