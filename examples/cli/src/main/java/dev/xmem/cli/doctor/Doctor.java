package dev.xmem.cli.doctor;

import dev.xmem.cli.install.InstallRequest;
import dev.xmem.cli.install.InstalledFile;
import dev.xmem.cli.install.InstalledFile.State;
import dev.xmem.cli.install.Installer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Examines every link from the settings of an agent to the store. For one examination. */
public final class Doctor {
    private static final Path ANY = Path.of("any");
    private static final int MIN_JAVA = 17;
    private static final long JAVA_LIMIT_MILLIS = 20_000;
    private static final Pattern VERSION = Pattern.compile("version \"(\\d+)[^\"]*\"");

    private final Place place;
    private final @Nullable Path store;
    private final @Nullable String agent;
    private final List<Finding> findings = new ArrayList<>();
    private final List<HookCommand> commands = new ArrayList<>();
    /** The file that says that an agent runs no hooks, by agent. */
    private final Map<String, InstalledFile> disabled = new LinkedHashMap<>();

    /**
     * An examination.
     *
     * @param store the only store to examine; null for those of the installed hooks
     * @param agent the only agent to examine; null for all that have hooks of xmem
     */
    public Doctor(Place place, @Nullable Path store, @Nullable String agent) {
        this.place = place;
        this.store = store;
        this.agent = agent;
    }

    /**
     * Examines the installation, in the order of the links.
     *
     * @param fallback the store if there are no hooks that name one; null if none is known
     * @throws IOException if the agent is unknown
     */
    public List<Finding> examine(@Nullable Path fallback) throws IOException {
        settings();
        if (commands.isEmpty() && findings.stream().noneMatch(each -> each.level() == Finding.Level.PROBLEM)) {
            String name = agent == null ? "no agent" : agent;
            findings.add(Finding.problem(
                    "settings",
                    name + (agent == null ? " runs" : " does not run") + " the hooks of xmem",
                    "run xmem install " + (agent == null ? "AGENT" : agent)));
        }
        commands.stream().map(HookCommand::agent).distinct().forEach(this::hooksOf);
        for (HookCommand command : firsts()) {
            findings.addAll(command.examine(place));
        }
        boolean java = java();
        Set<Path> stores = new LinkedHashSet<>();
        if (store == null) {
            stores.addAll(stores());
        }
        Path only = store == null && stores.isEmpty() ? fallback : store;
        if (only != null) {
            stores.add(only);
        }
        stores.forEach(each -> findings.addAll(StoreExamination.of(each, place)));
        for (HookCommand command : firsts()) {
            Path named = command.store();
            if (java && (named == null || StoreExamination.exists(named))) {
                findings.add(TestEvent.send(command, place));
            }
        }
        return findings.stream().distinct().toList();
    }

    /** Whether the agent runs its hooks, and each of them once. */
    private void hooksOf(String name) {
        InstalledFile off = disabled.get(name);
        if (off != null) {
            findings.add(Finding.problem(
                    name + " settings",
                    off.path() + " has " + off.switchedOff() + ": the agent runs no hook",
                    "remove " + off.switchedOff() + " from the file"));
        }
        Map<Boolean, Path> files = new TreeMap<>();
        commands.stream()
                .filter(command -> command.agent().equals(name))
                .forEach(command -> files.put(command.settings().startsWith(place.project()), command.settings()));
        if (files.size() > 1 && !place.home().equals(place.project())) {
            findings.add(Finding.warning(
                    name + " settings",
                    "both " + files.get(false) + " and " + files.get(true)
                            + " have hooks of xmem, so that the agent may" + " report each event twice",
                    "run xmem install " + name + " --uninstall, or that with --project"));
        }
    }

    /** One command for each agent, script and store: those of the other events do the same. */
    private List<HookCommand> firsts() {
        Map<String, HookCommand> first = new LinkedHashMap<>();
        commands.forEach(command ->
                first.putIfAbsent(command.agent() + '\n' + command.script() + '\n' + command.store(), command));
        return List.copyOf(first.values());
    }

    /**
     * The stores that the hooks of all agents name in the settings of the user, or in those of the project; empty for
     * one that only a shell can tell.
     */
    public static List<Optional<Path>> stores(Place place, boolean user) throws IOException {
        Doctor doctor = new Doctor(place, null, null);
        for (String each : Installer.agents()) {
            if (user || !place.home().equals(place.project())) {
                doctor.settings(each, user);
            }
        }
        return doctor.commands.stream()
                .map(command -> Optional.ofNullable(command.store()))
                .distinct()
                .toList();
    }

    private List<Path> stores() {
        return commands.stream()
                .map(HookCommand::store)
                .filter(Objects::nonNull)
                .distinct()
                .toList();
    }

    private void settings() throws IOException {
        for (String each : agent == null ? Installer.agents() : List.of(agent)) {
            settings(each, true);
            if (!place.home().equals(place.project())) {
                settings(each, false);
            }
        }
    }

    private void settings(String name, boolean user) throws IOException {
        Path base = user ? place.home() : place.project();
        InstallRequest request = new InstallRequest(name, user, base, place.variables(), ANY, ANY, null, true);
        for (InstalledFile file : InstalledFile.of(request)) {
            settings(name, user, file);
        }
    }

    private void settings(String name, boolean user, InstalledFile file) {
        String link = name + " settings";
        String repair = "run xmem install " + name + (user ? "" : " --project");
        if (file.state() == State.BROKEN || file.state() == State.UNREADABLE && name.equals(agent)) {
            findings.add(Finding.problem(
                    link, file.path() + ": " + file.trouble() + "; the agent may ignore it", "correct the file"));
        } else if (file.state() == State.UNREADABLE) {
            findings.add(Finding.warning(link, file.path() + ": " + file.trouble(), "correct the file"));
        }
        if (file.switchedOff() != null) {
            disabled.put(name, file);
        }
        Path twin = file.hooks().isEmpty() ? null : file.twin();
        if (twin != null) {
            String scope = user ? "" : " --project";
            findings.add(Finding.warning(
                    link,
                    "Copilot CLI runs both " + file.path() + " and " + twin + ", so that it shows advice twice",
                    "run xmem install copilot" + scope + " --uninstall, or xmem install vscode" + scope
                            + " --uninstall"));
        }
        Set<String> lines = new LinkedHashSet<>();
        file.hooks().forEach(hook -> lines.add(hook.command()));
        lines.forEach(line -> commands.add(HookCommand.of(name, file.path(), line, place)));
        if (!file.hooks().isEmpty()) {
            List<String> events = file.hooks().stream()
                    .map(InstalledFile.Hook::event)
                    .distinct()
                    .toList();
            findings.add(
                    file.missing().isEmpty()
                            ? Finding.ok(link, file.path() + ", hooks for " + String.join(", ", events))
                            : Finding.warning(
                                    link,
                                    file.path() + " has no hook for " + String.join(", ", file.missing()),
                                    repair + " --uninstall, then " + repair));
        }
        String jar = file.serverJar();
        if (jar != null) {
            boolean found = jar.isEmpty() || Files.isRegularFile(place.project().resolve(jar));
            findings.add(
                    found
                            ? Finding.ok(name + " MCP server", "registered in " + file.path())
                            : Finding.problem(
                                    name + " MCP server",
                                    file.path() + " names " + jar + ", which does not exist",
                                    "build it, or " + repair + " --mcp again"));
        }
    }

    /** Finds Java as the script does, by PATH. */
    private boolean java() {
        String advice = "install Java " + MIN_JAVA + " or later, or put its folder on the PATH that the agent sees";
        for (String folder : place.variable("PATH").split(":", -1)) {
            Path java = folder.startsWith("/") ? Path.of(folder, "java") : null;
            if (java != null && Files.isRegularFile(java) && Files.isExecutable(java)) {
                return version(java, advice);
            }
        }
        findings.add(Finding.problem("java", "there is no java on the PATH " + place.variable("PATH"), advice));
        return false;
    }

    private boolean version(Path java, String advice) {
        String said;
        try {
            ShellRun run = ShellRun.of(List.of(java.toString(), "-version"), place, "", JAVA_LIMIT_MILLIS);
            said = run.err();
        } catch (IOException e) {
            said = String.valueOf(e.getMessage());
        }
        Matcher version = VERSION.matcher(said);
        boolean known = version.find();
        if (!known || version.group(1).length() > 4 || Integer.parseInt(version.group(1)) < MIN_JAVA) {
            String first = said.lines().findFirst().orElse("it printed nothing");
            findings.add(Finding.problem("java", java + " cannot run the hooks: " + first, advice));
            return false;
        }
        findings.add(Finding.ok("java", java + ", " + said.lines().findFirst().orElse("")));
        return true;
    }
}
