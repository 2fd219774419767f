package dev.xmem.benchmarks.figures;

import dev.xmem.benchmarks.EngineVersions;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** Describes the machine and the versions of the engines. */
final class MachineInfo {
    private MachineInfo() {}

    static String text() {
        String memory =
                ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean os
                        ? String.format(Locale.ROOT, ", %.0f GiB", os.getTotalMemorySize() / (double) (1L << 30))
                        : "";
        return Runtime.getRuntime().availableProcessors() + " cores" + processor() + memory + ", "
                + System.getProperty("os.name") + " " + System.getProperty("os.version") + ", "
                + System.getProperty("java.vm.name") + " " + System.getProperty("java.version") + ". "
                + String.join(", ", EngineVersions.all()) + ".";
    }

    /** Returns the processor model, if {@code /proc/cpuinfo} has it. */
    private static String processor() {
        try {
            return Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
                    .filter(line -> line.startsWith("model name"))
                    .findFirst()
                    .map(line -> " (" + line.substring(line.indexOf(':') + 1).strip() + ")")
                    .orElse("");
        } catch (IOException e) {
            return "";
        }
    }
}
