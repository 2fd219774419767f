package dev.xmem.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ListingTest {
    private static Listing parse(String xml) throws IOException {
        return Listing.parse(xml.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void parse_page_itemsAndContinuation() throws IOException {
        Listing page =
                parse("<?xml version=\"1.0\"?><ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
                        + "<Name>b</Name><Prefix>a%2F</Prefix><IsTruncated>true</IsTruncated>"
                        + "<Contents><Key>a/b%20c%00+d</Key><LastModified>2009-10-12T17:50:30.000Z</LastModified>"
                        + "<ETag>&quot;fba9dede5f27731c9771645a39863328&quot;</ETag><Owner><ID>x</ID></Owner>"
                        + "</Contents>"
                        + "<Contents><Key>e</Key></Contents>"
                        + "<NextContinuationToken>1ueGcxLPRx1Tr/XYExHnhbYLgveDs2J</NextContinuationToken>"
                        + "</ListBucketResult>");
        assertThat(page.items()).hasSize(2);
        assertThat(page.items().get(0))
                .isEqualTo(new Listing.Item(
                        "a/b c\0 d", "fba9dede5f27731c9771645a39863328", Instant.parse("2009-10-12T17:50:30Z")));
        assertThat(page.items().get(1)).isEqualTo(new Listing.Item("e", "", Instant.MAX));
        assertThat(page.next()).isEqualTo("1ueGcxLPRx1Tr/XYExHnhbYLgveDs2J");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "not XML",
                "<ListBucketResult><Contents><Key>a</Key>",
                "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>",
                "<ListBucketResult><Contents><Key>%zz</Key></Contents></ListBucketResult>",
                "<!DOCTYPE a><ListBucketResult/>",
                "<ListBucketResult><Contents><Key>&unknown;</Key></Contents></ListBucketResult>",
                "<!DOCTYPE l [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">]>"
                        + "<ListBucketResult><Contents><Key>&b;</Key></Contents></ListBucketResult>"
            })
    @Timeout(20)
    void parse_malformedOrWithEntities_refused(String xml) {
        assertThatThrownBy(() -> parse(xml)).isInstanceOf(IOException.class).hasMessageContaining("listing");
    }

    @Test
    void parse_malformedBytes_areReplaced() throws IOException {
        byte[] xml = "<l><Contents><Key>?</Key></Contents></l>".getBytes(StandardCharsets.US_ASCII);
        xml[18] = (byte) 0xff;
        assertThat(Listing.parse(xml).items()).extracting(Listing.Item::key).containsExactly("\ufffd");
    }

    @Test
    void parse_externalEntity_isNotRead(@TempDir Path folder) throws IOException {
        Path secret = Files.writeString(folder.resolve("secret"), "Rumpelstilzchen");
        String xml = "<!DOCTYPE l [<!ENTITY x SYSTEM \"" + secret.toUri() + "\">]>"
                + "<ListBucketResult><Contents><Key>&x;</Key></Contents></ListBucketResult>";
        assertThatThrownBy(() -> parse(xml)).isInstanceOf(IOException.class);
        assertThat(Listing.errorCode(xml.replace("Key", "Code").getBytes(StandardCharsets.UTF_8)))
                .isEmpty();
    }

    @Test
    void errorCode_onlyAWord() {
        assertThat(Listing.errorCode("<Error><Code>SlowDown</Code></Error>".getBytes(StandardCharsets.UTF_8)))
                .isEqualTo("SlowDown");
        for (String other :
                new String[] {"", "<html>502</html>", "<Error><Code>a secret</Code></Error>", "<Error><Co"}) {
            assertThat(Listing.errorCode(other.getBytes(StandardCharsets.UTF_8)))
                    .isEmpty();
        }
    }
}
