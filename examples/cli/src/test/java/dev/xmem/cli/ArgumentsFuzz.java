package dev.xmem.cli;

import dev.xmem.testing.HostileBytes;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Runs commands whose arguments and input were changed. A program that starts in an empty folder, so that a changed
 * path stays there: its arguments are the first number, how many, and for how many seconds at most. Commands that do
 * not end ({@code serve}) or run the commands of settings ({@code doctor}) are left out.
 */
final class ArgumentsFuzz {
    private static final int COMMANDS_OF_A_FOLDER = 50;
    private static final long LIMIT_SECONDS = 600;

    private static final List<String> SEEDS = List.of(
            "record failure tool=git command=push error=rejected avoid=pull-first tags=a,b",
            "record success tool=git pattern=gc steps=one,two",
            "record --json",
            "recall --json",
            "search tool=git rejected --limit=5 --json",
            "search tag=a since=2026-02-01 /re.ected/ offset=2",
            "search --batch",
            "load tool=git limit=10 --budget=2000",
            "stats --json",
            "verify --json",
            "compact --dry-run",
            "compact --prune-after-days 365",
            "restore 2026-06-01T12_00_00Z",
            "purge --backups 2026-02-14-001",
            "hash --json",
            "memory-write",
            "memory-search",
            "remember always use pnpm",
            "remember --subject deploys --predicate need --object a-pipeline --kind constraint --tag ci --global",
            "directives build the frontend --limit 5 --json",
            "promote 2026-02-14-002 --to user",
            "outcome 2026-02-14-002 worked --session monday",
            "amend 2026-02-14-001 --superseded-by 2026-02-15-004",
            "amend 2026-02-14-001 --tag remote --untag config --dismiss late",
            "amend 2026-02-14-001 --pin",
            "sync --remote shared --limit 5 --transport jgit",
            "sync status --json",
            "clone shared --limit 5",
            "export --to exported --limit 5",
            "install claude --dry-run --project --mcp",
            "install codex --uninstall",
            "why --last --agent claude",
            "why",
            "completion",
            "slash /xmem:search tool=git",
            "/xmem:record failure tool=git command=push error=rejected",
            "/xmem:compact --dry-run",
            "/xmem:help",
            "--version",
            "search --help");

    private static final List<String> INPUTS = List.of(
            "{'type':'tool_failure','tool':'git','action':'push','error':'rejected','tags':['a'],'exit_code':1}\n",
            "{'type':'tool_success','tool':'git','pattern_name':'gc','key_steps':['git gc'],'answers':['x']}\n",
            "{'type':'memory','kind':'rule','triple':{'subject':'a','predicate':'is','object':'b'}}\n",
            "{'tool':'git','action':'push origin','error':'rejected','exit_code':1}\n",
            "{'q':'tool=git rejected','limit':3}\n{'q':'/rej.*/','limit':5}\n",
            "{'type':'note','content':'User prefers Python.','tags':['preference'],'meta':{'a':1}}\n",
            "{'hook_event_name':'UserPromptSubmit','prompt':'this again','session_id':'s'}\n",
            "Tool name: git\nPattern name: Atomic commits\nTags: git\n",
            "");

    private final Random random;
    private final HostileBytes bytes;

    private ArgumentsFuzz(long number) {
        this.random = new Random(number);
        this.bytes = new HostileBytes(random);
    }

    public static void main(String... args) throws IOException {
        long first = Long.parseLong(args[0]);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Long.parseLong(args[2]));
        Map<Integer, Integer> codes = new TreeMap<>();
        Path here = Path.of("").toAbsolutePath();
        long number = first;
        for (; number < first + Long.parseLong(args[1]) && System.nanoTime() < end; number++) {
            if ((number - first) % COMMANDS_OF_A_FOLDER == 0) {
                empty(here);
                Files.createDirectory(here.resolve("shared"));
                Xmem.in(environment(here), "", "record", "failure", "tool=git", "command=push", "error=rejected");
            }
            codes.merge(new ArgumentsFuzz(number).run(number, environment(here)), 1, Integer::sum);
        }
        System.out.printf("reliability: %,d changed commands, exit codes %s%n", number - first, codes);
        System.exit(0);
    }

    private static Environment environment(Path here) {
        return new Environment(Map.of("XMEM_STORE", "store", "HOME", "home"), here, here, false);
    }

    private static void empty(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                if (!each.equals(folder)) {
                    Files.delete(each);
                }
            }
        }
    }

    private int run(long number, Environment environment) {
        List<String> args = arguments();
        byte[] text = any(INPUTS).replace('\'', '"').getBytes(StandardCharsets.UTF_8);
        byte[] input = random.nextBoolean() ? text : bytes.changed(text, utf8(any(INPUTS)));
        Thread watch = watch(number + ": " + args);
        try {
            Xmem run = Xmem.in(environment, new ByteArrayInputStream(input), args.toArray(String[]::new));
            if (run.code() < 0 || run.code() > 2 || run.err().matches("(?s).*(internal error|\n\tat ).*")) {
                throw new AssertionError("exit code " + run.code() + ": " + run.err());
            }
            if (run.code() == Main.FAILED && run.err().isBlank()) {
                throw new AssertionError("failed without a reason: " + run.out());
            }
            return run.code();
        } catch (RuntimeException | Error e) {
            throw new AssertionError(
                    "command " + number + ": " + args + " with " + new String(input, StandardCharsets.UTF_8), e);
        } finally {
            watch.interrupt();
        }
    }

    private static Thread watch(String what) {
        Thread command = Thread.currentThread();
        Thread watch = new Thread(() -> {
            try {
                Thread.sleep(TimeUnit.SECONDS.toMillis(LIMIT_SECONDS));
                System.out.println("command takes too long, " + what);
                Arrays.stream(command.getStackTrace()).forEach(System.out::println);
                Runtime.getRuntime().halt(1);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // it has ended
            }
        });
        watch.setDaemon(true);
        watch.start();
        return watch;
    }

    private List<String> arguments() {
        List<String> args = new ArrayList<>(List.of(any(SEEDS).split(" ")));
        for (int changes = random.nextInt(4); changes > 0; changes--) {
            change(args);
        }
        for (int i = 0; i < args.size(); i++) {
            boolean pattern =
                    i > 0 && args.get(0).equals("search") && !args.get(i - 1).startsWith("-");
            args.set(i, harmless(args.get(i), pattern));
        }
        return args;
    }

    private void change(List<String> args) {
        int at = random.nextInt(args.size());
        switch (random.nextInt(6)) {
            case 0:
                args.remove(at);
                break;
            case 1:
                args.add(at, args.get(random.nextInt(args.size())));
                break;
            case 2:
                String[] others = any(SEEDS).split(" ");
                args.add(at + random.nextInt(2), others[random.nextInt(others.length)]);
                break;
            case 3:
                args.add(at, "");
                break;
            default:
                args.set(at, new String(bytes.changed(utf8(args.get(at)), utf8(any(SEEDS))), StandardCharsets.UTF_8));
        }
        if (args.isEmpty()) {
            args.add("stats");
        }
    }

    /** An argument has no NUL, and leads to no file outside. */
    private static String harmless(String argument, boolean pattern) {
        String text =
                argument.replace("\0", "").replace("..", "_").replace(":", argument.startsWith("/xmem:") ? ":" : "_");
        if (text.equals("serve") || text.equals("doctor")) {
            return "stats";
        }
        boolean slashes = argument.startsWith("/xmem:") || pattern && !argument.startsWith("-");
        return slashes ? text : text.replace('/', '_').replace('@', '_').replace('~', '_');
    }

    private <T> T any(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
