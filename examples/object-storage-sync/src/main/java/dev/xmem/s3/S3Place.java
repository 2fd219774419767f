package dev.xmem.s3;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Where a bucket is and how to connect to it: what the builder collects. */
final class S3Place {
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(5);
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(10);

    private final String bucket;
    private final Map<String, String> environment;
    private String region;
    private @Nullable URI endpoint;
    private @Nullable Boolean pathStyle;
    private @Nullable Path authority;

    S3Place(String bucket, Map<String, String> environment) {
        if (!bucket.matches("[A-Za-z0-9][A-Za-z0-9._-]{1,254}") || bucket.contains("..")) {
            throw new IllegalArgumentException("the name of a bucket has 2 to 255 letters, digits, dots, - and _");
        }
        this.bucket = bucket;
        this.environment = environment;
        String name = variable("AWS_REGION", "AWS_DEFAULT_REGION");
        this.region = name.isEmpty() ? "us-east-1" : checkedRegion(name);
        String address = variable("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL");
        if (!address.isEmpty()) {
            endpoint(parsed(address));
        }
    }

    /** The first of two variables of the environment that is set; empty if none is. */
    private String variable(String first, String second) {
        String value = environment.getOrDefault(first, "");
        return value.isEmpty() ? environment.getOrDefault(second, "") : value;
    }

    private static URI parsed(String address) {
        URI parsed = null;
        try {
            parsed = new URI(address);
        } catch (URISyntaxException e) {
            // Its message has the address, which may have a password.
        }
        if (parsed == null) {
            throw new IllegalArgumentException("AWS_ENDPOINT_URL is not an address");
        }
        return parsed;
    }

    private static String checkedRegion(String name) {
        if (!name.matches("[A-Za-z0-9-]{1,64}")) {
            throw new IllegalArgumentException("the name of a region has letters, digits and hyphens");
        }
        return name;
    }

    void region(String name) {
        region = checkedRegion(name);
    }

    void endpoint(URI address) {
        String scheme = String.valueOf(address.getScheme()).toLowerCase(Locale.ROOT);
        String path = String.valueOf(address.getRawPath());
        if (address.getHost() == null
                || address.getUserInfo() != null
                || address.getRawQuery() != null
                || !path.matches("/?")) {
            throw new IllegalArgumentException("an endpoint has a scheme, a host and perhaps a port, and nothing else");
        }
        if (!scheme.equals("https") && !(scheme.equals("http") && isThisMachine(address.getHost()))) {
            throw new IllegalArgumentException("an endpoint must begin with https: unless it is this machine");
        }
        int port = address.getPort() == (scheme.equals("https") ? 443 : 80) ? -1 : address.getPort();
        endpoint = URI.create(scheme + "://" + address.getHost() + (port < 0 ? "" : ":" + port));
    }

    /** By its name only: no look-up. */
    private static boolean isThisMachine(String host) {
        if (host.equalsIgnoreCase("localhost")) {
            return true;
        }
        try {
            return host.matches("[0-9.]+|\\[[0-9a-fA-F:]+]")
                    && InetAddress.getByName(host).isLoopbackAddress();
        } catch (IOException e) {
            return false;
        }
    }

    void pathStyle(boolean inPath) {
        pathStyle = inPath;
    }

    void tls(Path file) {
        authority = file;
    }

    /** The place of the bucket, for the style that was chosen or is the default. */
    S3Client.Place place() {
        String suffix = region.startsWith("cn-") ? ".amazonaws.com.cn" : ".amazonaws.com";
        URI base = endpoint == null ? URI.create("https://s3." + region + suffix) : endpoint;
        boolean inPath = pathStyle == null ? endpoint != null || bucket.contains(".") : pathStyle;
        if (inPath) {
            return new S3Client.Place(base, '/' + bucket);
        }
        if (!bucket.matches("[a-z0-9][a-z0-9.-]+")) {
            throw new IllegalArgumentException("the name of this bucket cannot be a host's: use the path style");
        }
        return new S3Client.Place(URI.create(base.getScheme() + "://" + bucket + '.' + base.getRawAuthority()), "");
    }

    S3Client client(@Nullable Supplier<S3Credentials> credentials) {
        Supplier<S3Credentials> keys = credentials;
        if (keys == null) {
            S3Credentials found = S3Credentials.of(environment);
            keys = () -> found;
        }
        HttpClient.Builder http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(CONNECT_LIMIT);
        if (authority != null) {
            http.sslContext(trusting(authority));
        }
        return new S3Client(http.build(), place(), region, keys, InstantSource.system(), ANSWER_LIMIT);
    }

    private static SSLContext trusting(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            int number = 0;
            for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                trusted.setCertificateEntry("authority-" + number++, each);
            }
            if (number == 0) {
                throw new IllegalArgumentException(file + " has no certificate");
            }
            TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            managers.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, managers.getTrustManagers(), null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalArgumentException("the authority in " + file + " cannot be read", e);
        }
    }
}
