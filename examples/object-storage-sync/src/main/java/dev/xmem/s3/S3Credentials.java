package dev.xmem.s3;

import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The keys that requests are signed with. Immutable; its text form contains none of them. */
public final class S3Credentials {
    private final String accessKey;
    private final String secretKey;
    private final @Nullable String sessionToken;

    private S3Credentials(String accessKey, String secretKey, @Nullable String sessionToken) {
        this.accessKey = header("access key", accessKey);
        this.secretKey = Objects.requireNonNull(secretKey, "secretKey");
        this.sessionToken = sessionToken == null ? null : header("session token", sessionToken);
    }

    /**
     * Creates credentials.
     *
     * @param sessionToken of temporary credentials; null for long-term ones
     * @throws IllegalArgumentException if the access key or the token cannot be sent in a header
     */
    public static S3Credentials of(String accessKey, String secretKey, @Nullable String sessionToken) {
        return new S3Credentials(accessKey, secretKey, sessionToken);
    }

    /**
     * The credentials in {@code AWS_ACCESS_KEY_ID}, {@code AWS_SECRET_ACCESS_KEY} and {@code AWS_SESSION_TOKEN}.
     *
     * @throws IllegalArgumentException if one of the first two is missing
     */
    static S3Credentials of(Map<String, String> environment) {
        String access = environment.get("AWS_ACCESS_KEY_ID");
        String secret = environment.get("AWS_SECRET_ACCESS_KEY");
        if (access == null || secret == null) {
            throw new IllegalArgumentException(
                    "there are no credentials: pass them, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
        }
        String token = environment.get("AWS_SESSION_TOKEN");
        return new S3Credentials(access, secret, token == null || token.isEmpty() ? null : token);
    }

    private static String header(String what, String value) {
        if (!value.matches("[\\x21-\\x7e]{1,8192}")) {
            throw new IllegalArgumentException("the " + what + " must consist of visible ASCII characters");
        }
        return value;
    }

    String accessKey() {
        return accessKey;
    }

    String secretKey() {
        return secretKey;
    }

    @Nullable String sessionToken() {
        return sessionToken;
    }

    @Override
    public String toString() {
        return "S3Credentials";
    }
}
