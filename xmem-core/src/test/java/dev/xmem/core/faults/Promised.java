package dev.xmem.core.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.core.fixtures.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The logs of a store that {@link WritingProcess}es wrote, read without the engine. */
final class Promised {
    private static final Pattern MARK = Pattern.compile("unable to access (\\w+)-(\\d+)\\.");

    private final Map<String, BitSet> found = new HashMap<>();
    private final Map<String, List<Integer>> inLog = new HashMap<>();
    private int pieces;

    /** Reads the logs in a folder, which may not be there. */
    Promised(Path data) throws IOException {
        for (String log : Aftermath.LOGS) {
            Path file = data.resolve(log);
            if (Files.exists(file)) {
                for (String line :
                        Files.readString(file, StandardCharsets.ISO_8859_1).split("\n")) {
                    read(log, line);
                }
            }
        }
    }

    private void read(String log, String line) {
        try {
            Json.object(line);
        } catch (RuntimeException e) {
            pieces += line.isBlank() ? 0 : 1;
            return;
        }
        Matcher mark = MARK.matcher(line);
        if (mark.find()) {
            int number = Integer.parseInt(mark.group(2));
            BitSet of = found.computeIfAbsent(mark.group(1), name -> new BitSet());
            assertThat(of.get(number)).as("twice: " + line).isFalse();
            of.set(number);
            inLog.computeIfAbsent(mark.group(1) + log, name -> new ArrayList<>())
                    .add(number);
        }
    }

    /** Lines that are no entries. */
    int pieces() {
        return pieces;
    }

    int count(String name) {
        return found.getOrDefault(name, new BitSet()).cardinality();
    }

    /** The promises that a process wrote down; the last line may be torn. */
    static int promised(Path promises) throws IOException {
        String text = Files.exists(promises) ? Files.readString(promises) : "";
        String whole = text.substring(0, text.lastIndexOf('\n') + 1).strip();
        return whole.isEmpty() ? 0 : Integer.parseInt(whole.substring(whole.lastIndexOf('\n') + 1));
    }

    /** All that was promised is there, of the one batch that was not a prefix, nothing else, in order. */
    void keeps(String name, int promised, boolean stillWriting) {
        BitSet there = found.getOrDefault(name, new BitSet());
        assertThat(there.nextClearBit(0))
                .as(name + ": promised were " + promised)
                .isGreaterThanOrEqualTo(promised);
        if (!stillWriting) {
            // The logs of a process that still writes were not read at one moment.
            assertThat(there.cardinality()).as("no gaps").isEqualTo(there.length());
            assertThat(there.length()).as("one batch more at most").isLessThanOrEqualTo(promised + 3);
        }
        inLog.forEach((log, numbers) -> assertThat(numbers).as(log).isSorted());
    }

    /** Of each log a beginning is there. */
    void keepsAPrefixOfEachLog(String name) {
        List<Integer> failures = inLog.getOrDefault(name + "failures.jsonl", List.of());
        List<Integer> notes = inLog.getOrDefault(name + "notes.jsonl", List.of());
        for (int i = 0; i < notes.size(); i++) {
            assertThat(notes.get(i)).isEqualTo(4 * i + 3);
        }
        for (int i = 0; i < failures.size(); i++) {
            assertThat(failures.get(i)).isEqualTo(i / 3 * 4 + i % 3);
        }
    }
}
