package dev.xmem.s3;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * The published values: the test suite of Signature Version 4, and the examples of "Signature Calculations for the
 * Authorization Header" in the API reference of Amazon S3.
 */
class RequestSignerTest {
    private static final String EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    private static String suite(String method, String path, Map<String, String> query, Map<String, String> headers) {
        SortedMap<String, String> signed = new TreeMap<>(headers);
        signed.put("host", "example.amazonaws.com");
        signed.put("x-amz-date", "20150830T123600Z");
        return new RequestSigner("us-east-1", "service")
                .authorization(
                        S3Credentials.of("AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", null),
                        method,
                        path,
                        query,
                        signed,
                        EMPTY);
    }

    @Test
    void suite_vanilla() {
        String begin = "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request,"
                + " SignedHeaders=host;x-amz-date, Signature=";
        assertThat(suite("GET", "/", Map.of(), Map.of()))
                .isEqualTo(begin + "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31");
        assertThat(suite("POST", "/", Map.of(), Map.of()))
                .isEqualTo(begin + "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b");
        assertThat(suite("GET", "/", Map.of("Param2", "value2", "Param1", "value1"), Map.of()))
                .as("get-vanilla-query-order-key-case")
                .isEqualTo(begin + "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500");
        assertThat(suite(
                        "GET",
                        "/-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
                        Map.of(),
                        Map.of()))
                .as("get-unreserved")
                .isEqualTo(begin + "07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f");
    }

    @Test
    void suite_headers() {
        assertThat(suite("GET", "/", Map.of(), Map.of("my-header1", " value1", "my-header2", "\"a   b   c\"")))
                .as("get-header-value-trim")
                .endsWith("SignedHeaders=host;my-header1;my-header2;x-amz-date,"
                        + " Signature=acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736");
        assertThat(suite("POST", "/", Map.of(), Map.of("my-header1", "  value1  ")))
                .endsWith("Signature=c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c");
        String token = "AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfI"
                + "eoIYRqTflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5V"
                + "SXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8"
                + "fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA==";
        assertThat(suite("POST", "/", Map.of(), Map.of("x-amz-security-token", token)))
                .as("post-sts-header-before")
                .endsWith("SignedHeaders=host;x-amz-date;x-amz-security-token,"
                        + " Signature=85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead");
    }

    private static String s3(
            String method, String path, Map<String, String> query, Map<String, String> headers, String body) {
        String hash = RequestSigner.sha256(body.getBytes(StandardCharsets.UTF_8));
        SortedMap<String, String> signed = new TreeMap<>(headers);
        signed.put("host", "examplebucket.s3.amazonaws.com");
        signed.put("x-amz-date", "20130524T000000Z");
        signed.put("x-amz-content-sha256", hash);
        String authorization = new RequestSigner("us-east-1", "s3")
                .authorization(
                        S3Credentials.of("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", null),
                        method,
                        path,
                        query,
                        signed,
                        hash);
        assertThat(authorization).contains("Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request");
        return authorization.substring(authorization.indexOf("Signature=") + "Signature=".length());
    }

    @Test
    void s3_examplesOfTheReference() {
        assertThat(s3("GET", "/test.txt", Map.of(), Map.of("range", "bytes=0-9"), ""))
                .isEqualTo("f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
        assertThat(s3(
                        "PUT",
                        "/test$file.text",
                        Map.of(),
                        Map.of("date", "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class", "REDUCED_REDUNDANCY"),
                        "Welcome to Amazon S3."))
                .isEqualTo("98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd");
        assertThat(s3("GET", "/", Map.of("lifecycle", ""), Map.of(), ""))
                .isEqualTo("fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543");
        assertThat(s3("GET", "/", Map.of("prefix", "J", "max-keys", "2"), Map.of(), ""))
                .isEqualTo("34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7");
    }
}
