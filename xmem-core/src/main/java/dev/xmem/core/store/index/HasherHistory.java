package dev.xmem.core.store.index;

import dev.xmem.core.base.config.StoreConfig;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.text.hash.RuleBasedHasher;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which hashers entries of a store may have been hashed by, in a file of this machine's own: an id a line. Where there is no
 * such file, the default one is taken for the only one.
 */
public final class HasherHistory {
    private static final long LONGEST_FILE = 1 << 16;

    private final FileSystem disk;
    private final Path file;

    public HasherHistory(FileSystem disk, Path file) {
        this.disk = disk;
        this.file = file;
    }

    /** What hashes lines have beside their own: none where all entries were hashed by the hasher in use. */
    public AlternateHash rehash(StoreConfig settings, LineCodec codec) throws IOException {
        String id = settings.hasher().id();
        String byDefault = new RuleBasedHasher().id();
        boolean empty = true;
        for (Path log : settings.places().logs().values()) {
            FileSystem.Stat stat = disk.exists(log) ? disk.stat(log) : null;
            empty &= stat == null || stat.length() == 0;
        }
        boolean only = isOnly(id, byDefault, empty);
        if (!settings.readOnly()) {
            add(id, byDefault, empty);
        }
        return new AlternateHash(codec, only ? null : settings.hasher());
    }

    /** Whether all entries were hashed by this one: so it is in a store without any. */
    private boolean isOnly(String id, String byDefault, boolean empty) throws IOException {
        Set<String> known = read();
        return known.isEmpty() ? empty || id.equals(byDefault) : known.equals(Set.of(id));
    }

    /** Entries will be hashed by this one from now on. */
    private void add(String id, String byDefault, boolean empty) throws IOException {
        Set<String> known = new TreeSet<>(read());
        if (known.isEmpty() && !empty) {
            known.add(byDefault);
        }
        boolean unsaid = known.isEmpty() && id.equals(byDefault);
        if (known.add(id) && !unsaid) {
            Path folder = file.getParent();
            if (folder != null) {
                disk.createFolders(folder);
            }
            disk.replace(file, (String.join("\n", known) + "\n").getBytes(StandardCharsets.UTF_8));
        }
    }

    private Set<String> read() throws IOException {
        FileSystem.Stat stat = disk.isPlain(file) ? disk.stat(file) : null;
        if (stat == null || stat.length() > LONGEST_FILE) {
            return Set.of();
        }
        byte[] bytes = new byte[(int) stat.length()];
        try (FileSystem.Input source = disk.open(file)) {
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
