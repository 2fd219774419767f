#!/usr/bin/env node
// Finds Java 17 or newer and xmem.jar, and runs it with the same arguments, streams, signals and exit code.
'use strict';
const { spawn, spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

const jar = [process.env.XMEM_JAR, path.join(__dirname, 'xmem.jar')].find((file) => file && fs.existsSync(file));
if (!jar) {
  console.error('xmem: there is no xmem.jar beside this script; set XMEM_JAR to its path');
  process.exit(2);
}

function version(java) {
  const said = spawnSync(java, ['-version'], { encoding: 'utf8' });
  const found = said.error ? null : /version "(?:1\.)?(\d+)/.exec(said.stderr + said.stdout);
  return found ? Number(found[1]) : 0;
}

const folders = [process.env.XMEM_JAVA_HOME, process.env.JAVA_HOME].filter(Boolean);
for (const base of ['/usr/lib/jvm', '/Library/Java/JavaVirtualMachines']) {
  if (fs.existsSync(base)) {
    for (const name of fs.readdirSync(base).sort().reverse()) {
      folders.push(path.join(base, name), path.join(base, name, 'Contents', 'Home'));
    }
  }
}
const candidates = folders.slice(0, 2).map((home) => path.join(home, 'bin', 'java'));
candidates.push('java', ...folders.slice(2).map((home) => path.join(home, 'bin', 'java')));
const java = candidates.find((each) => (each === 'java' || fs.existsSync(each)) && version(each) >= 17);
if (!java) {
  console.error('xmem: Java 17 or newer is needed; set JAVA_HOME to it, or XMEM_JAVA_HOME for xmem alone');
  process.exit(2);
}

const archive = path.join(path.dirname(jar), 'xmem.jsa');
const options = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-Xshare:auto'];
if (fs.existsSync(archive)) {
  options.push('-XX:SharedArchiveFile=' + archive);
}
const child = spawn(java, [...options, '-jar', jar, ...process.argv.slice(2)], { stdio: 'inherit' });
for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) {
  process.on(signal, () => {
    if (signal !== 'SIGINT') child.kill(signal); // a terminal sends SIGINT to the child itself
  });
}
child.on('exit', (code, signal) => process.exit(code === null ? 128 + require('node:os').constants.signals[signal] : code));
