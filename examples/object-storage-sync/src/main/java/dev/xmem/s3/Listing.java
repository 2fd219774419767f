package dev.xmem.s3;

import java.io.IOException;
import java.io.StringReader;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * A page of objects, from an answer in XML. Answers are not trusted: a document type declaration, or an entity that is
 * not one of XML's five, ends the reading, and nothing is ever fetched for one.
 *
 * @param next where the next page begins; null if this is the last one
 */
record Listing(List<Item> items, @Nullable String next) {
    private static final int MAX_ITEMS = 10_000;
    private static final int MAX_CODE_BYTES = 65536;

    /** An object: its key, its entity tag without quotes, and when it was written. */
    record Item(String key, String tag, Instant modified) {}

    /** Reads the answer to {@code ListObjectsV2} with {@code encoding-type=url}. */
    static Listing parse(byte[] xml) throws IOException {
        List<Item> items = new ArrayList<>();
        String next = null;
        boolean truncated = false;
        String key = "";
        String tag = "";
        String modified = "";
        try {
            XMLStreamReader in = reader(xml);
            while (in.hasNext()) {
                int event = next(in);
                if (event == XMLStreamConstants.START_ELEMENT) {
                    switch (in.getLocalName()) {
                        case "Key" -> key = in.getElementText();
                        case "ETag" -> tag = in.getElementText();
                        case "LastModified" -> modified = in.getElementText();
                        case "IsTruncated" ->
                            truncated = in.getElementText().strip().equals("true");
                        case "NextContinuationToken" -> next = in.getElementText();
                        default -> {}
                    }
                } else if (event == XMLStreamConstants.END_ELEMENT
                        && in.getLocalName().equals("Contents")) {
                    items.add(new Item(decoded(key), unquoted(tag), time(modified)));
                    key = "";
                    tag = "";
                    modified = "";
                }
                if (items.size() > MAX_ITEMS) {
                    throw new IOException("the object store lists more than " + MAX_ITEMS + " objects at once");
                }
            }
        } catch (XMLStreamException | IllegalArgumentException e) {
            throw new IOException("the object store answers a listing with malformed XML", e);
        }
        if (truncated && (next == null || next.isEmpty())) {
            throw new IOException("the object store ends a listing early and does not say where it goes on");
        }
        return new Listing(items, truncated ? next : null);
    }

    /** The code in an error document; empty if there is none. */
    static String errorCode(byte[] xml) {
        if (xml.length == 0 || xml.length > MAX_CODE_BYTES) {
            return "";
        }
        try {
            XMLStreamReader in = reader(xml);
            while (in.hasNext()) {
                if (next(in) == XMLStreamConstants.START_ELEMENT
                        && in.getLocalName().equals("Code")) {
                    String code = in.getElementText().strip();
                    return code.matches("[A-Za-z0-9.]{1,64}") ? code : "";
                }
            }
        } catch (XMLStreamException e) {
            // an answer of a proxy, not of the store
        }
        return "";
    }

    private static XMLStreamReader reader(byte[] xml) throws XMLStreamException {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_COALESCING, true);
        // As text: of malformed bytes the JDK's reader complains on the standard error output.
        return factory.createXMLStreamReader(new StringReader(new String(xml, StandardCharsets.UTF_8)));
    }

    private static int next(XMLStreamReader in) throws XMLStreamException {
        int event = in.next();
        if (event == XMLStreamConstants.DTD || event == XMLStreamConstants.ENTITY_REFERENCE) {
            throw new XMLStreamException("a document type declaration");
        }
        return event;
    }

    private static String decoded(String key) {
        return URLDecoder.decode(key, StandardCharsets.UTF_8);
    }

    /** An entity tag without its quotes, which not every server sends in every place. */
    static String unquoted(String tag) {
        return tag.strip().replace("\"", "");
    }

    private static Instant time(String text) {
        try {
            return Instant.parse(text.strip());
        } catch (DateTimeException e) {
            return Instant.MAX; // never old
        }
    }
}
