package dev.xmem.benchmarks;

import dev.xmem.spi.ContextHash;
import java.util.List;

/**
 * A template for failures or successes. In {@code action} and {@code message}, <code>{s}</code> stands for the
 * subject and <code>{c}</code> for a code. A template with a code yields one context hash per code.
 */
record Template(String tool, String operation, String pattern, String action, String message) {
    static List<Template> failures() {
        return parse("""
                git|push|no-upstream|push origin feature/{s}|fatal: The current branch feature/{s} has no upstream branch.
                npm|install|etimedout|install {s}|npm ERR! network request to https://registry.npmjs.org/{s} failed, reason: connect ETIMEDOUT 104.16.0.35:443
                tsc|check|ts{c}|--noEmit -p packages/{s}|packages/{s}/src/index.ts(42,13): error TS{c}: Type 'string | undefined' is not assignable to type 'string'.
                git|push|rejected-non-fast-forward|push origin {s}|error: failed to push some refs to 'git@github.com:acme/{s}.git' (non-fast-forward)
                pytest|test|fixture-not-found|tests/test_{s}.py -q|E       fixture 'client_{s}' not found
                docker|build|failed-to-compute-cache-key|build -t {s}:latest .|ERROR: failed to solve: failed to compute cache key: "/{s}/package.json": not found
                rclone|sync|config-not-found|sync {s}:folder /local/path|Failed to create file system: didn't find section in config file ("{s}")
                psql|connect|connection-refused|-h {s} -U app -c 'select 1'|psql: error: connection to server at "{s}" (10.0.0.12), port 5432 failed: Connection refused
                cargo|build|e{c}|build -p {s}|error[E{c}]: borrow of moved value: `{s}` in crate {s}
                bash|run|command-not-found|-c '{s} --version'|bash: line 1: {s}: command not found
                kubectl|apply|forbidden|apply -f deploy/{s}.yaml|Error from server (Forbidden): deployments.apps "{s}" is forbidden: User "ci" cannot patch resource
                pip|install|no-matching-distribution|install {s}==9.{c}|ERROR: No matching distribution found for {s}==9.{c}
                eslint|check|no-unused-vars|packages/{s}|packages/{s}/src/main.js  17:9  error  '{s}' is assigned a value but never used  no-unused-vars
                curl|get|could-not-resolve-host|-fsS https://{s}.internal/health|curl: (6) Could not resolve host: {s}.internal
                mvn|build|artifact-not-found|-pl {s} package|[ERROR] Could not find artifact com.acme:{s}:jar:1.{c} in central (https://repo.maven.apache.org/maven2)
                terraform|apply|state-locked|apply -target=module.{s}|Error: Error acquiring the state lock: ConditionalCheckFailedException for module.{s}
                node|run|module-not-found|scripts/{s}.js|Error: Cannot find module './lib/{s}' imported from scripts/{s}.js
                ssh|connect|permission-denied|deploy@{s} uptime|deploy@{s}: Permission denied (publickey).
                aws|s3|access-denied|s3 cp build.zip s3://{s}/|upload failed: build.zip to s3://{s}/build.zip An error occurred (AccessDenied) when calling the PutObject operation
                go|build|undefined|build ./cmd/{s}|cmd/{s}/main.go:{c}:14: undefined: {s}Config
                make|run|no-rule|{s}|make: *** No rule to make target '{s}'.  Stop.
                gradle|build|could-not-resolve|:{s}:build|> Could not resolve com.acme:{s}:2.{c}.
                docker|run|port-already-allocated|run -p 8{c}:80 {s}|docker: Error response from daemon: endpoint {s}: Bind for 0.0.0.0:8{c} failed: port is already allocated.
                python|run|importerror|-m jobs.{s}|ImportError: cannot import name '{s}' from 'jobs.core' (/srv/app/jobs/core.py)
                gh|pr|not-mergeable|pr merge --squash {s}|X Pull request {s} is not mergeable: the base branch policy prohibits the merge.
                sed|run|no-such-file|-i s/a/b/ config/{s}.yaml|sed: can't read config/{s}.yaml: No such file or directory
                helm|upgrade|another-operation|upgrade {s} charts/{s}|Error: UPGRADE FAILED: another operation (install/upgrade/rollback) is in progress for {s}
                redis-cli|connect|econnrefused|-h {s} ping|Could not connect to Redis at {s}:6379: Connection refused
                ruff|check|f{c}|check src/{s}|src/{s}/api.py:{c}:5: F{c} `{s}` imported but unused
                javac|build|cannot-find-symbol|-d out src/{s}.java|src/{s}.java:{c}: error: cannot find symbol class {s}
                """);
    }

    static List<Template> successes() {
        return parse("""
                git|commit|heredoc|commit -F -|Atomic commit with Co-Authored-By
                bash|run|heredoc-escape-quotes|-c|Heredoc: escape quotes
                npm|install|offline-first|ci --prefer-offline|Install {s} from the local cache first
                docker|build|cache-from|build --cache-from|Layered build of {s} with a warm cache
                pytest|test|last-failed|--lf -x|Run what failed last in {s} first
                kubectl|rollout|rollout-status|rollout status|Wait for the rollout of {s} instead of sleeping
                psql|migrate|single-transaction|-1 -f|Migrate {s} in one transaction
                rclone|sync|dry-run|sync --dry-run|Dry run before a sync of {s}
                """);
    }

    private static List<Template> parse(String table) {
        return table.lines()
                .map(line -> line.split("\\|", 5))
                .map(cells -> new Template(cells[0], cells[1], cells[2], cells[3], cells[4]))
                .toList();
    }

    ContextHash hash(String code) {
        return ContextHash.of(tool, operation, substitute(pattern, "", code));
    }

    String action(String subject, String code) {
        return substitute(action, subject, code);
    }

    String message(String subject, String code) {
        return substitute(message, subject, code);
    }

    private static String substitute(String text, String subject, String code) {
        return text.replace("{s}", subject).replace("{c}", code);
    }
}
