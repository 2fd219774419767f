package dev.xmem.quickstart;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A mistake that is made twice, on Monday and on Tuesday, with different names.
 *
 * @param lesson the fix that a person records on Monday
 */
record Scenario(String tag, String lesson, Attempt monday, Attempt tuesday) {

    /**
     * One command.
     *
     * @param files the files in its directory, text by name
     */
    record Attempt(List<String> command, Map<String, String> files) {
        static Attempt of(String... command) {
            return new Attempt(List.of(command), Map.of());
        }

        Attempt file(String name, String text) {
            return new Attempt(command, Map.of(name, text));
        }

        /** Runs the command in a new directory. */
        CommandRunner.Result run(Path folder) throws IOException, InterruptedException {
            Files.createDirectories(folder);
            for (Map.Entry<String, String> file : files.entrySet()) {
                Files.writeString(folder.resolve(file.getKey()), file.getValue());
            }
            return new CommandRunner(folder).run(command);
        }

        @Override
        public String toString() {
            return String.join(" ", command);
        }
    }

    String tool() {
        return monday.command().get(0);
    }

    static List<Scenario> all() {
        return List.of(
                new Scenario(
                        "classpath",
                        "Give javac the jar that has the package: -cp 'lib/*'.",
                        Attempt.of("javac", "-d", "out", "Invoice.java")
                                .file("Invoice.java", "import com.acme.billing.Customer;\nclass Invoice {}\n"),
                        Attempt.of("javac", "-d", "build/classes", "Order.java")
                                .file("Order.java", "\n\nimport org.shop.tax.Rate;\nclass Order {}\n")),
                new Scenario(
                        "classpath",
                        "Build first, and point -cp at the folder above the packages, not at the class itself.",
                        Attempt.of("java", "-cp", "out", "com.acme.billing.Main"),
                        Attempt.of("java", "-cp", "build/classes", "org.shop.Server")),
                new Scenario(
                        "packaging",
                        "The jar is only there after mvn package; look into target/ for its name.",
                        Attempt.of("jar", "tf", "invoice.jar"),
                        Attempt.of("jar", "tf", "target/shop-2.1.jar")),
                new Scenario(
                        "repository",
                        "The checkout is one folder up: run git there, or with git -C.",
                        Attempt.of("git", "log", "--oneline"),
                        Attempt.of("git", "log", "-3", "--stat")),
                new Scenario(
                        "permissions",
                        "Fresh scripts are not executable: chmod +x, then git update-index --chmod=+x.",
                        Attempt.of("sh", "-c", "./deploy.sh").file("deploy.sh", "echo deployed\n"),
                        Attempt.of("sh", "-c", "./deploy.sh --dry-run shop").file("deploy.sh", "echo $2 deployed\n")),
                new Scenario(
                        "virtualenv",
                        "The packages are in the project's own environment: . .venv/bin/activate first.",
                        Attempt.of("python3", "report.py").file("report.py", "import acme_billing\n"),
                        Attempt.of("python3", "stock.py").file("stock.py", "x = 1\nimport shop_inventory\n")),
                new Scenario(
                        "dependencies",
                        "node_modules is missing in a fresh checkout: npm ci before the first start.",
                        Attempt.of("node", "server.js").file("server.js", "require('acme-billing');\n"),
                        Attempt.of("node", "worker.js").file("worker.js", "\nrequire('shop-queue');\n")),
                new Scenario(
                        "scripts",
                        "Scripts are listed in package.json; the site is built by npm run build.",
                        Attempt.of("npm", "run", "site").file("package.json", "{\"name\": \"invoice\"}\n"),
                        Attempt.of("npm", "run", "docs").file("package.json", "{\"name\": \"shop\"}\n")),
                new Scenario(
                        "headers",
                        "Install the -dev package of the library, or add its folder with -I.",
                        Attempt.of("gcc", "-c", "invoice.c").file("invoice.c", "#include <acme/billing.h>\n"),
                        Attempt.of("gcc", "-c", "stock.c").file("stock.c", "\n#include <shop/queue.h>\n")),
                new Scenario(
                        "archive",
                        "Download the release first: make fetch puts it into dist/.",
                        Attempt.of("tar", "-xf", "invoice-1.0.tar"),
                        Attempt.of("tar", "-xf", "dist/shop-2.1.tar")),
                new Scenario(
                        "export",
                        "The nightly job writes that file at 02:00; fall back to yesterday's.",
                        Attempt.of("curl", "-sSf", "file:///nowhere/invoices.csv"),
                        Attempt.of("curl", "-sSf", "file:///nowhere/else/stock.csv")));
    }
}
