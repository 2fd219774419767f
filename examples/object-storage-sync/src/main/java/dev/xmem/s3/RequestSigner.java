package dev.xmem.s3;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs requests with Signature Version 4 in a header ("Authenticating Requests: Using the Authorization Header" in the
 * API reference of Amazon S3). As S3 wants it, a path is encoded once and not normalised.
 */
final class RequestSigner {
    private static final String ALGORITHM = "AWS4-HMAC-SHA256";
    private static final String UNRESERVED = "-._~";
    private static final int DATE_CHARS = 8;

    private final String region;
    private final String service;

    RequestSigner(String region, String service) {
        this.region = region;
        this.service = service;
    }

    /**
     * The value of the header {@code Authorization}.
     *
     * @param path the path, not encoded
     * @param query the parameters, not encoded
     * @param headers all headers to sign by their lower-case names, {@code host} and {@code x-amz-date} among them
     * @param payloadHash {@link #sha256} of the body
     */
    String authorization(
            S3Credentials credentials,
            String method,
            String path,
            Map<String, String> query,
            SortedMap<String, String> headers,
            String payloadHash) {
        String time = String.valueOf(headers.get("x-amz-date"));
        String date = time.substring(0, DATE_CHARS);
        String signed = String.join(";", headers.keySet());
        String canonical = method
                + '\n'
                + encode(path, true)
                + '\n'
                + query(query)
                + '\n'
                + headers.entrySet().stream()
                        .map(header -> header.getKey()
                                + ':'
                                + header.getValue().strip().replaceAll(" +", " ")
                                + '\n')
                        .collect(Collectors.joining())
                + '\n'
                + signed
                + '\n'
                + payloadHash;
        String scope = date + '/' + region + '/' + service + "/aws4_request";
        String toSign = ALGORITHM + '\n' + time + '\n' + scope + '\n' + sha256(utf8(canonical));
        byte[] key = utf8("AWS4" + credentials.secretKey());
        for (String part : new String[] {date, region, service, "aws4_request"}) {
            key = hmac(key, part);
        }
        return ALGORITHM + " Credential=" + credentials.accessKey() + '/' + scope + ", SignedHeaders=" + signed
                + ", Signature=" + HexFormat.of().formatHex(hmac(key, toSign));
    }

    /** Parameters as they are sent and signed: encoded, in order of their names. */
    static String query(Map<String, String> parameters) {
        SortedMap<String, String> encoded = new TreeMap<>();
        parameters.forEach((name, value) -> encoded.put(encode(name, false), encode(value, false)));
        return encoded.entrySet().stream()
                .map(parameter -> parameter.getKey() + '=' + parameter.getValue())
                .collect(Collectors.joining("&"));
    }

    /** Percent-encodes every byte of the UTF-8 form but the unreserved ones of RFC 3986, and slashes on request. */
    static String encode(String text, boolean keepSlash) {
        StringBuilder out = new StringBuilder(text.length());
        for (byte b : utf8(text)) {
            char c = (char) (b & 0xff);
            boolean letter = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
            if (letter || UNRESERVED.indexOf(c) >= 0 || keepSlash && c == '/') {
                out.append(c);
            } else {
                out.append('%').append(HexFormat.of().withUpperCase().toHexDigits(b));
            }
        }
        return out.toString();
    }

    /** The SHA-256 of bytes, in lower-case hexadecimal digits. */
    static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private static byte[] hmac(byte[] key, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(utf8(text));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has HmacSHA256", e);
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
