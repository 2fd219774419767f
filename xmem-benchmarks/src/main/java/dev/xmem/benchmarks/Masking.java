package dev.xmem.benchmarks;

import java.util.regex.Pattern;

/** Masks the variable parts of a text with one regular expression, as log clustering tools do. */
final class Masking {
    private static final Pattern VARYING = Pattern.compile(String.join(
            "|",
            "\\w+://[^\\s'\"`)>,]+",
            "‘[^’]*’|'[^'\\n]{0,200}'|\"[^\"\\n]{0,200}\"|`[^`'\\n]{0,200}[`']",
            "\\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\\b",
            "\\b\\d{1,3}(?:\\.\\d{1,3}){3}(?::\\d+)?\\b",
            "\\d{4}[-/]\\d\\d[-/]\\d\\d[T ]?[\\d:.Z+]*",
            "(?:~|\\.{1,2})?/[\\w.@+:~-]+(?:/[\\w.@+:~-]+)*/?|\\b[\\w.@+-]+/[\\w./@+-]+",
            "\\b[\\w-]+\\.(?:py|js|mjs|cjs|ts|java|c|cpp|h|rs|go|rb|php|pl|sh|json|yaml|yml|txt|csv|log|conf|md|toml|xml|zip"
                    + "|tar|gz|tgz|db|sqlite3?|pem|crt|key|patch|diff|deb|jar|o)\\b(?::\\d+(?::\\d+)?)?",
            "\\b(?:[\\w-]+\\.)+(?:invalid|com|org|io|local|internal)\\b(?::\\d+)?",
            "\\b0x[0-9a-fA-F]+\\b|\\b(?=[0-9a-f]*\\d)[0-9a-f]{7,40}\\b",
            "\\d+(?:\\.\\d+)*"));

    private Masking() {}

    static String masked(String text) {
        return VARYING.matcher(text).replaceAll("<*>");
    }
}
