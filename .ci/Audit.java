import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Asks the database of OSV for known vulnerabilities of the run-time dependencies, which the SBOMs of a build name:
 * {@code java .ci/Audit.java} after {@code ./mvnw package}. Exit code 0: asked, none is known. 1: one is known. 2: the
 * database could not be asked, or there is no SBOM. The variable {@code OSV_URL} names another database, {@code
 * HTTPS_PROXY} a proxy; an argument is a folder to look for SBOMs in.
 */
final class Audit {
    private static final String OSV = "https://api.osv.dev/v1/query";
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final Pattern PURL = Pattern.compile("\"(pkg:maven/[^\"?]+)[^\"]*\"");
    private static final Pattern ID = Pattern.compile("\"id\"\\s*:\\s*\"((?:GHSA|CVE|OSV|MAL)-[^\"]+)\"");

    private Audit() {}

    public static void main(String[] args) throws InterruptedException {
        try {
            System.exit(run(Path.of(args.length == 0 ? "." : args[0])));
        } catch (IOException e) {
            System.err.println("audit: COULD NOT ASK for known vulnerabilities: " + e);
            System.exit(2);
        }
    }

    private static int run(Path folder) throws IOException, InterruptedException {
        Set<String> purls = dependencies(folder);
        if (purls.isEmpty()) {
            throw new IOException("no SBOM names a dependency; run ./mvnw package before");
        }
        HttpClient client = client();
        int known = 0;
        for (String purl : purls) {
            Set<String> ids = ask(client, purl);
            ids.forEach(id -> System.err.println("audit: " + purl + ": https://osv.dev/vulnerability/" + id));
            known += ids.size();
        }
        System.out.println("audit: asked about " + purls.size() + " run-time dependencies, " + known
                + " known vulnerabilities: " + String.join(" ", purls));
        return known == 0 ? 0 : 1;
    }

    /** The dependencies that the SBOMs of built modules name, as package URLs without qualifiers. */
    private static Set<String> dependencies(Path folder) throws IOException {
        List<Path> boms;
        try (Stream<Path> files = Files.find(
                folder, 8, (file, a) -> file.endsWith("META-INF/sbom/" + file.getFileName()) && a.isRegularFile(),
                new FileVisitOption[0])) {
            boms = files.filter(file -> file.toString().endsWith(".cdx.json")).toList();
        }
        Set<String> purls = new TreeSet<>();
        for (Path bom : boms) {
            Matcher purl = PURL.matcher(Files.readString(bom));
            while (purl.find()) {
                if (!purl.group(1).startsWith("pkg:maven/dev.xmem/")) {
                    purls.add(purl.group(1));
                }
            }
        }
        return purls;
    }

    private static HttpClient client() {
        HttpClient.Builder client = HttpClient.newBuilder().connectTimeout(LIMIT);
        String proxy = System.getenv().getOrDefault("HTTPS_PROXY", "");
        if (!proxy.isEmpty()) {
            URI address = URI.create(proxy);
            client.proxy(ProxySelector.of(new InetSocketAddress(address.getHost(), address.getPort())));
        }
        return client.build();
    }

    private static Set<String> ask(HttpClient client, String purl) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(System.getenv().getOrDefault("OSV_URL", OSV)))
                .timeout(LIMIT)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"package\":{\"purl\":\"" + purl + "\"}}"))
                .build();
        HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
        String body = response.body().strip();
        if (response.statusCode() != 200 || !body.startsWith("{")) {
            throw new IOException("the answer about " + purl + " is no answer: status " + response.statusCode());
        }
        Set<String> ids = new TreeSet<>();
        Matcher id = ID.matcher(body);
        while (id.find()) {
            ids.add(id.group(1));
        }
        if (ids.isEmpty() && body.contains("\"vulns\"")) {
            ids.add("?package=" + purl);
        }
        return ids;
    }
}
