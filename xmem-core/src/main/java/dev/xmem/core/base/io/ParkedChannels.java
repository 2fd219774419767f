package dev.xmem.core.base.io;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Channels of lock files that could not be closed yet, of all class loaders of the JVM: a map from the identity of a
 * file to its channels, all of types of the JDK, in the system properties while there is any. Without a reference, the
 * garbage collector would close them. Decision: docs/adr/0057-parked-channels.md.
 */
final class ParkedChannels {
    private static final String PROPERTY = "dev.xmem.parked-channels";

    private ParkedChannels() {}

    /** The channels of the JVM; null if none was parked. */
    @SuppressWarnings("unchecked")
    private static @Nullable Map<Object, Queue<FileChannel>> parked() {
        return (Map<Object, Queue<FileChannel>>) System.getProperties().get(PROPERTY);
    }

    /** Keeps a channel open. */
    @SuppressWarnings("unchecked")
    static void put(Object key, FileChannel channel) {
        System.getProperties().compute(PROPERTY, (name, known) -> {
            Map<Object, Queue<FileChannel>> parked =
                    known == null ? new ConcurrentHashMap<>() : (Map<Object, Queue<FileChannel>>) known;
            parked.computeIfAbsent(key, file -> new ConcurrentLinkedQueue<>()).add(channel);
            return parked;
        });
    }

    /** Takes an open channel of a file away; null if there is none. */
    static @Nullable FileChannel take(Object key) {
        Map<Object, Queue<FileChannel>> parked = parked();
        Queue<FileChannel> channels = parked == null ? null : parked.get(key);
        FileChannel channel = channels == null ? null : channels.poll();
        if (channels != null && channels.isEmpty()) {
            removeEmpty(key);
        }
        return channel;
    }

    /** Closes the channels of a file. The caller holds its lock, and loses it as far as other processes see. */
    static void close(Object key) throws IOException {
        for (FileChannel channel = take(key); channel != null; channel = take(key)) {
            channel.close();
        }
    }

    @SuppressWarnings("unchecked")
    private static void removeEmpty(Object key) {
        System.getProperties().computeIfPresent(PROPERTY, (name, known) -> {
            Map<Object, Queue<FileChannel>> parked = (Map<Object, Queue<FileChannel>>) known;
            parked.computeIfPresent(key, (file, channels) -> channels.isEmpty() ? null : channels);
            return parked.isEmpty() ? null : parked;
        });
    }
}
