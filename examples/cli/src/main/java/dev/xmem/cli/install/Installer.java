package dev.xmem.cli.install;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jgit.diff.DiffAlgorithm;
import org.eclipse.jgit.diff.DiffFormatter;
import org.eclipse.jgit.diff.RawText;
import org.eclipse.jgit.diff.RawTextComparator;
import org.jspecify.annotations.Nullable;

/** Installs xmem in the files of an agent, or removes it. Every file is planned before the first is written. */
public final class Installer {
    private final InstallRequest request;
    private final AgentFiles files;
    private final Path base;
    private final boolean uninstall;

    public Installer(InstallRequest request) {
        this.request = request;
        files = new AgentFiles(request);
        base = request.base();
        uninstall = request.uninstall();
    }

    /** The names of the agents. */
    public static List<String> agents() {
        return AgentFiles.AGENTS;
    }

    /** The change of one file. */
    public static final class Change {
        private final SettingsFile file;
        private final String before;
        private final @Nullable String after;
        private final boolean install;

        private Change(SettingsFile file, String before, @Nullable String after, boolean install) {
            this.file = file;
            this.before = before;
            this.after = after;
            this.install = install;
        }

        public Path path() {
            return file.path;
        }

        /** One of {@code unchanged}, {@code created}, {@code changed} and {@code deleted}. */
        public String name() {
            if (file.text == null) {
                return after == null ? "unchanged" : "created";
            }
            return after == null ? "deleted" : after.equals(file.text) ? "unchanged" : "changed";
        }

        /** The change as a unified diff; empty if there is none. */
        public String diff() throws IOException {
            if (name().equals("unchanged")) {
                return "";
            }
            RawText old = raw(file.text);
            RawText now = raw(after);
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            try (DiffFormatter formatter = new DiffFormatter(out)) {
                DiffAlgorithm algorithm = DiffAlgorithm.getAlgorithm(DiffAlgorithm.SupportedAlgorithm.MYERS);
                formatter.format(algorithm.diff(RawTextComparator.DEFAULT, old, now), old, now);
            }
            return "--- " + (file.text == null ? "/dev/null" : path()) + "\n+++ "
                    + (after == null ? "/dev/null" : path()) + "\n" + out.toString(StandardCharsets.UTF_8);
        }

        private static RawText raw(@Nullable String text) {
            return new RawText((text == null ? "" : text).getBytes(StandardCharsets.UTF_8));
        }

        /** Writes the file. */
        public void write() throws IOException {
            if (name().equals("unchanged")) {
                return;
            }
            if (install && after != null) {
                file.install(before, after);
            } else {
                file.uninstall(after);
            }
        }
    }

    /**
     * The changes that install or remove the entries.
     *
     * @throws InstallException if a file cannot be edited safely; nothing was written
     */
    public List<Change> plan() throws IOException {
        List<Change> changes = new ArrayList<>();
        for (Part part : files.parts()) {
            try {
                changes.add(plan(part));
            } catch (InstallException e) {
                boolean named =
                        String.valueOf(e.getMessage()).startsWith(part.path().toString());
                throw named ? e : new InstallException(part.path() + ": " + e.getMessage());
            }
        }
        return changes;
    }

    /** What is left to do by hand; known after {@link #plan}. */
    public List<String> notes() throws IOException {
        List<String> notes = new ArrayList<>(files.notes());
        for (InstalledFile file : uninstall ? List.<InstalledFile>of() : InstalledFile.of(request)) {
            Path twin = file.twin();
            if (file.switchedOff() != null) {
                notes.add(file.path() + " has " + file.switchedOff() + ": " + request.agent()
                        + " runs no hook until you remove that");
            }
            if (twin != null) {
                notes.add("Copilot CLI runs " + twin + " too, so that it shows advice twice; run xmem install "
                        + (request.agent().equals("copilot") ? "vscode" : "copilot")
                        + (request.user() ? "" : " --project") + " --uninstall");
            } else if (request.agent().equals("vscode") && !file.hooks().isEmpty()) {
                notes.add("Copilot CLI runs these hooks too; do not install xmem for it as well");
            }
        }
        return notes;
    }

    private Change plan(Part part) throws IOException {
        Path folder = part.path().getParent();
        boolean inside = folder == null || part.path().startsWith(base);
        SettingsFile file = SettingsFile.read(part.path(), inside ? base : folder);
        String before = file.restorable();
        if (before == null) {
            String text = file.text == null ? "" : file.text;
            if (!uninstall && Part.isIn(text) && part.isComplete(text)) {
                return new Change(file, text, text, true);
            }
            before = Part.isIn(text) ? part.remove(text, file.before()) : text;
            if (!uninstall && file.text != null && text.isBlank()) {
                throw new InstallException("it is empty; delete it, then retry");
            }
        }
        String after = uninstall ? before : part.add(before);
        return new Change(
                file, before, uninstall && after.isEmpty() && !"".equals(file.text) ? null : after, !uninstall);
    }
}
