package dev.xmem.mcp;

import dev.xmem.transcripts.PrivateFiles;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;

/** The secret of a store's HTTP server: a file in its {@code .xmem} folder that only its owner can read. */
public final class TokenFile {
    private static final int RANDOM_BYTES = 32;
    private static final int MAX_BYTES = 1_000;

    private TokenFile() {}

    /** Returns the file of a store. */
    public static Path of(Path store) {
        return store.resolve(".xmem").resolve("mcp-token");
    }

    /**
     * Reads the token, after creating it if there is none.
     *
     * @throws IOException if the file is not a token file, or cannot be read or written
     */
    public static String readOrCreate(Path file) throws IOException {
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            create(file);
        }
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) || Files.size(file) > MAX_BYTES) {
            throw new FileSystemException(file.toString(), null, "is not a token file; delete it");
        }
        String token = Files.readString(file).strip();
        if (token.length() < 16) {
            throw new FileSystemException(file.toString(), null, "has no token; delete it");
        }
        return token;
    }

    private static void create(Path file) throws IOException {
        byte[] random = new byte[RANDOM_BYTES];
        new SecureRandom().nextBytes(random);
        Path written = Files.createTempFile(file.getParent(), "mcp-token", ".tmp", PrivateFiles.attributes(file));
        try {
            Files.writeString(written, Base64.getUrlEncoder().withoutPadding().encodeToString(random) + "\n");
            Files.move(written, file);
        } catch (FileAlreadyExistsException e) {
            // another process was faster
        } finally {
            Files.deleteIfExists(written);
        }
    }
}
