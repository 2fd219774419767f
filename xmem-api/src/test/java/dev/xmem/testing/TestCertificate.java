package dev.xmem.testing;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A certificate for tests of TLS, signed by itself, so that it is its own authority. Made by the JDK's keytool. */
public final class TestCertificate {
    private static final String PASSWORD = "changeit";

    private final KeyStore store;
    private final Path folder;

    private TestCertificate(KeyStore store, Path folder) {
        this.store = store;
        this.folder = folder;
    }

    /**
     * Makes a certificate.
     *
     * @param folder an empty folder for its files
     * @param names what it is for, as keytool writes it: {@code dns:localhost,ip:127.0.0.1}
     */
    public static TestCertificate create(Path folder, String names) throws Exception {
        Files.createDirectories(folder);
        Path file = folder.resolve("server.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "server",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=xmem test",
                        "-ext",
                        "san=" + names,
                        "-validity",
                        "2",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD,
                        "-keystore",
                        file.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (keytool.waitFor() != 0) {
            throw new IOException("keytool: " + said);
        }
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD.toCharArray());
        }
        return new TestCertificate(store, folder);
    }

    /** The certificate in a file in PEM form. */
    public Path certificate() throws IOException, GeneralSecurityException {
        return write("server.crt", "CERTIFICATE", store.getCertificate("server").getEncoded());
    }

    /** The private key in a file in PEM form, which only the user can read. */
    public Path key() throws IOException, GeneralSecurityException {
        Path file = write(
                "server.key",
                "PRIVATE KEY",
                store.getKey("server", PASSWORD.toCharArray()).getEncoded());
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    private Path write(String name, String type, byte[] bytes) throws IOException {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        return Files.writeString(
                folder.resolve(name), "-----BEGIN " + type + "-----\n" + text + "\n-----END " + type + "-----\n");
    }

    /** A context for a server with this certificate. */
    public SSLContext server() throws GeneralSecurityException {
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return context;
    }
}
