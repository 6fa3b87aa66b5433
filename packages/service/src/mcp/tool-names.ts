import { allows, type Caller, type Scope } from '@telecine/contract/domain/client.ts';

/**
 * The scopes that each tool needs, in the order of `tools/list`. Do not change the order: models and caches rely on it.
 */
export const TOOL_SCOPES = {
  convert_media: ['jobs:write'],
  wait_for_job: ['jobs:read'],
  list_jobs: ['jobs:read'],
  cancel_job: ['jobs:write'],
  // To measure, `jobs:write` too.
  probe_media: ['jobs:read', 'files:read'],
  render_preview: ['files:read'],
  find_capability: ['jobs:read'],
  list_files: ['files:read'],
  // To make and revoke links, `files:write` too.
  file_links: ['files:read'],
  // To make and change watches, `jobs:write` and `files:read` too.
  watch_folder: ['jobs:read'],
} as const satisfies Readonly<Record<string, readonly Scope[]>>;

/** The scopes of what only some callers of a tool may do: to measure with probe_media, and to upload with file_links. */
const ACTION_SCOPES = {
  measure: [...TOOL_SCOPES.probe_media, 'jobs:write'],
  upload: [...TOOL_SCOPES.file_links, 'files:write'],
} as const satisfies Readonly<Record<string, readonly Scope[]>>;

const SCOPES = { ...TOOL_SCOPES, ...ACTION_SCOPES };

export type ToolName = keyof typeof TOOL_SCOPES;

/** Returns whether the reader of a text may call a tool. Texts name only tools that their reader may call. */
export type HasTool = (name: keyof typeof SCOPES) => boolean;

export const ALL_TOOLS: HasTool = () => true;

export const toolsOf =
  (caller: Caller): HasTool =>
  (name) =>
    SCOPES[name].every((scope) => allows(caller, scope));
