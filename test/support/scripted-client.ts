import type { Tool } from '@modelcontextprotocol/client';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { applyFix, type ToolArguments, type ToolFailure } from './apply-fix.ts';
import { mcpClient } from './mcp-client.ts';

/** What came of a wish. */
interface CompletedTask {
  /** Codes of the errors that were repaired on the way. */
  readonly repaired: readonly string[];
  /** What the last tool answered. */
  readonly answer: Readonly<Record<string, unknown>>;
  /** Where what was made can be fetched. */
  readonly links: readonly string[];
}

interface Step {
  readonly tool: string;
  readonly args: ToolArguments;
}

const MOST_STEPS = 20;
const MOST_REPAIRS = 5;

/**
 * A model without a mind: it knows what `tools/list` tells, does what answers say in `next`, and mends what errors say in
 * `fix`.
 */
export interface ScriptedClient {
  /** Calls the tool that needs an `output`, and goes on until no answer names a next call. */
  complete(wish: ToolArguments): Promise<CompletedTask>;
}

export async function scriptedClient(url: string, token: string): Promise<ScriptedClient> {
  const client = await mcpClient(url, token);
  const { tools } = await client.listTools();
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);

  function fits({ tool, args }: Step): void {
    const found = tools.find(({ name }) => name === tool);
    if (found === undefined) throw new Error(`An answer names the tool "${tool}", which is not listed`);
    const validate = ajv.compile(found.inputSchema);
    if (!validate(args)) throw new Error(`${tool} ${JSON.stringify(args)}: ${ajv.errorsText(validate.errors)}`);
  }

  async function call(first: Step) {
    const codes: string[] = [];
    for (let step = first; ; ) {
      fits(step);
      const { isError, structuredContent, content } = await client.callTool({
        name: step.tool,
        arguments: { ...step.args },
      });
      const answer = structuredContent as Readonly<Record<string, unknown>>;
      if (!isError) return { answer, content, codes };
      const fault = answer as unknown as ToolFailure;
      if (codes.length === MOST_REPAIRS) throw new Error(`Not to be repaired: ${JSON.stringify([step, fault])}`);
      step = { tool: step.tool, args: applyFix(step.args, fault) };
      codes.push(fault.code);
    }
  }

  return {
    async complete(wish) {
      const codes: string[] = [];
      let step: Step | undefined = { tool: toolThatNeeds('output', tools).name, args: wish };
      for (let steps = 0; steps < MOST_STEPS; steps += 1) {
        const made = await call(step);
        codes.push(...made.codes);
        step = nextStep(String(made.answer['next']));
        if (step !== undefined) continue;
        const links = made.content.flatMap((one) => (one.type === 'resource_link' ? one.uri : []));
        return { repaired: codes, answer: made.answer, links };
      }
      throw new Error(`Not granted in ${MOST_STEPS} steps: ${JSON.stringify(step)}`);
    },
  };
}

function toolThatNeeds(argument: string, tools: readonly Tool[]): Tool {
  const found = tools.find(({ inputSchema }) => inputSchema.required?.includes(argument));
  if (found === undefined) throw new Error(`No tool needs "${argument}"`);
  return found;
}

/** `Call wait_for_job with {"jobId": "…"}`; undefined where the text names no call. */
function nextStep(text: string): Step | undefined {
  const [, tool, args] = /\bcall (\w+) with (\{[^}]*\})/i.exec(text) ?? [];
  return tool === undefined || args === undefined ? undefined : { tool, args: JSON.parse(args) as ToolArguments };
}
