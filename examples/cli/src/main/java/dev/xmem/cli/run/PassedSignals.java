package dev.xmem.cli.run;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Passes signals on to a process, until it is closed. A terminal sends SIGINT and SIGQUIT to its whole foreground group
 * and so to the process itself: while this process is in that group, SIGINT is not passed on. Uses
 * {@code sun.misc.Signal} by reflection, the JDK's only way to receive signals; where it is missing, signals end this
 * process as usual.
 */
final class PassedSignals {
    private final Map<Object, Object> before = new LinkedHashMap<>();
    private volatile boolean received;

    private PassedSignals() {}

    static PassedSignals to(Process process) {
        PassedSignals passed = new PassedSignals();
        passed.handle("TERM", () -> send(process, "TERM"));
        passed.handle("HUP", () -> send(process, "HUP"));
        passed.handle("INT", () -> {
            if (!isInForeground()) {
                send(process, "INT");
            }
        });
        return passed;
    }

    private static boolean isInForeground() {
        try {
            return isInForeground(Files.readString(Path.of("/proc/self/stat")));
        } catch (IOException e) {
            return System.console() != null; // there is no /proc
        }
    }

    /** Whether the line of /proc/PID/stat names the own process group as the foreground group of the terminal. */
    static boolean isInForeground(String stat) {
        // The name of the program may hold blanks and brackets. Then: state ppid pgrp session tty_nr tpgid
        String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", 7);
        return fields.length > 5 && fields[2].equals(fields[5]);
    }

    private static void send(Process process, String signal) {
        try {
            new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            process.destroy();
        }
    }

    private void handle(String name, Runnable action) {
        try {
            Class<?> type = Class.forName("sun.misc.SignalHandler");
            Object signal = Class.forName("sun.misc.Signal")
                    .getConstructor(String.class)
                    .newInstance(name);
            InvocationHandler handler = (proxy, method, arguments) -> switch (method.getName()) {
                case "handle" -> {
                    received = true;
                    action.run();
                    yield null;
                }
                case "hashCode" -> System.identityHashCode(proxy);
                case "equals" -> proxy == arguments[0];
                default -> name;
            };
            Object own = Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler);
            before.put(signal, register().invoke(null, signal, own));
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            // The signal is not ours to handle, as with -Xrs.
        }
    }

    private static Method register() throws ReflectiveOperationException {
        return Class.forName("sun.misc.Signal")
                .getMethod("handle", Class.forName("sun.misc.Signal"), Class.forName("sun.misc.SignalHandler"));
    }

    /** Whether a signal was passed on, so that the exit code does not tell why the program ended. */
    boolean received() {
        return received;
    }

    void close() {
        before.forEach((signal, handler) -> {
            try {
                register().invoke(null, signal, handler);
            } catch (ReflectiveOperationException e) {
                // The process ends soon.
            }
        });
    }
}
