package dev.xmem.cli.install;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A settings file of a user with its backup. The backup is next to the file; its name has the hash of the file as it
 * was installed, so that an uninstallation knows whether anything else has changed, and the number of folders that were
 * made for it. An empty backup says that there was no file.
 */
final class SettingsFile {
    private static final long MAX_BYTES = 4 << 20;
    private static final String BACKUP = ".xmem-backup";
    private static final Pattern MADE = Pattern.compile("\\.[0-9a-f]{16}-([0-9]{1,2})\\" + BACKUP + "$");
    private static final String BOM = "\uFEFF";

    final Path path;
    private final Path target;
    /** The text without a byte order mark; null if there is no file. */
    final @Nullable String text;

    private final String bom;

    private SettingsFile(Path path, Path target, @Nullable String text) {
        this.path = path;
        this.target = target;
        bom = text != null && text.startsWith(BOM) ? BOM : "";
        this.text = text == null ? null : text.substring(bom.length());
    }

    /**
     * Reads a file.
     *
     * @param within the folder that the file must be in after symbolic links are followed
     * @throws InstallException if it cannot be edited safely
     */
    static SettingsFile read(Path path, Path within) throws IOException {
        Path target = real(path);
        if (!target.startsWith(real(within))) {
            throw new InstallException(path + " is a symbolic link that leads out of " + within + ", to " + target
                    + "; edit that file, or replace the link by a file");
        }
        if (!Files.exists(target)) {
            return new SettingsFile(path, target, null);
        }
        if (!Files.isRegularFile(target)) {
            throw new InstallException(path + " is not a file");
        }
        if (Files.size(target) > MAX_BYTES) {
            throw new InstallException(path + " has more than " + MAX_BYTES + " bytes; edit it by hand");
        }
        if (!Files.isWritable(target)
                || !Files.getPosixFilePermissions(target).contains(PosixFilePermission.OWNER_WRITE)) {
            throw new InstallException(path + " is read-only; make it writable, then retry");
        }
        return new SettingsFile(path, target, decoded(path, Files.readAllBytes(target)));
    }

    /** The path after symbolic links are followed, for a file that need not exist. */
    private static Path real(Path path) throws IOException {
        Path absolute = path.toAbsolutePath().normalize();
        if (Files.exists(absolute)) {
            return absolute.toRealPath();
        } else if (Files.exists(absolute, LinkOption.NOFOLLOW_LINKS)) {
            throw new InstallException(path + " is a symbolic link to a missing file; remove it, then retry");
        }
        Path parent = absolute.getParent();
        return parent == null ? absolute : real(parent).resolve(absolute.getFileName());
    }

    private static String decoded(Path path, byte[] bytes) throws IOException {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new InstallException(path + " is not UTF-8; convert it, then retry");
        }
    }

    /** What the file was before it was installed, if it has not changed since; null if it has, or was not installed. */
    @Nullable String restorable() throws IOException {
        String name = text == null ? null : nameOfBackup(text);
        for (Path backup : backups()) {
            if (name != null && backup.getFileName().toString().startsWith(name)) {
                return read(backup);
            }
        }
        return null;
    }

    /** What the file was before it was installed; empty if there was none, null if that is not known. */
    @Nullable String before() throws IOException {
        String before = null;
        for (Path backup : backups()) {
            before = read(backup);
        }
        return before;
    }

    private List<Path> backups() throws IOException {
        Path parent = target.toAbsolutePath().getParent();
        List<Path> found = new ArrayList<>();
        if (parent != null && Files.isDirectory(parent)) {
            try (DirectoryStream<Path> backups = Files.newDirectoryStream(parent, this::isBackup)) {
                backups.forEach(found::add);
            }
        }
        return found;
    }

    /** How many folders were made for the file, the innermost ones. */
    private int madeFolders() throws IOException {
        int made = 0;
        for (Path backup : backups()) {
            Matcher name = MADE.matcher(backup.getFileName().toString());
            made = name.find() ? Math.max(made, Integer.parseInt(name.group(1))) : made;
        }
        return made;
    }

    private int missingFolders() {
        int missing = 0;
        Path folder = target.toAbsolutePath().getParent();
        while (folder != null && !Files.exists(folder)) {
            missing++;
            folder = folder.getParent();
        }
        return missing;
    }

    private static String read(Path backup) throws IOException {
        String text = decoded(backup, Files.readAllBytes(backup));
        return text.startsWith(BOM) ? text.substring(BOM.length()) : text;
    }

    private boolean isBackup(Path file) {
        String name = file.getFileName().toString();
        return name.startsWith(target.getFileName() + ".") && name.endsWith(BACKUP);
    }

    /** The beginning of the name. */
    private String nameOfBackup(String installed) {
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256").digest((bom + installed).getBytes(StandardCharsets.UTF_8));
            return target.getFileName() + "." + HexFormat.of().formatHex(hash, 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Writes a backup of what was before, then the file. */
    void install(String before, String installed) throws IOException {
        try {
            int made = Math.max(missingFolders(), madeFolders());
            Files.createDirectories(target.toAbsolutePath().getParent());
            Path backup = target.resolveSibling(nameOfBackup(installed) + (made > 0 ? "-" + made : "") + BACKUP);
            write(backup, before.isEmpty() ? "" : bom + before);
            write(target, bom + installed);
            deleteBackups(backup);
        } catch (AccessDeniedException e) {
            throw new InstallException("cannot write " + path + "; check the permissions of its folder, then retry");
        }
    }

    /** Writes the file, or deletes it with the folders that were made for it if the text is null; no backup is left. */
    void uninstall(@Nullable String before) throws IOException {
        int made = madeFolders();
        if (before == null) {
            Files.deleteIfExists(target);
        } else {
            write(target, bom + before);
        }
        deleteBackups(null);
        Path folder = target.toAbsolutePath().getParent();
        for (int i = 0; before == null && folder != null && i < made; i++) {
            try {
                Files.delete(folder);
            } catch (DirectoryNotEmptyException e) {
                return;
            }
            folder = folder.getParent();
        }
    }

    private void deleteBackups(@Nullable Path except) throws IOException {
        for (Path backup : backups()) {
            if (!backup.equals(except)) {
                Files.delete(backup);
            }
        }
    }

    /** Replaces a file in one step; it keeps the permissions that it or the settings have. */
    private void write(Path file, String content) throws IOException {
        Path temporary = file.resolveSibling(
                file.getFileName() + "." + ProcessHandle.current().pid() + ".xmem-tmp");
        try {
            try (FileChannel out =
                    FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                if (Files.exists(target)) {
                    Set<PosixFilePermission> mode = Files.getPosixFilePermissions(target);
                    Files.setPosixFilePermissions(temporary, mode);
                }
                ByteBuffer bytes = ByteBuffer.wrap(content.getBytes(StandardCharsets.UTF_8));
                while (bytes.hasRemaining()) {
                    out.write(bytes);
                }
                out.force(true);
            }
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }
}
