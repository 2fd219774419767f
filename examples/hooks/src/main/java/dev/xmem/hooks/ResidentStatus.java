package dev.xmem.hooks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * The state of the resident of a store, as a hook would find it.
 *
 * @param text what was found, as a clause
 * @param millis how long it took to prove itself; -1 if it did not
 * @param memoryKib its resident set; -1 if that is not known
 */
public record ResidentStatus(State state, String text, long millis, long memoryKib) {
    private static final int LIMIT_MILLIS = 250;

    /** What a hook finds. */
    public enum State {
        /** There is no file: the first hook answers by itself. */
        NONE,
        /** A process proved that it answers for the store. */
        ANSWERS,
        /** There is a file, but hooks do not use it. They answer by themselves, more slowly. */
        STALE,
        /** The process of the file does not answer. Each hook waits for it first. */
        SILENT
    }

    /**
     * Asks the resident of a store to prove itself. Changes nothing.
     *
     * @param cache the folder {@code xmem} in the user's cache
     */
    public static ResidentStatus of(Path folder, Path cache) {
        Path path = ResidentFile.path(folder);
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return new ResidentStatus(State.NONE, "no resident is running", -1, -1);
        }
        ResidentFile file = ResidentFile.read(folder);
        if (file == null) {
            return stale(path + " cannot be read, or is of another version");
        }
        try {
            if (!UserFolder.key(folder).equals(file.folderKey())) {
                return stale(path + " was copied from another folder");
            }
            Path slot = cache.resolve("residents").resolve(file.slot());
            if (!Files.isRegularFile(slot) || !Files.readString(slot).startsWith(file.serverSecret() + '\n')) {
                return stale("the user's cache, " + slot + ", does not confirm " + path);
            }
        } catch (IOException e) {
            return stale(path + " cannot be checked: " + e.getMessage());
        }
        if (ProcessHandle.of(file.pid()).filter(ProcessHandle::isAlive).isEmpty()) {
            return stale("process " + file.pid() + " of " + path + " has ended");
        }
        return ask(file);
    }

    private static ResidentStatus stale(String text) {
        return new ResidentStatus(State.STALE, text, -1, -1);
    }

    private static ResidentStatus ask(ResidentFile file) {
        long begin = System.nanoTime();
        String process = file.kind() + ", process " + file.pid() + " on port " + file.port();
        String proof = "";
        try (Socket socket = new Socket()) {
            socket.setSoTimeout(LIMIT_MILLIS);
            InetAddress host = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
            socket.connect(new InetSocketAddress(host, file.port()), LIMIT_MILLIS);
            socket.getOutputStream().write(("xmem 1 " + file.clientSecret() + '\n').getBytes(StandardCharsets.UTF_8));
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            proof = String.valueOf(in.readLine());
        } catch (ConnectException e) {
            return stale(process + ", has ended: nothing listens there");
        } catch (IOException | IllegalArgumentException e) {
            // Reported below: no proof came.
        }
        if (!proof.equals(file.serverSecret())) {
            return new ResidentStatus(
                    State.SILENT, process + ", did not answer within " + LIMIT_MILLIS + " ms", -1, memory(file.pid()));
        }
        return new ResidentStatus(
                State.ANSWERS, process, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin), memory(file.pid()));
    }

    private static long memory(long pid) {
        try {
            return Files.readAllLines(Path.of("/proc", Long.toString(pid), "status")).stream()
                    .filter(line -> line.startsWith("VmRSS:"))
                    .map(line -> line.replaceAll("\\D", ""))
                    .filter(digits -> !digits.isEmpty())
                    .mapToLong(Long::parseLong)
                    .findFirst()
                    .orElse(-1);
        } catch (IOException e) {
            return -1;
        }
    }
}
