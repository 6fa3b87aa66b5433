import type { ApiClient } from './api-client.ts';
import type { JsonRpcRequest, RewriteMessage } from './token-proxy.ts';

type Args = Readonly<Record<string, unknown>>;

/** A call of a tool. */
interface Call {
  readonly name: string;
  readonly arguments: Args;
}

/** A film that is encoded at once, and one that takes long enough to be cancelled. */
const film = (seconds: number, size: string, preset: string): Args => ({
  inputs: [{ source: `testsrc2=s=${size}:r=25`, duration: String(seconds) }],
  parameters: { 'c:v': 'libx264', preset },
});
const SHORT = film(1, '160x90', 'ultrafast');
const LONG = film(12, '640x360', 'veryslow');
/** Long enough for several reports of progress. */
const MIDDLING = film(60, '320x180', 'medium');
/** A call that always has the same result. */
const CONSTANT: Call = { name: 'find_capability', arguments: { name: 'gif' } };

/** A film that is shorter than this for the suite is encoded at once. The suite cancels longer ones. */
const LONG_SECONDS = 5;

let outputs = 0;
const nextOutput = (): string => `conformance/${++outputs}.mp4`;

/** The tools of the suite's example server, each as a call that does the same here. */
const TOOLS: Readonly<Record<string, (args: Args, admin: ApiClient) => Call | Promise<Call>>> = {
  test_simple_text: () => CONSTANT,
  greet: () => CONSTANT,
  test_error_handling: () => ({ name: 'probe_media', arguments: { input: 'there-is-no-such-file.mp4' } }),
  test_tool_with_progress: async (_args, admin) => ({
    name: 'wait_for_job',
    arguments: { jobId: await admin.accept({ ...MIDDLING, output: nextOutput() }), timeoutSeconds: 8 },
  }),
  slow_compute: ({ seconds }) => ({
    name: 'convert_media',
    arguments: { ...(Number(seconds) < LONG_SECONDS ? SHORT : LONG), output: nextOutput() },
  }),
  // A missing input may be on its way, so the job is accepted.
  failing_job: () => ({
    name: 'convert_media',
    arguments: { input: 'there-is-no-such-file.mp4', output: nextOutput() },
  }),
};

const RESOURCES: Readonly<Record<string, string>> = { 'test://static-text': 'media://capabilities/formats' };

/** The prompts of the suite's server, and the names of their arguments here. */
const PROMPTS: Readonly<
  Record<string, { readonly name: string; readonly arguments: Readonly<Record<string, string>> }>
> = {
  test_simple_prompt: { name: 'convert_for_web', arguments: {} },
  test_prompt_with_arguments: { name: 'convert_for_web', arguments: { arg1: 'input', arg2: 'output' } },
};

/**
 * Rewrites the names of the suite's example server to those of Telecine that do the same: the suite calls tools, prompts and
 * resources that only its own server has. The results are not changed.
 */
export const suiteNames =
  (admin: ApiClient): RewriteMessage =>
  async (message) => {
    const { method, params = {} } = message;
    const renamed = (changes: Args): JsonRpcRequest => ({ ...message, params: { ...params, ...changes } });
    if (method === 'tools/call') {
      const call = await TOOLS[String(params['name'])]?.((params['arguments'] ?? {}) as Args, admin);
      return call === undefined ? message : renamed({ ...call });
    }
    if (method === 'resources/read') {
      const uri = RESOURCES[String(params['uri'])];
      return uri === undefined ? message : renamed({ uri });
    }
    if (method === 'prompts/get') {
      const prompt = PROMPTS[String(params['name'])];
      if (prompt === undefined) return message;
      const own = Object.entries((params['arguments'] ?? {}) as Args).map(([name, value]) => [
        prompt.arguments[name] ?? name,
        value,
      ]);
      return renamed({ name: prompt.name, arguments: { input: 'in.mp4', ...Object.fromEntries(own) } });
    }
    if (method === 'completion/complete') {
      const { ref, argument } = params as { readonly ref?: Args; readonly argument?: Args };
      const prompt = PROMPTS[String(ref?.['name'])];
      const name = prompt?.arguments[String(argument?.['name'])];
      return prompt === undefined || name === undefined
        ? message
        : renamed({ ref: { ...ref, name: prompt.name }, argument: { ...argument, name } });
    }
    return message;
  };
