package dev.xmem.core.store.index;

import dev.xmem.Entry;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.MalformedLineException;
import dev.xmem.spi.ContextHasher;
import dev.xmem.spi.HashInput;
import dev.xmem.spi.PluginException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The context hashes that the hasher in use gives to entries that another hasher hashed, from the stored fields, which
 * are all that a hasher ever gets. Lines are not changed; the index has both hashes. As thread-safe as the hasher.
 *
 * @param hasher the hasher in use; null where it hashed every line
 * @param ofImports the hasher in use: which one hashed the lines of another replica is not known
 */
public record AlternateHash(@Nullable ContextHasher hasher, ContextHasher ofImports) {
    /** The fields that a hasher is given. */
    public static final List<String> FIELDS =
            List.of("tool", "action", "error", "evidence", "exit_code", "pattern_name", "key_steps", "signature");

    /** The alternate hashes for the lines of another replica. */
    AlternateHash forImports() {
        return new AlternateHash(ofImports, ofImports);
    }

    /** The id of the hasher; empty if there is none. */
    String id() {
        return hasher == null ? "" : hasher.id();
    }

    /** The hash of a line; null if it has none, or there is no hasher. */
    @Nullable String of(Entry.Kind kind, byte[] line) {
        if (hasher == null || kind != Entry.Kind.FAILURE && kind != Entry.Kind.SUCCESS) {
            return null;
        }
        try {
            Map<String, Object> fields = LineCodec.fields(line);
            HashInput call = HashInput.of(text(fields, "tool"), text(fields, "action"));
            HashInput input = kind == Entry.Kind.FAILURE ? failure(fields, call) : success(fields, call);
            return hasher.hash(input).value();
        } catch (PluginException e) {
            throw e;
        } catch (MalformedLineException | RuntimeException e) {
            // a line of another program, which the hasher cannot handle
            return null;
        }
    }

    private static HashInput failure(Map<String, Object> fields, HashInput call) {
        String evidence = text(fields, "evidence");
        String exit = Objects.toString(fields.get("exit_code"), "");
        Integer code = exit.matches("-?[0-9]{1,9}") ? Integer.valueOf(exit) : null;
        return call.error(evidence.isEmpty() ? text(fields, "error") : evidence, code);
    }

    private static HashInput success(Map<String, Object> fields, HashInput call) {
        List<String> steps = fields.get("key_steps") instanceof List<?> list
                ? list.stream().map(String::valueOf).toList()
                : List.of();
        HashInput input = call.patternName(text(fields, "pattern_name")).keySteps(steps);
        return fields.get("signature") instanceof String signature ? input.signature(signature) : input;
    }

    private static String text(Map<String, Object> fields, String name) {
        return fields.get(name) instanceof String text ? text : "";
    }
}
