package dev.xmem.benchmarks.repeat;

import dev.xmem.benchmarks.repeat.Scenario.Check;
import dev.xmem.benchmarks.repeat.Scenario.Fix;
import dev.xmem.benchmarks.repeat.Scenario.Setup;
import java.util.List;

/** The scenarios: common tools and common failures. */
final class Scenarios {
    private static final String IDENTITY = "git config user.name agent && git config user.email agent@example.org";
    private static final String COMMIT = "git add -A && git commit -qm work";

    private Scenarios() {}

    static List<Scenario> all() {
        return List.of(
                new Scenario(
                        "push a new branch",
                        List.of("git"),
                        "Publish the branch {w} of this repository.",
                        pushed("git checkout -q -b {w} && git commit -q --allow-empty -m more"),
                        pushed(
                                "git checkout -q -b {w} && git push -q -u origin {w} && git commit -q --allow-empty -m more"),
                        "git push",
                        new Fix(
                                "git push -u origin HEAD",
                                "A new branch has no upstream yet. Push it with git push -u origin HEAD.",
                                "git push -u origin HEAD"),
                        new Fix("git push --force", "It helps to git push --force here.", "git push --force"),
                        worked("git ls-remote --exit-code origin {w} && test -z \"$(git log origin/{w}..HEAD)\"")),
                new Scenario(
                        "commit without an identity",
                        List.of("git"),
                        "Commit the file {o}.txt.",
                        setup(
                                "git init -q . && echo {w} > {o}.txt && git add {o}.txt && git config user.useConfigOnly true"),
                        setup("git init -q . && " + IDENTITY + " && echo {w} > {o}.txt && git add {o}.txt"),
                        "git commit -m 'Add {o}'",
                        new Fix(
                                "git -c user.name=agent -c user.email=agent@example.org commit",
                                "This machine has no identity: git -c user.name=agent -c user.email=agent@example.org commit.",
                                "git -c user.name=agent -c user.email=agent@example.org commit -m 'Add {o}'"),
                        new Fix("git commit --amend", "Use git commit --amend.", "git commit --amend --no-edit"),
                        worked("git log --oneline")),
                new Scenario(
                        "switch with local changes",
                        List.of("git"),
                        "Switch to the branch {w}.",
                        branched("echo mine > {o}.txt"),
                        branched("true"),
                        "git checkout {w}",
                        new Fix(
                                "git stash push",
                                "Local changes are in the way: put them aside with git stash push, then check out.",
                                "git stash push -q && git checkout {w}"),
                        new Fix("git checkout -f", "Just git checkout -f to the branch.", "git checkout -f {w}"),
                        worked(
                                "test \"$(git branch --show-current)\" = {w} && { git stash list | grep -q . || ! test -e ../dirty; }")),
                new Scenario(
                        "merge unrelated histories",
                        List.of("git"),
                        "Merge the branch {w}.",
                        setup("git init -q -b main . && " + IDENTITY + " && echo a > {o}.txt && " + COMMIT
                                + " && git checkout -q --orphan {w} && git rm -qrf . && echo b > b.txt && " + COMMIT
                                + " && git checkout -q main"),
                        setup("git init -q -b main . && " + IDENTITY + " && echo a > {o}.txt && " + COMMIT
                                + " && git checkout -q -b {w} && echo b > b.txt && " + COMMIT
                                + " && git checkout -q main"),
                        "git merge --no-edit {w}",
                        new Fix(
                                "--allow-unrelated-histories",
                                "The histories have nothing in common: merge with --allow-unrelated-histories.",
                                "git merge --no-edit --allow-unrelated-histories {w}"),
                        new Fix("git merge --squash", "Use git merge --squash for that.", "git merge --squash {w}"),
                        worked(
                                "test -e b.txt && git log --oneline -1 | grep -qi merge || git merge-base --is-ancestor {w} HEAD")),
                new Scenario(
                        "pull into a diverged branch",
                        List.of("git"),
                        "Bring this clone of {w} up to date.",
                        pushed(
                                "git commit -q --allow-empty -m mine && git push -q origin HEAD && git reset -q --hard HEAD~1"
                                        + " && git commit -q --allow-empty -m local-{o} && git branch -q -u origin/main"),
                        pushed(
                                "git commit -q --allow-empty -m mine && git push -q origin HEAD && git reset -q --hard HEAD~1"
                                        + " && git branch -q -u origin/main"),
                        "git pull -q",
                        new Fix(
                                "git pull --rebase",
                                "The branches have diverged; we rebase: git pull --rebase.",
                                "git pull --rebase -q"),
                        new Fix(
                                "git reset --hard origin/main",
                                "Take what the server has: git reset --hard origin/main.",
                                "git reset -q --hard origin/main"),
                        worked(
                                "test -z \"$(git log HEAD..origin/main)\" && { git log | grep -q local-{o} || ! git reflog | grep -q local-{o}; }")),
                new Scenario(
                        "delete a branch that is not merged",
                        List.of("git"),
                        "Delete the old branch {w}.",
                        branched("git checkout -q {w} && git commit -q --allow-empty -m extra && git checkout -q main"),
                        setup("git init -q -b main . && " + IDENTITY + " && echo a > a.txt && " + COMMIT
                                + " && git branch {w}"),
                        "git branch -d {w}",
                        new Fix("git branch -D", "It may go unmerged: git branch -D.", "git branch -D {w}"),
                        new Fix("git branch -m", "Rename it with git branch -m.", "git branch -m {w} {w}-old"),
                        worked("! git rev-parse -q --verify refs/heads/{w}")),
                new Scenario(
                        "unpack into a folder",
                        List.of("tar"),
                        "Unpack {w}.tar into the folder {o}.",
                        setup("echo x > f.txt && tar -cf {w}.tar f.txt"),
                        setup("echo x > f.txt && tar -cf {w}.tar f.txt && mkdir {o}"),
                        "tar -xf {w}.tar -C {o}",
                        new Fix(
                                "mkdir -p the folder and tar",
                                "tar makes no folder for -C: mkdir -p the folder and tar again.",
                                "mkdir -p {o} && tar -xf {w}.tar -C {o}"),
                        new Fix("tar --overwrite", "Use tar --overwrite.", "tar --overwrite -xf {w}.tar -C {o}"),
                        worked("test -e {o}/f.txt")),
                new Scenario(
                        "copy into a deep folder",
                        List.of("cp", "install"),
                        "Copy {w}.txt to {o}/data/.",
                        setup("echo x > {w}.txt"),
                        setup("echo x > {w}.txt && mkdir -p {o}/data"),
                        "cp {w}.txt {o}/data/{w}.txt",
                        new Fix(
                                "install -D",
                                "cp makes no folders. Copy with install -D source target.",
                                "install -D {w}.txt {o}/data/{w}.txt"),
                        new Fix("cp -n", "cp -n is safer.", "cp -n {w}.txt {o}/data/{w}.txt"),
                        worked("test -e {o}/data/{w}.txt")),
                new Scenario(
                        "remove a folder",
                        List.of("rm"),
                        "Remove {w}.",
                        setup("mkdir {w} && echo x > {w}/a && echo keep > {o}"),
                        setup("echo x > {w} && echo keep > {o}"),
                        "rm {w}",
                        new Fix("rm -r", "It is a folder: rm -r removes it.", "rm -r {w}"),
                        new Fix("rm -f *", "rm -f * cleans up.", "rm -f *"),
                        worked("test ! -e {w} && test -e {o}")),
                new Scenario(
                        "make a nested folder",
                        List.of("mkdir"),
                        "Make the folder {w}/{o}/logs.",
                        setup("true"),
                        setup("mkdir -p {w}/{o}"),
                        "mkdir {w}/{o}/logs",
                        new Fix("mkdir -p", "Parents are missing: mkdir -p makes them too.", "mkdir -p {w}/{o}/logs"),
                        new Fix("mkdir -m 777", "Give it rights: mkdir -m 777.", "mkdir -m 777 {w}/{o}/logs"),
                        worked("test -d {w}/{o}/logs")),
                new Scenario(
                        "search a folder",
                        List.of("grep"),
                        "Find out where {o} is used in {w}.",
                        setup("mkdir {w} && echo 'use {o}' > {w}/a.txt"),
                        setup("echo 'use {o}' > {w}"),
                        "grep -n {o} {w}",
                        new Fix("grep -rn", "It is a folder: grep -rn searches it.", "grep -rn {o} {w}"),
                        new Fix("grep -z", "Use grep -z.", "grep -z {o} {w}"),
                        worked("test -e {w}")),
                new Scenario(
                        "point a link elsewhere",
                        List.of("ln"),
                        "Let the link current point to {w}.",
                        setup("mkdir {o} {w} && ln -s {o} current && ln -s {o} keep"),
                        setup("mkdir {w}"),
                        "ln -s -T {w} current",
                        new Fix("ln -sfnT", "The link is there already: ln -sfnT replaces it.", "ln -sfnT {w} current"),
                        new Fix("ln -sb", "ln -sb does it.", "ln -sb {w} {w}/current"),
                        worked("test \"$(readlink current)\" = {w}")),
                new Scenario(
                        "compress again",
                        List.of("gzip"),
                        "Compress {w}.log.",
                        setup("echo old > {w}.log && gzip -k {w}.log && echo new > {w}.log"),
                        setup("echo new > {w}.log"),
                        "gzip -k {w}.log",
                        new Fix("gzip -kf", "The old archive is in the way: gzip -kf replaces it.", "gzip -kf {w}.log"),
                        new Fix("gzip -t", "Test it with gzip -t.", "gzip -t {w}.log"),
                        worked("test \"$(gzip -dc {w}.log.gz)\" = new")),
                new Scenario(
                        "remove a folder that is not empty",
                        List.of("rmdir", "rm"),
                        "Remove the build folder {w}.",
                        setup("mkdir -p {w}/out && echo x > {w}/out/a"),
                        setup("mkdir {w}"),
                        "rmdir {w}",
                        new Fix("rm -rf the folder", "It is not empty: rm -rf the folder.", "rm -rf {w}"),
                        new Fix("rmdir -p", "rmdir -p takes parents too.", "rmdir -p {w}"),
                        worked("test ! -e {w}")),
                new Scenario(
                        "run a script that is not executable",
                        List.of("chmod"),
                        "Run {w}.sh.",
                        setup("printf '#!/bin/sh\\necho done > {o}\\n' > {w}.sh"),
                        setup("printf '#!/bin/sh\\necho done > {o}\\n' > {w}.sh && chmod +x {w}.sh"),
                        "./{w}.sh",
                        new Fix(
                                "chmod +x",
                                "Scripts come without the bit: chmod +x first.",
                                "chmod +x {w}.sh && ./{w}.sh"),
                        new Fix("sudo ./", "Try sudo ./ with it.", "exec ./{w}.sh"),
                        worked("test -e {o}")),
                new Scenario(
                        "start a program that needs its library",
                        List.of("python3"),
                        "Start {w}.py.",
                        setup(
                                "mkdir lib && echo 'x = 1' > lib/shared_tools.py && printf 'import shared_tools\\nopen(\"{o}\", \"w\").close()\\n' > {w}.py"),
                        setup("printf 'open(\"{o}\", \"w\").close()\\n' > {w}.py"),
                        "python3 {w}.py",
                        new Fix(
                                "PYTHONPATH=lib python3",
                                "The modules are in lib: start it with PYTHONPATH=lib python3.",
                                "PYTHONPATH=lib python3 {w}.py"),
                        new Fix("python3 -O", "Use python3 -O.", "python3 -O {w}.py"),
                        worked("test -e {o}")),
                new Scenario(
                        "start a server that needs its modules",
                        List.of("node"),
                        "Start {w}.js.",
                        setup(
                                "mkdir -p vendor && echo 'exports.x = 1' > vendor/common.js && printf \"require('common');require('fs').writeFileSync('{o}', '');\" > {w}.js"),
                        setup("printf \"require('fs').writeFileSync('{o}', '');\" > {w}.js"),
                        "node {w}.js",
                        new Fix(
                                "NODE_PATH=vendor node",
                                "The modules are in vendor: NODE_PATH=vendor node.",
                                "NODE_PATH=vendor node {w}.js"),
                        new Fix("node --trace-warnings", "Use node --trace-warnings.", "node --trace-warnings {w}.js"),
                        worked("test -e {o}")),
                new Scenario(
                        "read a field of every entry",
                        List.of("jq"),
                        "Print the {o} of {w}.json.",
                        setup("printf '[{\"id\":1},{\"id\":2}]' > {w}.json"),
                        setup("printf '{\"id\":1}' > {w}.json"),
                        "jq .id {w}.json",
                        new Fix("jq '.[].id'", "It is a list: jq '.[].id' reads every entry.", "jq '.[].id' {w}.json"),
                        new Fix("jq -s", "jq -s does it.", "jq -s .id {w}.json"),
                        worked("test -e {w}.json")),
                new Scenario(
                        "build with make",
                        List.of("make"),
                        "Build {w}.",
                        setup("mkdir build && printf 'all:\\n\\ttouch ../{o}\\n' > build/Makefile"),
                        setup("printf 'all:\\n\\ttouch {o}\\n' > Makefile"),
                        "make",
                        new Fix("make -C build", "The Makefile is in build: make -C build.", "make -C build"),
                        new Fix("make -k", "Go on with make -k.", "make -k"),
                        worked("test -e {o}")),
                new Scenario(
                        "replace in a path",
                        List.of("sed"),
                        "Put {o} in the place of a/b/c in {w}.txt.",
                        setup("echo a/b/c > {w}.txt"),
                        setup("echo abc > {w}.txt"),
                        "sed -i 's/a/b/c/{o}/' {w}.txt",
                        new Fix(
                                "sed -i 's|",
                                "Slashes part the command: use sed -i 's| with bars.",
                                "sed -i 's|a/b/c|{o}|' {w}.txt"),
                        new Fix("sed -n", "Look first with sed -n.", "sed -n 's/a/b/c/{o}/' {w}.txt"),
                        worked("grep -q {o} {w}.txt")),
                new Scenario(
                        "fetch a file from a host that does not exist here",
                        List.of("curl"),
                        "Fetch {o}.txt of the project {w}.",
                        setup("mkdir mirror && echo x > mirror/{o}.txt"
                                + " && echo 'url = http://files.{w}.invalid/{o}.txt' > {w}.cfg"),
                        setup("mkdir mirror && echo x > mirror/{o}.txt"
                                + " && echo \"url = file://$PWD/mirror/{o}.txt\" > {w}.cfg"),
                        "curl -sS -K {w}.cfg -o {o}.txt",
                        new Fix(
                                "curl -sS file://$PWD/mirror",
                                "The host has no name here; the files are in the mirror: curl -sS file://$PWD/mirror.",
                                "curl -sS file://$PWD/mirror/{o}.txt -o {o}.txt"),
                        new Fix("curl --retry 1", "Try curl --retry 1.", "curl --retry 1 -sS -K {w}.cfg -o {o}.txt"),
                        worked("test -e {o}.txt")),
                new Scenario(
                        "clone from a host that does not exist here",
                        List.of("git"),
                        "Clone the repository {w}.",
                        setup("git init -q --bare -b main mirror.git"),
                        setup("git init -q --bare -b main mirror.git"
                                + " && git config --global url.mirror.git.insteadOf https://git.{w}.invalid/{w}.git"),
                        "git clone -q https://git.{w}.invalid/{w}.git {o}",
                        new Fix(
                                "git clone -q mirror.git",
                                "The host has no name here: git clone -q mirror.git.",
                                "git clone -q mirror.git {o}"),
                        new Fix(
                                "git clone --depth 1",
                                "git clone --depth 1 is faster.",
                                "git clone --depth 1 -q https://git.{w}.invalid/{w}.git {o}"),
                        worked("test -d {o}/.git")));
    }

    private static Setup setup(String line) {
        return (sandbox, names) -> sandbox.prepare(Scenario.substitute(line, names));
    }

    /** Creates a clone with one commit on main, and its server. */
    private static Setup pushed(String line) {
        return setup("git init -q --bare -b main server.git && git init -q -b main . && " + IDENTITY
                + " && git remote add origin ./server.git && git commit -q --allow-empty -m first"
                + " && git push -q origin main && " + line);
    }

    /** Creates a repository with a branch on which a file differs. */
    private static Setup branched(String line) {
        return setup("git init -q -b main . && " + IDENTITY + " && echo a > {o}.txt && " + COMMIT
                + " && git checkout -q -b {w} && echo b > {o}.txt && " + COMMIT + " && git checkout -q main && "
                + line);
    }

    private static Check worked(String line) {
        return (sandbox, names) ->
                sandbox.shell(Scenario.substitute(line, names)).worked();
    }
}
