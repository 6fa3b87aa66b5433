import { allows, type Caller } from '@telecine/contract/domain/client.ts';
import { defined } from '@telecine/contract/domain/defined.ts';
import { foreignPath, hostFolder } from '@telecine/contract/domain/foreign-path.ts';
import { parseMediaPath } from '@telecine/contract/domain/media-path.ts';
import { type FieldError, invalidRequest } from '@telecine/contract/domain/problem.ts';
import { SHARE_LIMITS, type Share } from '@telecine/contract/domain/share.ts';
import { isMembers } from '@telecine/contract/domain/structured-values.ts';
import { auditedUploadLink, signUploadLink, uploadLinkBody } from '@telecine/contract/wire/links.ts';
import { cursor as cursorSchema, readCursor, writeCursor } from '@telecine/contract/wire/paging.ts';
import {
  auditedRevocation,
  auditedShare,
  newShareBody,
  parseShareId,
  shareUrl,
} from '@telecine/contract/wire/share.ts';
import { z } from 'zod';
import type { McpDeps } from '../deps.ts';
import { defineTool, type ToolContext, type ToolOutput } from '../tool.ts';

/** The links of one page of the list. */
const PAGE = 20;

/** The actions, with the arguments that each has. */
const ARGUMENTS = {
  upload: ['path', 'maxBytes', 'replace'],
  share: ['path', 'jobId', 'seconds', 'note'],
  list: ['cursor'],
  revoke: ['shareId'],
} as const;

type Action = keyof typeof ARGUMENTS;

const input = z.strictObject({
  action: z.enum(Object.keys(ARGUMENTS) as [Action, ...Action[]]),
  path: newShareBody.shape.path,
  jobId: newShareBody.shape.jobId,
  seconds: newShareBody.shape.seconds.removeDefault().exactOptional(),
  note: newShareBody.shape.note,
  maxBytes: uploadLinkBody.shape.maxBytes,
  replace: uploadLinkBody.shape.replace.removeDefault().exactOptional(),
  shareId: z.string().max(100).exactOptional(),
  cursor: cursorSchema(200),
});

type Args = z.infer<typeof input>;

const AUDITED = { upload: 'link.create', share: 'share.create', revoke: 'share.revoke' } as const;

export const fileLinksTool = defineTool({
  name: 'file_links',
  title: 'Links to upload or share files',
  description:
    '"upload" makes a URL by which the user, or your shell, uploads one file to your media root without a token: curl -T FILE ' +
    '\'URL\'. It works once and expires; then use "path" as an input. "share" makes a URL where anyone, without an account, sees and ' +
    'downloads one file, or all outputs of one job, for days: only if the user asks for it. "list" returns the shared links that ' +
    'still work, without their URLs; "revoke" ends one at once.',
  // As the operations of REST. A call without a known action may be meant to make a link.
  permissionOf: (args) => {
    const sent = isMembers(args) ? args['action'] : undefined;
    if (sent === 'list') return { scopes: [] };
    return { scopes: ['files:write'], audit: sent === 'upload' || sent === 'revoke' ? AUDITED[sent] : AUDITED.share };
  },
  // Destructive: with `replace`, anyone who has the link can replace a file. Open world: anyone can open a link.
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  input,
  argumentTexts: {
    path: 'The file, or where the upload is stored. To share, "jobId" instead.',
    jobId: '',
    seconds: 'How long a shared link works.',
    note: 'Such as who gets it.',
    maxBytes: '',
    replace: 'Whether the upload may replace a file.',
    shareId: 'To revoke.',
    cursor: '"nextCursor" of the previous page.',
  },
  check: async (args, context) => {
    await rejectArguments(args, context);
    return { warnings: [] };
  },
  run: async (args, context) => {
    await rejectArguments(args, context);
    switch (args.action) {
      case 'upload':
        return upload(args, context);
      case 'share':
        return share(args, context);
      case 'list':
        return list(args, context);
      case 'revoke':
        return revoke(args, context);
    }
  },
});

/** Rejects arguments of another action. Otherwise, a call that is meant to revoke a link could make one. */
async function rejectArguments(args: Args, { deps, call }: ToolContext): Promise<void> {
  const { action, path, shareId } = args;
  const own: readonly string[] = ['action', ...ARGUMENTS[action]];
  const errors: FieldError[] = Object.keys(args)
    .filter((name) => !own.includes(name))
    .map((name) => ({
      field: `/${name}`,
      code: 'CONFLICT',
      message: `"${name}" has no meaning with "action": "${action}".`,
    }));
  if (action === 'upload' && path === undefined)
    errors.push({
      field: '/path',
      code: 'MISSING',
      message: '"path", where the file is stored, is missing.',
    });
  if (action === 'revoke' && shareId === undefined)
    errors.push({
      field: '/shareId',
      code: 'MISSING',
      message: '"shareId" is missing. The action "list" has the ids.',
    });
  if (errors.length > 0) throw invalidRequest(errors);
  if (action === 'upload') await rejectPathOfMachine(path ?? '', deps, call.caller);
}

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

async function upload(
  { path = '', maxBytes, replace = false }: Args,
  { deps, call }: ToolContext,
): Promise<ToolOutput> {
  const made = await deps.files.newUploadLink(call.caller, path, { replace, ...defined({ maxBytes }) });
  const sign = (subject: string) => deps.links.sign(call.caller, subject, deps.linkSeconds);
  const structured = await signUploadLink(sign, call.origin, made);
  await call.audit('link.create', auditedUploadLink(made, structured));
  return { structured };
}

async function share({ path, jobId, seconds, note }: Args, { deps, call }: ToolContext): Promise<ToolOutput> {
  const { share: made, secret } = await deps.shares.create(call.caller, {
    seconds: seconds ?? SHARE_LIMITS.defaultSeconds,
    ...(path !== undefined && { path }),
    ...(jobId !== undefined && { jobId }),
    ...(note !== undefined && { note }),
  });
  await call.audit('share.create', auditedShare(made));
  const { shareId, expiresAt } = made;
  return {
    structured: {
      shareId,
      url: shareUrl(call.origin, secret),
      expiresAt,
      next: 'Give "url" to the user now: it is not shown again.',
    },
  };
}

async function list({ cursor }: Args, { deps, call }: ToolContext): Promise<ToolOutput> {
  const before = cursor === undefined ? {} : { before: readCursor(cursor) };
  // Only the links of the caller, also for an administrator. Read one more, to know whether there is a next page.
  const found = await deps.shares.list(call.caller, { client: call.caller.clientId, ...before, limit: PAGE + 1 });
  const page = found.slice(0, PAGE);
  const last = page.at(-1);
  return {
    structured: {
      shares: page.map(rowOf),
      ...(found.length > page.length && last !== undefined && { nextCursor: writeCursor(last.shareId) }),
    },
  };
}

const rowOf = ({ shareId, path, jobId, note, expiresAt, uses }: Share) => ({
  shareId,
  ...defined({ path, jobId, note }),
  expiresAt,
  uses,
});

async function revoke({ shareId: text = '' }: Args, { deps, call }: ToolContext): Promise<ToolOutput> {
  const shareId = parseShareId(text);
  await deps.shares.revoke(call.caller, shareId, (share) => call.auditRecord('share.revoke', auditedRevocation(share)));
  return { structured: { shareId, state: 'REVOKED' } };
}
