package dev.xmem.hooks;

/**
 * What the hook command does for an event.
 *
 * @param exitCode 0, or another code if the agent's dialect needs it
 * @param out the text for standard output; empty if there is none
 * @param err the text for standard error; empty if there is none
 */
record HookAnswer(int exitCode, String out, String err) {
    static final HookAnswer SILENT = new HookAnswer(0, "", "");

    static HookAnswer out(String text) {
        return text.isEmpty() ? SILENT : new HookAnswer(0, text + '\n', "");
    }

    static HookAnswer error(String message) {
        return new HookAnswer(0, "", "xmem: " + message + '\n');
    }
}
