package dev.xmem.cli.install;

import dev.xmem.cli.install.JsonNode.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Entries in a JSON file.
 *
 * @param header the members of a new file
 * @param elements what is appended to arrays
 * @param members what is put at a path
 */
record JsonPart(Path path, Map<String, Object> header, List<Entry> elements, List<Entry> members) implements Part {
    /** The environment variable of a server that xmem installed. */
    static final String VARIABLE = "XMEM_INSTALL";

    /** A value and the names from the root to its place. */
    record Entry(List<String> path, Object value) {}

    @Override
    public String add(String text) throws IOException {
        JsonDocument document = JsonDocument.parse(text.isEmpty() ? "{}\n" : text);
        if (!elements.isEmpty() && runsHook(document.root)) {
            throw new InstallException("it runs xmem-hook in an entry that xmem install did not write;"
                    + " remove that entry, then retry");
        }
        if (text.isEmpty()) {
            for (Map.Entry<String, Object> member : header.entrySet()) {
                document = document.put(List.of(member.getKey()), member.getValue());
            }
        }
        for (Entry element : elements) {
            document = document.append(element.path, element.value);
        }
        for (Entry member : members) {
            document = document.put(member.path, member.value);
        }
        return document.text;
    }

    @Override
    public boolean isComplete(String text) throws IOException {
        JsonDocument document = JsonDocument.parse(text);
        for (Entry element : elements) {
            JsonNode array = document.at(element.path);
            JsonNode added = JsonDocument.parse("{}").append(List.of("added"), element.value).root;
            if (array == null || array.children.stream().noneMatch(own -> has(own, added))) {
                return false;
            }
        }
        return members.stream().allMatch(member -> document.at(member.path) != null);
    }

    /** Whether an element has the commands and the trigger of another one. */
    private static boolean has(JsonNode own, JsonNode added) {
        boolean telling = added.kind == Kind.STRING && (added.text.endsWith(MARK) || "trigger".equals(added.key));
        return (!telling || hasText(own, added.text)) && added.children.stream().allMatch(child -> has(own, child));
    }

    private static boolean hasText(JsonNode node, String text) {
        return node.kind == Kind.STRING && node.text.equals(text)
                || node.children.stream().anyMatch(child -> hasText(child, text));
    }

    private static boolean runsHook(JsonNode node) {
        return node.kind == Kind.STRING && node.text.contains("xmem-hook")
                || node.children.stream().anyMatch(JsonPart::runsHook);
    }

    @Override
    public String remove(String text, @Nullable String before) throws IOException {
        JsonDocument document = JsonDocument.parse(text);
        boolean existed = before != null && !before.isEmpty();
        JsonDocument rest = document.remove(JsonPart::isOwn, existed ? JsonDocument.parse(before) : null);
        boolean changed = rest != document;
        return changed && !existed && isHeader(rest.root) ? "" : rest.text;
    }

    private boolean isHeader(JsonNode root) {
        return root.children.stream()
                .allMatch(child -> header.containsKey(child.key)
                        && String.valueOf(header.get(child.key)).equals(child.text));
    }

    /** Whether xmem added this element of an array or this server. */
    private static boolean isOwn(JsonNode node) {
        if (node.parent != null && node.parent.kind == Kind.ARRAY) {
            JsonNode action = node.member("action");
            return hasMark(node) || action != null && hasMark(action);
        }
        for (String name : List.of("env", "environment")) {
            JsonNode variables = node.member(name);
            if (variables != null && variables.member(VARIABLE) != null) {
                return true;
            }
        }
        return false;
    }

    private static boolean hasMark(JsonNode node) {
        return node.children.stream().anyMatch(child -> child.kind == Kind.STRING && child.text.endsWith(MARK));
    }
}
