package dev.xmem.core.text.hash;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/** The name of the service behind a URL. */
final class HostNames {
    /** Second-level domains below which names are registered, such as {@code co.uk}. */
    private static final Set<String> PUBLIC = WordTables.list("second-level-domains");

    /** Domains of which each host is a service of its own. */
    private static final Set<String> PLATFORMS = WordTables.list("platform-domains");

    /** Top-level domains below which no names are registered. */
    private static final Set<String> PRIVATE = WordTables.list("private-domains");

    /** Parts of a host that name no service. */
    private static final Set<String> GENERAL = WordTables.list("general-hosts");

    /** Names of a machine, which may run any service. */
    private static final Set<String> MACHINES = WordTables.list("machine-hosts");

    private static final LiteralPattern REGION = new LiteralPattern("[a-z]{2,9}(?:-[a-z]{2,12}){1,2}-?\\d");
    private static final LiteralPattern REGION_PART =
            new LiteralPattern("^[a-z]{2}-[a-z]{2,12}-?\\d-|-[a-z]{2}-[a-z]{2,12}-\\d$");

    /** The length of the shortest name that may end with the number of a generation; {@code auth0} is a name. */
    private static final int MIN_NAME = 4;

    private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");

    /** The options of clients with the body of a request. */
    private static final Set<String> BODY = Set.of(
            "-d", "--data", "--data-raw", "--data-binary", "--data-urlencode", "--json", "-F", "--form", "--post-data");

    /** The class of an exception with its package. */
    private static final LiteralPattern EXCEPTION =
            new LiteralPattern("(?:^|[\\s:(])([A-Za-z_]\\w{1,60}(?:(?:\\.|::|\\\\)\\w{1,60}){0,9})"
                    + "(?:\\.|::|\\\\)[A-Z][\\w$]{1,80}(?=[:)(\\s]|$)");

    private static final LiteralPattern SCOPE = new LiteralPattern("\\.|::|\\\\");

    /** The package that a stack frame of Node.js is of. */
    private static final String MODULES = "node_modules/";

    /** What the names of packages begin with. */
    private static final Set<String> TOP = WordTables.list("package-tops");

    /** Organisations of many libraries, whose name is the next part of the package. */
    private static final Set<String> FAMILIES = WordTables.list("package-families");

    /** Libraries and source folders that are of no service. */
    private static final Set<String> LIBRARIES = WordTables.list("http-libraries");

    private static final Set<String> TRANSPORTS = WordTables.list("transports");
    private static final Set<String> LANGUAGES = WordTables.list("jvm-languages");
    private static final Set<String> PORTS = Set.of("80", "443", "");

    private static final Set<String> SERVICE_PORTS = WordTables.list("service-ports");
    /** An address without a port, or with that of the web. */
    private static final LiteralPattern ADDRESS =
            new LiteralPattern("https?://(?:[^/?#@]{0,255}@)?([\\w.-]{1,255})(?::(?:80|443))?(?:[/?#].*)?");

    private HostNames() {}

    /**
     * The method and the service of the request that a client of the command line sends, or null: the method is that
     * of the options, or {@code post} for a request with a body.
     */
    static @Nullable String request(List<String> words) {
        String method = "get";
        String service = null;
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            String value = i + 1 < words.size() ? words.get(i + 1) : "";
            if (word.contains("://") && !word.startsWith("-") && service == null && word.indexOf(' ') < 0) {
                service = service(word.substring(Math.max(0, word.indexOf("http"))));
            } else if (METHODS.contains(word)) {
                method = word.toLowerCase(Locale.ROOT);
            } else if (BODY.contains(word) && !value.isEmpty() && method.equals("get")) {
                method = "post";
            } else if (word.startsWith("-X") && word.length() > 2) {
                method = word.substring(2).toLowerCase(Locale.ROOT);
            } else if (word.startsWith("--method=") || word.startsWith("--request=")) {
                method = word.substring(word.indexOf('=') + 1).toLowerCase(Locale.ROOT);
            }
        }
        return service == null ? null : Slugs.kebab(method) + '-' + service;
    }

    /**
     * The request without what only its owner knows of a server: a host below a private domain has a name of the
     * owner's choice.
     */
    static String withoutOwnHost(String request, String url) {
        return isPrivate(url) && request.endsWith('-' + service(url))
                ? request.substring(0, request.length() - service(url).length()) + "host"
                : request;
    }

    /** The request without its method: what a service says of a record is one failure of all methods. */
    static String withoutMethod(String request) {
        int end = request.indexOf('-');
        boolean named = end > 0 && METHODS.contains(request.substring(0, end).toUpperCase(Locale.ROOT));
        return named ? request.substring(end + 1) : request;
    }

    /** Whether the host of an address is below a domain that is reserved for private use. */
    private static boolean isPrivate(String url) {
        Matcher address = ADDRESS.matcher(url);
        if (!address.matches()) {
            return false;
        }
        List<String> labels = List.of(address.group(1).toLowerCase(Locale.ROOT).split("\\.", -1));
        return isPrivate(labels);
    }

    private static boolean isPrivate(List<String> labels) {
        int last = labels.size() - 1;
        return last > 0
                && (PRIVATE.contains(labels.get(last)) || labels.get(last - 1).equals("example"));
    }

    /** The service that a line or the status beside it names, else the library of a frame that was kept; or null. */
    static @Nullable String named(ScoredLine line, List<ScoredLine> others) {
        String service = named(line.text);
        for (ScoredLine other : service == null ? others : List.<ScoredLine>of()) {
            boolean beside = service == null && other.rank == SalientLines.TRAILER;
            service = beside ? frame(other.text) : service;
            service = beside && service == null ? named(other.text) : service;
        }
        return service;
    }

    /** The service of the last address in a text, else the library whose exception it reports; or null. */
    private static @Nullable String named(String text) {
        int at = text.lastIndexOf("://");
        if (at < 4 || !text.startsWith("http", at - (text.charAt(at - 1) == 's' ? 5 : 4))) {
            return library(text);
        }
        String service = service(text.substring(at - 4));
        return service.isEmpty() || service.equals("host") ? null : service;
    }

    /**
     * The library of the innermost exception that is not one of a language; null if a client of any service reports the
     * failure. What transports bytes for other libraries counts if none of them is in the chain. Decision:
     * docs/adr/0097-libraries-and-reasons.md.
     */
    static @Nullable String library(List<ScoredLine> lines) {
        String transport = null;
        boolean client = false;
        for (int i = lines.size() - 1; i >= 0; i--) {
            String thrown = lines.get(i).rank > SalientLines.NOISE ? thrown(lines.get(i)) : null;
            if (thrown != null && TRANSPORTS.contains(thrown)) {
                transport = thrown;
            } else if (thrown != null && !LIBRARIES.contains(thrown)) {
                return withoutVersion(thrown);
            }
            client |= thrown != null && !TRANSPORTS.contains(thrown) && !LANGUAGES.contains(thrown);
        }
        return client ? null : transport == null ? StackFrames.library(lines) : transport;
    }

    /** The name of a library without the number of its generation, such as {@code psycopg} for {@code psycopg2}. */
    private static String withoutVersion(String name) {
        int last = name.length() - 1;
        return last > MIN_NAME && CharClasses.isDigit(name.charAt(last)) && CharClasses.isLetter(name.charAt(last - 1))
                ? name.substring(0, last)
                : name;
    }

    /** The library of the exception that a line begins with, or null. */
    private static @Nullable String thrown(ScoredLine line) {
        ExceptionClass exception = line.exception();
        if (exception == null) {
            return null;
        }
        int inner = line.text.indexOf(exception.name() + ") ");
        int open = inner < 0 ? -1 : line.text.lastIndexOf('(', inner);
        if (open >= 0) {
            return packageOf(
                    line.text.substring(open + 1, inner + exception.name().length()));
        }
        int at = line.text.indexOf(exception.name() + ':');
        return at < 0
                ? null
                : packageOf(line.text.substring(0, at + exception.name().length()));
    }

    /**
     * The library of a service whose exception a text reports, such as {@code auth0} for {@code
     * com.auth0.exception.APIException}; null for a library that sends requests to any service. Decision:
     * docs/adr/0074-services-of-libraries.md.
     */
    private static @Nullable String library(String text) {
        String name = packageOf(text);
        return name == null || LIBRARIES.contains(name) ? null : name;
    }

    /** Whether a text reports an exception of a library that sends requests to one service. */
    static boolean hasLibrary(String text) {
        return library(text) != null;
    }

    /** The library of a class with its package; empty for a language and a client of any service, null without one. */
    static @Nullable String ofClass(String name) {
        String library = packageOf(name);
        boolean none = library == null || LIBRARIES.contains(library) || TRANSPORTS.contains(library);
        return library == null ? null : none ? "" : withoutVersion(library);
    }

    /** The library of a path below a folder of libraries; empty for a client of any service. */
    static String ofFolder(String path) {
        String[] parts = path.split("/", 3);
        boolean scoped = parts[0].startsWith("@") && parts.length > 2;
        String file = parts[0].indexOf(".py") < 0 ? parts[0] : parts[0].substring(0, parts[0].indexOf(".py"));
        String name = Slugs.kebab(scoped && parts[0].indexOf('-') > 0 ? parts[1] : file);
        return LIBRARIES.contains(name) ? "" : name;
    }

    /** The part of the package of an exception that names its library; {@code java} and the like for a language. */
    private static @Nullable String packageOf(String text) {
        boolean scoped = false;
        for (int i = 1; i < text.length() && !scoped; i++) {
            char c = text.charAt(i);
            scoped = c >= 'A' && c <= 'Z' && ".:\\".indexOf(text.charAt(i - 1)) >= 0;
        }
        Matcher exception = scoped ? EXCEPTION.matcher(text) : null;
        if (exception == null || !exception.find()) {
            return null;
        }
        List<String> parts = List.of(SCOPE.pattern().split(exception.group(1), -1));
        int last = parts.size() - 1;
        int at = last > 0 && (TOP.contains(parts.get(0)) || PLATFORMS.contains(parts.get(0))) ? 1 : 0;
        at += at > 0 && at < last && PUBLIC.contains(parts.get(at)) ? 1 : 0;
        boolean php = exception.group(1).indexOf('\\') > 0;
        while ((at > 0 || php) && at < last && FAMILIES.contains(parts.get(at))) {
            at++;
        }
        int services = parts.get(at).startsWith("amazon") ? parts.indexOf("services") : last;
        at = services > 0 && services < last ? services + 1 : at;
        boolean known = LIBRARIES.contains(parts.get(0)) && !exception.group(1).equals("java.sql");
        return known ? parts.get(0) : Slugs.kebab(exception.group(1).equals("java.sql") ? "sql" : parts.get(at));
    }

    /** The library of a service whose code a stack frame is of; null for other lines and other libraries. */
    static @Nullable String frame(String text) {
        int from = text.startsWith("at ") ? text.lastIndexOf(MODULES) + MODULES.length() : 0;
        if (from < MODULES.length()) {
            return null;
        }
        String name = text.indexOf('/', from) < 0 ? "" : ofFolder(text.substring(from));
        return name.isEmpty() ? null : name;
    }

    /** Whether the first part of a private host names one of several machines, not what runs there. */
    private static boolean isMachine(String label) {
        int end = label.length();
        while (end > 0 && (CharClasses.isDigit(label.charAt(end - 1)) || label.charAt(end - 1) == '-')) {
            end--;
        }
        String name = label.substring(0, end);
        return GENERAL.contains(name) || MACHINES.contains(name) || end < label.length() && label.charAt(end) == '-';
    }

    /**
     * The service that answers a URL: the name that was registered, such as {@code stripe} for {@code
     * https://api.stripe.com}. Below a private top-level domain it is the first part of the host. Whoever starts a
     * server takes a port that is free, so a port that is not of the web makes the host {@code host}; only one that a
     * service has by default tells which service it is. A platform tells its services apart by the last part of the
     * host that is no region, or by the first part of the path. Decision:
     * docs/adr/0127-who-answered-on-private-hosts.md.
     */
    static String service(String url) {
        int from = url.indexOf("://") + 3;
        int end = from;
        while (end < url.length() && "/?#".indexOf(url.charAt(end)) < 0) {
            end++;
        }
        String authority = url.substring(url.lastIndexOf('@', end) >= from ? url.lastIndexOf('@', end) + 1 : from, end)
                .toLowerCase(Locale.ROOT);
        int colon = authority.lastIndexOf(':');
        String port = colon < 0 || authority.endsWith("]") ? "" : authority.substring(colon + 1);
        String host = colon < 0 || authority.endsWith("]") ? authority : authority.substring(0, colon);
        List<String> labels = List.of(host.split("\\.", -1));
        boolean own = isPrivate(labels);
        if (own && PORTS.contains(port)) {
            String label = labels.get(labels.size() > 2 && GENERAL.contains(labels.get(0)) ? 1 : 0);
            return isMachine(label) ? "host" : Slugs.kebab(label);
        }
        if (!PORTS.contains(port)) {
            return SERVICE_PORTS.contains(port) ? "port-" + port : "host";
        }
        int last = labels.size() - 1;
        if (last < 1 || CharClasses.isDigit(host.charAt(host.length() - 1)) || host.endsWith("]")) {
            return "host";
        }
        boolean country = labels.get(last).length() == 2 && PUBLIC.contains(labels.get(last - 1));
        String name = labels.get(country && last >= 2 ? last - 2 : last - 1);
        if (!PLATFORMS.contains(name)) {
            return Slugs.kebab(name);
        }
        String service = labels.get(0);
        for (String label : labels.subList(0, last - 1)) {
            service = REGION.matcher(label).matches() || label.equals("core") ? service : label;
        }
        service = REGION_PART.matcher(service).replaceAll("");
        if (GENERAL.contains(service) || service.equals(name)) {
            String[] path = url.substring(end).split("/", 3);
            service = path.length > 1 ? path[1] : "";
        }
        return Slugs.kebab(name + '-' + service);
    }
}
