import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import { MEASUREMENTS, type Measurement } from '@telecine/contract/domain/analysis.ts';
import type { Caller } from '@telecine/contract/domain/client.ts';
import { inputSchema, type ObjectSchema } from '../json-schema.ts';
import type { Tool } from '../tool.ts';
import { type HasTool, toolsOf } from '../tool-names.ts';
import { convertMediaTool } from './convert-media.ts';
import { fileLinksTool } from './file-links.ts';
import { findCapabilityTool } from './find-capability.ts';
import { cancelJobTool, listJobsTool, waitForJobTool } from './job-tools.ts';
import { listFilesTool } from './list-files.ts';
import { probeMediaTool } from './probe-media.ts';
import { renderPreviewTool } from './render-preview.ts';
import { watchFolderTool } from './watch-folder.ts';

/** All tools, in the order of `tools/list` and `TOOL_SCOPES`. */
const TOOLS: readonly Tool[] = [
  convertMediaTool,
  waitForJobTool,
  listJobsTool,
  cancelJobTool,
  probeMediaTool,
  renderPreviewTool,
  findCapabilityTool,
  listFilesTool,
  fileLinksTool,
  watchFolderTool,
];

const BY_NAME: ReadonlyMap<string, Tool> = new Map(TOOLS.map((one) => [one.name, one]));

export const findMcpTool = (name: string): Tool | undefined => BY_NAME.get(name);

/** The replies to `tools/list`, one for each set of tools. They are cached, because schemas are expensive to build. */
const lists = new Map<string, ListedTool[]>();

/**
 * Returns the reply to `tools/list`: the tools that the caller may call.
 *
 * @param measurements The measurements that the service can run, which are the only ones listed.
 */
export function listTools(caller: Caller, measurements: readonly Measurement[] = MEASUREMENTS): ListedTool[] {
  const has = toolsOf(caller);
  const shown = TOOLS.filter(({ name }) => has(name));
  const key = [...shown.map(({ name }) => name), ...measurements].join(' ');
  const list = lists.get(key) ?? shown.map((tool) => listed(tool, has, measurements));
  lists.set(key, list);
  return list;
}

/**
 * Limits the schema of an analysis to the measurements that the service can run. For other measurements, an error gives
 * the reason.
 */
function withEnum(schema: ObjectSchema, measurements: readonly Measurement[]): ObjectSchema {
  const { measure, ...properties } = schema['properties'] as Readonly<Record<string, { readonly items?: object }>>;
  const items = { ...measure?.items, enum: measurements };
  return { ...schema, properties: { ...properties, measure: { ...measure, items } } };
}

function listed(
  { name, title, description, annotations, input, argumentTexts }: Tool,
  has: HasTool,
  measurements: readonly Measurement[],
): ListedTool {
  const schema = inputSchema(input, argumentTexts);
  return {
    name,
    title,
    description: typeof description === 'string' ? description : description(has),
    inputSchema: (name === 'probe_media' ? withEnum(schema, measurements) : schema) as ListedTool['inputSchema'],
    annotations,
  };
}
