// OpenCode plugin of xmem: after a tool call it appends what the memory knows to the result. # xmem install
import { spawn } from "node:child_process"

const HOOK = "xmem-hook"
const STORE = ".xmem-store"

/** Runs the hook with an event and returns its output; any trouble is silence. */
const ask = (event) =>
  new Promise((resolve) => {
    let text = ""
    const hook = spawn(HOOK, [STORE, "--agent", "opencode"], { stdio: ["pipe", "pipe", "ignore"], timeout: 10_000 })
    hook.on("error", () => resolve(""))
    hook.on("close", () => resolve(text.trim()))
    hook.stdin.on("error", () => {})
    hook.stdout.setEncoding("utf8").on("data", (chunk) => (text += chunk))
    hook.stdin.end(JSON.stringify(event))
  })

export const Xmem = async () => ({
  "tool.execute.after": async ({ tool, sessionID, callID, args }, result) => {
    if (typeof result?.output !== "string") return
    const tool_response = { output: result.output, exit_code: result.metadata?.exit }
    const call = { session_id: sessionID, tool_use_id: callID, tool_name: tool, tool_input: args ?? {}, tool_response }
    const advice = await ask({ hook_event_name: "tool.execute.after", ...call })
    if (advice) result.output += `\n\n${advice}`
  },
})
