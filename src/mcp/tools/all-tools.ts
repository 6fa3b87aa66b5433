import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import { allows, type Caller } from '../../domain/client.ts';
import { inputSchema, outputSchema } from '../json-schema.ts';
import type { Tool } from '../tool.ts';
import { cancelJobTool } from './cancel-job.ts';
import { convertMediaTool } from './convert-media.ts';
import { describeCapabilitiesTool } from './describe-capabilities.ts';
import { getJobTool } from './get-job.ts';
import { listFilesTool } from './list-files.ts';
import { listJobsTool } from './list-jobs.ts';
import { probeMediaTool } from './probe-media.ts';
import { waitForJobTool } from './wait-for-job.ts';

/** The tools in the order of `tools/list`. Keep the order: models and caches rely on it. */
const TOOLS: readonly Tool[] = [
  convertMediaTool,
  waitForJobTool,
  getJobTool,
  listJobsTool,
  cancelJobTool,
  probeMediaTool,
  describeCapabilitiesTool,
  listFilesTool,
];

const BY_NAME: ReadonlyMap<string, Tool> = new Map(TOOLS.map((one) => [one.name, one]));

export const findMcpTool = (name: string): Tool | undefined => BY_NAME.get(name);

const LISTED: readonly (readonly [Tool, ListedTool])[] = TOOLS.map((tool) => [tool, listed(tool)]);

/** The reply to `tools/list`: the tools that the caller may call. */
export const listTools = (caller: Caller): ListedTool[] =>
  LISTED.filter(([{ scopes }]) => scopes.every((scope) => allows(caller, scope))).map(([, shown]) => shown);

function listed({ name, title, description, annotations, input, argumentTexts, output }: Tool): ListedTool {
  return {
    name,
    title,
    description,
    inputSchema: inputSchema(input, argumentTexts) as ListedTool['inputSchema'],
    outputSchema: outputSchema(output) as NonNullable<ListedTool['outputSchema']>,
    annotations,
  };
}
