// Written by `mayi hook opencode --install`. Before each tool is used it asks
// mayi, and throws unless mayi allows it: a throw is what keeps a tool from
// running. It imports nothing that has to be installed.
import { spawn } from "node:child_process"

const mayi = ["mayi", "hook", "opencode"]

function ask(payload) {
  return new Promise((resolve, reject) => {
    const child = spawn(mayi[0], mayi.slice(1), { cwd: payload.cwd, stdio: ["pipe", "ignore", "pipe"] })
    let says = ""
    child.on("error", (error) => reject(new Error(`mayi: could not be run: ${error.message}`)))
    child.stdin.on("error", () => {}) // it may end before it has read all
    child.stderr.on("data", (data) => (says += data))
    child.on("close", (code) => (code === 0 ? resolve() : reject(new Error(says.trim() || "mayi: not allowed"))))
    child.stdin.end(JSON.stringify(payload))
  })
}

export const Mayi = async ({ directory }) => ({
  "tool.execute.before": async (input, output) => {
    await ask({
      hook_event_name: "tool.execute.before",
      session_id: input.sessionID,
      call_id: input.callID,
      cwd: directory,
      tool_name: input.tool,
      tool_input: output.args ?? {},
    })
  },
})
