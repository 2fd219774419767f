package dev.xmem.benchmarks;

import java.util.List;

/** The words of the corpus, most frequent first. */
final class Vocabulary {
    static final List<String> WORDS = words("""
            the to a in is and of it for with not on this before that use was run build file from when first again
            as by set path branch error version be instead only test then config package are step has after socket
            cache if host install same was locally remote command directory module add without default server one
            fails retry works port never script image label lock name output change update registry entry reset user
            worked read both container environment because dependency already already-running upgrade push merge
            pipeline release variable timeout network proxy setting permission rights mount volume service cluster
            deploy review check lint format types compile target flag option argument quotes escape shell logon
            session fetch pull rebase commit tag head upstream origin main develop feature hotfix rollback migrate
            schema table index column query transaction connection pool handle tls certificate expired clock skew
            memory disk full quota limit rate throttled backoff attempt flaky order parallel race deadlock worker
            queue job cron schedule runner agent workspace checkout submodule sparse shallow depth history bisect
            """);

    static final List<String> TAGS = words("""
            ci network build auth deploy config dependency test docker types branch cache permission timeout
            database lint registry migration secrets release kubernetes python javascript rust java go terraform
            flaky windows macos arm64 proxy tls monorepo workspace hooks upload download quota frontend backend
            """);

    private static final List<String> NOUNS = words("""
            inventory checkout billing orders search profile gateway catalog ledger mailer reports uploader kiosk
            courier voucher invoice session scheduler importer exporter notifier pricing shipment warehouse audit
            """);

    private static final List<String> PARTS = words("service api worker client store core web jobs sdk admin");

    private Vocabulary() {}

    private static List<String> words(String text) {
        return List.of(text.strip().split("\\s+"));
    }

    /** Returns a subject: a module, a host or a branch. */
    static String subject(int n) {
        String noun = NOUNS.get(n % NOUNS.size());
        int rest = n / NOUNS.size();
        return rest == 0
                ? noun
                : noun + "-" + PARTS.get(rest % PARTS.size()) + (rest < PARTS.size() ? "" : rest / PARTS.size());
    }

    /** Returns an identifier, a path or a number that few entries contain. */
    static String rare(int n) {
        return switch (n % 4) {
            case 0 -> "src/" + subject(n % 2000) + "/handler" + n + ".ts";
            case 1 -> "load" + NOUNS.get(n % NOUNS.size()) + n;
            case 2 -> "ERR_" + n;
            default -> Integer.toHexString(n * 40503);
        };
    }
}
