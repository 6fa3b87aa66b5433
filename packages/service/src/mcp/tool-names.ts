import { allows, type Caller, type Scope } from '@telecine/contract/domain/client.ts';

/**
 * The scopes that each tool needs, in the order of `tools/list`. Do not change the order: models and caches rely on it.
 */
export const TOOL_SCOPES = {
  convert_media: ['jobs:write'],
  wait_for_job: ['jobs:read'],
  get_job: ['jobs:read'],
  list_jobs: ['jobs:read'],
  cancel_job: ['jobs:write'],
  probe_media: ['jobs:read', 'files:read'],
  describe_capabilities: ['jobs:read'],
  list_files: ['files:read'],
  create_upload_link: ['files:write'],
  find_recipe: ['jobs:read'],
  analyze_media: ['jobs:write', 'files:read'],
  render_preview: ['files:read'],
  // To create and revoke links, `files:write` too.
  share_files: ['files:read'],
  // To make and change watches, `jobs:write` and `files:read` too.
  watch_folder: ['jobs:read'],
} as const satisfies Readonly<Record<string, readonly Scope[]>>;

export type ToolName = keyof typeof TOOL_SCOPES;

/** Returns whether the reader of a text may call a tool. Texts name only tools that their reader may call. */
export type HasTool = (name: ToolName) => boolean;

export const ALL_TOOLS: HasTool = () => true;

export const toolsOf =
  (caller: Caller): HasTool =>
  (name) =>
    TOOL_SCOPES[name].every((scope) => allows(caller, scope));
