package dev.xmem.cli.install;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Settings as people write them: random members, layouts, comments, line ends and byte order marks. */
final class RandomSettings {
    private static final List<String> NAMES = List.of(
            "hooks",
            "mcpServers",
            "mcp",
            "servers",
            "permissions",
            "env",
            "model",
            "theme",
            "é ö",
            "a\\\"b",
            "$schema");
    private static final List<String> EVENTS = List.of(
            "PreToolUse", "PostToolUse", "AfterTool", "postToolUse", "postToolUseFailure", "UserPromptSubmit", "Stop");
    private static final List<String> SCALARS = List.of(
            "1", "-2.5e3", "true", "null", "\"\"", "\"a // no comment\"", "\"\\\\\"", "\"é\\u00e9}]\"", "\"😀\"");

    private final Random random;
    private final String newLine;
    private final String unit;
    private final boolean oneLine;
    private final boolean comments;

    private RandomSettings(Random random) {
        this.random = random;
        newLine = random.nextInt(3) == 0 ? "\r\n" : "\n";
        unit = List.of("  ", "    ", "\t", "").get(random.nextInt(4));
        oneLine = random.nextInt(4) == 0;
        comments = !oneLine && random.nextBoolean();
    }

    static String of(long seed) {
        RandomSettings settings = new RandomSettings(new Random(seed));
        String bom = settings.random.nextInt(5) == 0 ? "\uFEFF" : "";
        String head = settings.comments ? "// mine" + settings.newLine : "";
        String end = settings.random.nextBoolean() ? settings.newLine : "";
        return bom + head + settings.root() + end;
    }

    private String root() {
        List<String> members = new ArrayList<>();
        for (String name : NAMES) {
            if (random.nextInt(3) == 0) {
                members.add('"' + name + "\":" + gap() + member(name));
            }
        }
        return enclosed("{", members, "}", "");
    }

    private String member(String name) {
        return switch (name) {
            case "hooks" -> hooks();
            case "mcpServers", "mcp", "servers" ->
                random.nextBoolean()
                        ? enclosed("{", List.of(), "}", unit)
                        : enclosed("{", List.of("\"other\": {\"command\": \"x\"}"), "}", unit);
            default -> value(unit, 3);
        };
    }

    private String hooks() {
        List<String> members = new ArrayList<>();
        for (String event : EVENTS) {
            if (random.nextInt(3) == 0) {
                List<String> groups = new ArrayList<>();
                for (int i = random.nextInt(3); i > 0; i--) {
                    groups.add("{\"matcher\": \"Bash\", \"hooks\": [{\"type\": \"command\", \"command\": \"echo " + i
                            + "\"}]}");
                }
                members.add('"' + event + "\": " + enclosed("[", groups, "]", unit + unit));
            }
        }
        return enclosed("{", members, "}", unit);
    }

    private String value(String indent, int depth) {
        List<String> parts = new ArrayList<>();
        boolean object = random.nextBoolean();
        if (depth == 0 || random.nextInt(3) == 0) {
            return SCALARS.get(random.nextInt(SCALARS.size()));
        }
        for (int i = random.nextInt(4); i > 0; i--) {
            parts.add((object ? "\"k" + i + "\":" + gap() : "") + value(indent + unit, depth - 1));
        }
        return enclosed(object ? "{" : "[", parts, object ? "}" : "]", indent);
    }

    private String gap() {
        return random.nextBoolean() ? " " : "";
    }

    private String enclosed(String open, List<String> parts, String close, String indent) {
        if (parts.isEmpty()) {
            String inner = List.of("", " ", newLine + indent).get(random.nextInt(oneLine ? 2 : 3));
            return open + inner + (comments && random.nextInt(4) == 0 ? "/* empty */" : "") + close;
        }
        if (oneLine || random.nextInt(4) == 0) {
            return open + String.join("," + gap(), parts) + close;
        }
        StringBuilder text = new StringBuilder(open);
        for (int i = 0; i < parts.size(); i++) {
            text.append(newLine).append(indent).append(unit).append(parts.get(i));
            boolean last = i == parts.size() - 1;
            text.append(!last || comments && random.nextInt(3) == 0 ? "," : "");
            text.append(comments && random.nextInt(3) == 0 ? " // why, [" : "");
        }
        return text.append(newLine).append(indent).append(close).toString();
    }
}
