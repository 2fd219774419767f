package dev.xmem.core.store.index;

import dev.xmem.core.base.config.StoreConfig;
import dev.xmem.core.base.io.FileSystem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;

/**
 * The hashers that may have hashed entries of a store, in a file of this machine: an id on each line. Without the file,
 * {@value #UNSAID} is taken for the only one.
 */
public final class HasherHistory {
    /** The hasher of the stores without the file: the default one of the first format. */
    private static final String UNSAID = "slug-1";

    private static final long LONGEST_FILE = 1 << 16;

    private final FileSystem files;
    private final Path file;

    public HasherHistory(FileSystem files, Path file) {
        this.files = files;
        this.file = file;
    }

    /** The alternate hashes to index: none where the hasher in use hashed all entries. */
    public AlternateHash rehash(StoreConfig config) throws IOException {
        String id = config.hasher().id();
        boolean empty = true;
        for (Path log : config.paths().logs().values()) {
            FileSystem.Stat stat = files.exists(log) ? files.stat(log) : null;
            empty &= stat == null || stat.length() == 0;
        }
        boolean only = isOnly(id, empty);
        if (!config.readOnly()) {
            add(id, empty);
        }
        return new AlternateHash(only ? null : config.hasher(), config.hasher());
    }

    /** Whether this hasher hashed all entries; true in a store without entries. */
    private boolean isOnly(String id, boolean empty) throws IOException {
        Set<String> known = read();
        return known.isEmpty() ? empty || id.equals(UNSAID) : known.equals(Set.of(id));
    }

    /** Notes that this hasher hashes entries from now on. */
    private void add(String id, boolean empty) throws IOException {
        Set<String> known = new TreeSet<>(read());
        if (known.isEmpty() && !empty) {
            known.add(UNSAID);
        }
        boolean unsaid = known.isEmpty() && id.equals(UNSAID);
        if (known.add(id) && !unsaid) {
            Path folder = file.getParent();
            if (folder != null) {
                files.createFolders(folder);
            }
            files.replace(file, (String.join("\n", known) + "\n").getBytes(StandardCharsets.UTF_8));
        }
    }

    private Set<String> read() throws IOException {
        FileSystem.Stat stat = files.isPlain(file) ? files.stat(file) : null;
        if (stat == null || stat.length() > LONGEST_FILE) {
            return Set.of();
        }
        byte[] bytes = new byte[(int) stat.length()];
        try (FileSystem.Input source = files.open(file)) {
            source.read(0, bytes, 0, bytes.length);
        }
        Set<String> ids = new TreeSet<>();
        for (String line :
                new String(bytes, StandardCharsets.UTF_8).replace('\r', '\n').split("\n", -1)) {
            if (!line.isBlank()) {
                ids.add(line);
            }
        }
        return ids;
    }
}
