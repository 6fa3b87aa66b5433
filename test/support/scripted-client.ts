import type { Tool } from '@modelcontextprotocol/client';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { JobSummary } from '../../packages/service/src/mcp/results/job-summary.ts';
import { applyFix, type ToolArguments, type ToolFailure } from './apply-fix.ts';
import { mcpClient, resultOf } from './mcp-client.ts';

/** The result of a task. */
interface CompletedTask {
  /** Codes of the errors that the client corrected. */
  readonly repaired: readonly string[];
  /** The structured content of the last reply. */
  readonly answer: Readonly<Record<string, unknown>>;
  /** Download links of the outputs. */
  readonly links: readonly string[];
}

interface Step {
  readonly tool: string;
  readonly args: ToolArguments;
}

const MAX_STEPS = 20;
const MOST_REPAIRS = 5;

/**
 * An MCP client without a model. It knows only `tools/list`, makes the calls that replies name in `next`, and corrects
 * errors by their `fix`.
 */
export interface ScriptedClient {
  /** Calls the tool that requires an `output`, then follows `next` until a reply names no call. */
  complete(task: ToolArguments): Promise<CompletedTask>;
}

export async function scriptedClient(url: string, token: string): Promise<ScriptedClient> {
  const client = await mcpClient(url, token);
  const { tools } = await client.listTools();
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);

  function fits({ tool, args }: Step): void {
    const found = tools.find(({ name }) => name === tool);
    if (found === undefined) throw new Error(`A reply names the tool "${tool}", which tools/list does not`);
    const validate = ajv.compile(found.inputSchema);
    if (!validate(args)) throw new Error(`${tool} ${JSON.stringify(args)}: ${ajv.errorsText(validate.errors)}`);
  }

  async function call(first: Step) {
    const codes: string[] = [];
    for (let step = first; ; ) {
      fits(step);
      const result = await client.callTool({ name: step.tool, arguments: { ...step.args } });
      if (!result.isError) return { answer: resultOf<Readonly<Record<string, unknown>>>(result), codes };
      const fault = resultOf<ToolFailure>(result);
      if (codes.length === MOST_REPAIRS) throw new Error(`Too many corrections: ${JSON.stringify([step, fault])}`);
      step = { tool: step.tool, args: applyFix(step.args, fault) };
      codes.push(fault.code);
    }
  }

  return {
    async complete(task) {
      const codes: string[] = [];
      let step: Step | undefined = { tool: toolWith('output', tools).name, args: task };
      for (let steps = 0; steps < MAX_STEPS; steps += 1) {
        const result = await call(step);
        codes.push(...result.codes);
        step = nextStep(String(result.answer['next']));
        if (step !== undefined) continue;
        const { outputs = [] } = result.answer as Pick<JobSummary, 'outputs'>;
        const links = outputs.flatMap(({ url }) => url ?? []);
        return { repaired: codes, answer: result.answer, links };
      }
      throw new Error(`Not complete after ${MAX_STEPS} steps: ${JSON.stringify(step)}`);
    },
  };
}

function toolWith(argument: string, tools: readonly Tool[]): Tool {
  const found = tools.find(({ inputSchema }) => Object.hasOwn(inputSchema.properties ?? {}, argument));
  if (found === undefined) throw new Error(`No tool has the argument "${argument}"`);
  return found;
}

/** Parses `Call wait_for_job with {"jobId": "…"}`. undefined: the text names no call. */
export function nextStep(text: string): Step | undefined {
  const [, tool, args] = /\bcall (\w+) with (\{[^}]*\})/i.exec(text) ?? [];
  return tool === undefined || args === undefined ? undefined : { tool, args: JSON.parse(args) as ToolArguments };
}
