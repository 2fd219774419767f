// Uses a server with the official TypeScript client: node client.mjs URL TOKEN, or node client.mjs COMMAND ARGUMENT…
import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [first, ...rest] = process.argv.slice(2);
const transport = first.startsWith("http")
  ? new StreamableHTTPClientTransport(new URL(first), {
      requestInit: { headers: { Authorization: `Bearer ${rest[0]}` } },
    })
  : new StdioClientTransport({ command: first, args: rest });
const client = new Client({ name: "xmem-test", version: "1" });
await client.connect(transport);

const { tools } = await client.listTools();
assert.equal(tools.length, 7);
const failure = {
  tool: "git",
  action: "push origin feature/x",
  error: "fatal: The current branch feature/x has no upstream branch.",
};
// The client checks structured content against the output schemas.
const recorded = await client.callTool({
  name: "record_failure",
  arguments: { ...failure, pattern_avoid: "git push -u origin HEAD", exit_code: 128 },
});
assert.ok(recorded.structuredContent.id);

// Progress: at least one notification before the result, never falling.
const progress = [];
const recalled = await client.callTool({ name: "recall", arguments: failure }, undefined, {
  onprogress: (update) => progress.push(update.progress),
});
assert.match(recalled.content[0].text, /git push -u origin HEAD/);
assert.ok(progress.length > 0);
assert.deepEqual(progress, [...progress].sort((a, b) => a - b));

// Cancellation: calls that are aborted fail here, and what follows them is answered.
const aborted = [];
for (let i = 0; i < 50; i++) {
  const controller = new AbortController();
  const call = client.callTool({ name: "search", arguments: { query: `tool=git ${i}` } }, undefined, {
    signal: controller.signal,
  });
  aborted.push(call.then(() => "answered", () => "aborted"));
  controller.abort("not needed");
}
await client.ping();
assert.deepEqual(new Set(await Promise.all(aborted)), new Set(["aborted"]));
const after = await client.callTool({ name: "search", arguments: { query: "tool=git" } });
assert.equal(after.structuredContent.matches[0].id, recorded.structuredContent.id);

const unknown = await client.callTool({ name: "recall", arguments: { acton: "push" } });
assert.ok(unknown.isError);
assert.match(unknown.content[0].text, /acton/);
// A request that is too long is refused at once, not left to the client's own time limit.
const long = client.callTool({ name: "record_failure", arguments: { ...failure, error: "x\n".repeat(1500000) } });
await assert.rejects(long, (refused) => !/timed out/i.test(refused.message) && /too (long|large)|413|4 MiB|bytes/i.test(refused.message));
const { resources } = await client.listResources();
for (const { uri } of resources) {
  const { contents } = await client.readResource({ uri });
  JSON.parse(contents[0].text);
}
const entry = await client.readResource({ uri: `xmem://entry/${recorded.structuredContent.id}` });
assert.equal(JSON.parse(entry.contents[0].text).tool, "git");
const { prompts } = await client.listPrompts();
assert.deepEqual(new Set(prompts.map((prompt) => prompt.name)), new Set(["load", "recall"]));
const prompt = await client.getPrompt({ name: "load", arguments: { query: "tool=git" } });
assert.match(prompt.messages[0].content.text, /git push -u origin HEAD/);

if (transport.terminateSession) {
  await transport.terminateSession();
}
await client.close();
console.log("ok");
