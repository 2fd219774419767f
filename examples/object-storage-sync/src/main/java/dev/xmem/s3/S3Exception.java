package dev.xmem.s3;

import java.io.IOException;

/**
 * The object store refused a request, or answers in a way that this backend cannot work with. The message names the
 * request and what to do; it contains no credentials, no signature and no text of the server but its error code.
 */
public final class S3Exception extends IOException {
    private static final long serialVersionUID = 1L;

    /** The code of a store that takes conditional writes for unconditional ones. */
    static final String NO_CONDITIONS = "ConditionalWritesIgnored";

    /** The code of a server whose certificate is not trusted, or is another host's. */
    static final String UNTRUSTED = "CertificateNotTrusted";

    /** The codes of an answer that is longer than it may be, and of one that is not as long as it must be. */
    static final String TOO_LONG = "AnswerTooLong";

    static final String WRONG_LENGTH = "WrongLength";

    /** The code of a store that sends no entity tags. */
    static final String NO_TAG = "NoEntityTag";

    private final int status;
    private final String code;

    S3Exception(int status, String code, String message) {
        super(message);
        this.status = status;
        this.code = code;
    }

    /** Returns the HTTP status; 0 if the server was not asked. */
    public int status() {
        return status;
    }

    /**
     * Returns the error code of the protocol, such as {@code AccessDenied}, {@code NoSuchBucket}, {@code SlowDown},
     * {@code SignatureDoesNotMatch} or {@code RequestTimeTooSkewed}; empty if the server named none. This
     * program's own are {@code ConditionalWritesIgnored}, {@code NoEntityTag}, {@code CertificateNotTrusted},
     * {@code AnswerTooLong} and {@code WrongLength}.
     */
    public String code() {
        return code;
    }
}
