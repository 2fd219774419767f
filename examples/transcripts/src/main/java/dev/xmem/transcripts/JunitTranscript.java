package dev.xmem.transcripts;

import dev.xmem.ToolCall;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import javax.xml.XMLConstants;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * A report of tests in JUnit's XML form, {@code TEST-*.xml}. A failed test is a failed call of the build tool that the
 * place of the report tells. Document types and external entities are not read. Last verified on 2026-11-23 with
 * reports of Maven Surefire 3 and Gradle 8.
 */
final class JunitTranscript extends CollectedTranscript {
    private static final Set<String> FAILED = Set.of("failure", "error");
    private static final int MAX_TEXT_CHARS = 1 << 16;

    private final XMLStreamReader xml;
    private final Runner runner;
    private String test = "";
    private String type = "";
    private @Nullable StringBuilder text;
    private int number;

    /** How a test is run on its own. */
    enum Runner {
        MAVEN("mvn", "test -Dtest=", "#"),
        GRADLE("gradle", "test --tests ", "."),
        UNKNOWN("junit", "", ".");

        private final String tool;
        private final String action;
        private final String separator;

        Runner(String tool, String action, String separator) {
            this.tool = tool;
            this.action = action;
            this.separator = separator;
        }

        static Runner of(String path) {
            if (path.contains("surefire-reports") || path.contains("failsafe-reports")) {
                return MAVEN;
            }
            return path.contains("test-results") ? GRADLE : UNKNOWN;
        }
    }

    JunitTranscript(InputStream in, Runner runner, CallCollector calls) throws IOException {
        super(calls, in);
        this.runner = runner;
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLConstants.ACCESS_EXTERNAL_DTD, "");
        try {
            // a reader replaces malformed bytes; the parser would print what it thinks of them
            this.xml = factory.createXMLStreamReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        } catch (XMLStreamException e) {
            in.close();
            throw new IOException("not XML: " + e.getMessage(), e);
        }
    }

    @Override
    boolean advance() {
        try {
            if (xml.hasNext()) {
                event(xml.next());
                return true;
            }
        } catch (XMLStreamException | RuntimeException e) {
            calls.counts.malformed++;
        }
        return false;
    }

    private void event(int event) {
        if (event == XMLStreamConstants.START_ELEMENT) {
            begin(xml.getLocalName());
        } else if (event == XMLStreamConstants.END_ELEMENT && text != null && FAILED.contains(xml.getLocalName())) {
            failed(text.toString());
            text = null;
        } else if (text != null
                && (event == XMLStreamConstants.CHARACTERS || event == XMLStreamConstants.CDATA)
                && text.length() < MAX_TEXT_CHARS) {
            int most = Math.min(xml.getTextLength(), MAX_TEXT_CHARS - text.length());
            text.append(xml.getTextCharacters(), xml.getTextStart(), most);
        }
    }

    private void begin(String element) {
        if (element.equals("testsuite")) {
            calls.at(attribute("timestamp"));
        } else if (element.equals("testcase")) {
            calls.counts.lines++;
            number++;
            String type = attribute("classname");
            String method = attribute("name").replaceFirst("[({\\[].*", "");
            test = type.isEmpty() ? method : type + runner.separator + method;
        } else if (FAILED.contains(element)) {
            type = attribute("type");
            String message = attribute("message");
            text = new StringBuilder(message.length() > MAX_TEXT_CHARS ? "" : message).append('\n');
        }
    }

    private String attribute(String name) {
        String value = xml.getAttributeValue(null, name);
        return value == null ? "" : value;
    }

    private void failed(String body) {
        String error = body.contains(type) ? body.strip() : type + ": " + body.strip();
        String id = calls.session + '@' + calls.now + '#' + number;
        calls.failure(id, ToolCall.of(runner.tool, runner.action + test), error, null);
    }
}
