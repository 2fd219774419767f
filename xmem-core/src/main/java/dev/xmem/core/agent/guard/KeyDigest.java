package dev.xmem.core.agent.guard;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Names that others give, as keys of bounded length: a long one by its digest. */
final class KeyDigest {
    private static final int MOST_CHARS = 128;

    private KeyDigest() {}

    static String of(String name) {
        return name.length() <= MOST_CHARS ? name : '\n' + HexFormat.of().formatHex(sha256(name));
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
