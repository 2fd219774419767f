package dev.xmem.hooks;

import dev.xmem.transcripts.LockedFile;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The slots of the user in the folder {@code residents} of the cache: {@value #MAX_RESIDENTS} for residents, and more
 * for the servers that hosts keep running. A process holds a slot by its lock. The first line of the file is the secret
 * by which the server proves itself: a script believes no file in a store that its user's cache does not confirm.
 */
final class ResidentSlots {
    static final int MAX_RESIDENTS = 8;
    private static final int MAX_SERVERS = 64;

    private ResidentSlots() {}

    /** A slot that this process holds. */
    record Slot(String name, LockedFile file) {}

    /** Takes a free slot; null if there is none. */
    static @Nullable Slot take(String kind) throws IOException {
        Path folder = UserFolder.inCache("residents");
        if (folder == null) {
            return null;
        }
        int max = kind.equals(ResidentFile.RESIDENT) ? MAX_RESIDENTS : MAX_SERVERS;
        for (int i = 1; i <= max; i++) {
            String name = kind + "-" + i;
            LockedFile file = LockedFile.tryLock(folder.resolve(name));
            if (file != null) {
                return new Slot(name, file);
            }
        }
        return null;
    }

    /** Whether a resident could start. */
    static boolean isFree() throws IOException {
        Slot slot = take(ResidentFile.RESIDENT);
        if (slot != null) {
            slot.file.close();
        }
        return slot != null;
    }
}
