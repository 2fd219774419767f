// OpenCode plugin of xmem: after a tool call it appends what the memory knows to the result. # xmem install
import { spawn } from "node:child_process"

const HOOK = "@HOOK@"
const STORE = "@STORE@"

/** Runs the hook with an event; any trouble is silence. */
const ask = (event: object): Promise<string> =>
  new Promise((resolve) => {
    let text = ""
    const hook = spawn(HOOK, [STORE, "--agent", "opencode"], { stdio: ["pipe", "pipe", "ignore"], timeout: 10_000 })
    hook.on("error", () => resolve(""))
    hook.on("close", () => resolve(text.trim()))
    hook.stdin.on("error", () => {})
    hook.stdout.on("data", (chunk) => (text += chunk))
    hook.stdin.end(JSON.stringify(event))
  })

export const Xmem = async () => ({
  "tool.execute.after": async (input: any, output: any) => {
    const { output: text, metadata } = output ?? {}
    if (typeof text !== "string") return
    const advice = await ask({
      hook_event_name: "tool.execute.after",
      session_id: input.sessionID,
      tool_name: input.tool,
      tool_input: input.args ?? {},
      tool_response: { output: text, exit_code: metadata?.exit },
    })
    if (advice) output.output = `${text}\n\n${advice}`
  },
})
