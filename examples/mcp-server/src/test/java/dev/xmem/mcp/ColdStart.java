package dev.xmem.mcp;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.util.Arrays;
import java.util.List;

/**
 * Measures the time from the start of an MCP server process to its first response and to the first result of a tool,
 * alternating between servers. Needs only a JDK:
 *
 * <pre>
 * java src/test/java/dev/xmem/mcp/ColdStart.java 21 \
 *     stats java -jar target/xmem-mcp.jar --store /tmp/store -- read_graph node …/server-memory/dist/index.js
 * </pre>
 */
public final class ColdStart {
    private static final String HELLO = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{"
            + "\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}\n";
    private static final String READY = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n";
    private static final String CALL =
            "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"%s\",\"arguments\":{}}}\n";

    private ColdStart() {}

    /**
     * Arguments: the number of runs, then servers separated by {@code --}, each a tool without arguments and a command.
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        int runs = Integer.parseInt(args[0]);
        List<List<String>> servers = Arrays.stream(
                        String.join("\n", Arrays.asList(args).subList(1, args.length))
                                .split("\n--\n"))
                .map(server -> List.of(server.split("\n")))
                .toList();
        double[][][] millis = new double[servers.size()][2][runs];
        for (int run = -1; run < runs; run++) { // the first run only warms the file cache
            for (int i = 0; i < servers.size(); i++) {
                double[] taken = start(servers.get(i));
                for (int what = 0; run >= 0 && what < 2; what++) {
                    millis[i][what][run] = taken[what];
                }
            }
        }
        for (int i = 0; i < servers.size(); i++) {
            System.out.printf(
                    "%s: first answer %s, first answer of a tool %s, %d runs%n",
                    String.join(" ", servers.get(i)), spread(millis[i][0]), spread(millis[i][1]), runs);
        }
    }

    private static double[] start(List<String> server) throws IOException, InterruptedException {
        long began = System.nanoTime();
        Process process = new ProcessBuilder(server.subList(1, server.size()))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (Writer in = process.outputWriter();
                BufferedReader out = process.inputReader()) {
            double hello = answer(HELLO, in, out, began);
            in.write(READY);
            double tool = answer(CALL.formatted(server.get(0)), in, out, began);
            return new double[] {hello, tool};
        } finally {
            process.destroy();
            process.waitFor();
        }
    }

    private static double answer(String request, Writer in, BufferedReader out, long began) throws IOException {
        in.write(request);
        in.flush();
        String line = out.readLine();
        if (line == null || !line.contains("\"result\"")) {
            throw new IOException("no answer to " + request + ": " + line);
        }
        return (System.nanoTime() - began) / 1e6;
    }

    private static String spread(double[] millis) {
        double[] sorted = millis.clone();
        Arrays.sort(sorted);
        return "%.0f ms (%.0f to %.0f)"
                .formatted(sorted[sorted.length / 2], sorted[sorted.length / 4], sorted[sorted.length * 3 / 4]);
    }
}
