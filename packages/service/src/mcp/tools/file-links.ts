import { allows, type Caller } from '@telecine/contract/domain/client.ts';
import { foreignPath, hostFolder } from '@telecine/contract/domain/foreign-path.ts';
import { parseMediaPath } from '@telecine/contract/domain/media-path.ts';
import { invalidRequest } from '@telecine/contract/domain/problem.ts';
import { SHARE_OPERATIONS } from '@telecine/contract/wire/operations/shares.ts';
import { managedShareHandlers } from '../../files/link-handlers.ts';
import type { McpDeps } from '../deps.ts';
import { operationAction, operationTool } from './operation-tool.ts';

const { createShare, listShares, revokeShare } = SHARE_OPERATIONS;

export const fileLinksTool = operationTool({
  name: 'file_links',
  title: 'Links to upload or share files',
  description:
    '"share" makes a URL where anyone, without an account, sees and downloads one file, or all outputs of one job, for days: only if the ' +
    'user asks for it. Give it to the user at once: it is not shown again. With "files", it instead takes so many files into the folder "path": a ' +
    'page for the user, and for your shell curl -T FILE \'URL/files/\'. "list" returns the shared links that still work, without their URLs; "revoke" ends one at once.',
  // Destructive: `revoke`. Open world: anyone can open a link.
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  assumed: 'share',
  actions: {
    share: operationAction(createShare, (deps) => async (call) => {
      if (call.body.files !== undefined) await rejectPathOfMachine(call.body.path ?? '', deps, call.caller);
      return managedShareHandlers(deps.shares).createShare(call);
    }),
    list: operationAction(listShares, ({ shares }) => managedShareHandlers(shares).listShares),
    revoke: operationAction(revokeShare, ({ shares }) => managedShareHandlers(shares).revokeShare),
  },
  argumentTexts: {
    path: 'The file, or the folder for uploads. "jobId" instead: the outputs of a job.',
    jobId: '',
    seconds: 'How long a link works.',
    note: 'Such as who gets it.',
    maxBytes: '',
    files: '',
    shareId: 'To revoke.',
    client: '',
    ended: '',
    limit: '',
    cursor: '"nextCursor" of the previous page.',
  },
});

/**
 * Throws an error if a path belongs to the user's machine instead of the media root. Allows the path if the media root
 * has a folder with the same name.
 */
async function rejectPathOfMachine(path: string, { files }: Pick<McpDeps, 'files'>, caller: Caller): Promise<void> {
  const error = foreignPath(path);
  if (error !== undefined) throw invalidRequest([{ field: '/path', ...error }]);
  const stored = parseMediaPath(path, caller.root.pathPrefix);
  const folder = typeof stored === 'string' ? hostFolder(path, stored) : undefined;
  if (folder === undefined || !allows(caller, 'files:read')) return;
  const { entries } = await files.list(caller, { prefix: `${folder}/`, limit: 1 });
  if (entries.length > 0) return;
  throw invalidRequest([
    {
      field: '/path',
      code: 'FOREIGN_PATH',
      message: `${JSON.stringify(path)} looks like a path of another machine, from which the file is uploaded. "path" is where it is stored in your media root.`,
    },
  ]);
}
