import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import { inputSchema, outputSchema } from '../json-schema.ts';
import type { Tool } from '../tool.ts';
import { cancelJob } from './cancel-job.ts';
import { convertMedia } from './convert-media.ts';
import { describeCapabilities } from './describe-capabilities.ts';
import { getJob } from './get-job.ts';
import { listJobs } from './list-jobs.ts';
import { probeMedia } from './probe-media.ts';
import { waitForJob } from './wait-for-job.ts';

/** In the order in which clients are told of them, which stays as it is: models and caches rely on it. */
const TOOLS: readonly Tool[] = [
  convertMedia,
  waitForJob,
  getJob,
  listJobs,
  cancelJob,
  probeMedia,
  describeCapabilities,
];

const BY_NAME: ReadonlyMap<string, Tool> = new Map(TOOLS.map((one) => [one.name, one]));

export const findMcpTool = (name: string): Tool | undefined => BY_NAME.get(name);

export const TOOL_NAMES: readonly string[] = [...BY_NAME.keys()];

/** As `tools/list` tells them. */
export const LISTED_TOOLS: ListedTool[] = TOOLS.map(({ name, title, description, annotations, input, output }) => ({
  name,
  title,
  description,
  inputSchema: inputSchema(input) as ListedTool['inputSchema'],
  outputSchema: outputSchema(output) as NonNullable<ListedTool['outputSchema']>,
  annotations: { title, ...annotations },
}));
