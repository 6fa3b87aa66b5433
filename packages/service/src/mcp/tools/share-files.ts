import { defined } from '@telecine/contract/domain/defined.ts';
import { leaveOut } from '@telecine/contract/domain/edit.ts';
import { type FieldError, invalidRequest } from '@telecine/contract/domain/problem.ts';
import type { Share } from '@telecine/contract/domain/share.ts';
import { isMembers } from '@telecine/contract/domain/structured-values.ts';
import { cursor as cursorSchema, readCursor, writeCursor } from '@telecine/contract/wire/paging.ts';
import {
  auditedRevocation,
  auditedShare,
  newShareBody,
  parseShareId,
  shareUrl,
} from '@telecine/contract/wire/share.ts';
import { z } from 'zod';
import { UNTRUSTED_NOTE } from '../results/job-summary.ts';
import { defineTool, type ToolContext, type ToolOutput } from '../tool.ts';

/** The links of one page of the list. */
const PAGE = 20;

const input = newShareBody.extend({
  action: z.enum(['create', 'list', 'revoke']).default('create'),
  shareId: z.string().max(100).exactOptional(),
  cursor: cursorSchema(200),
});

export const shareFilesTool = defineTool({
  name: 'share_files',
  title: 'Share files by a link',
  description:
    'Makes a URL where anyone, without an account, sees and downloads one file, or all outputs of one job: for people, for days. ' +
    'Only if the user asks for it. "list" returns the links that still work, without their URLs; "revoke" ends one at once.',
  // As the operations of REST.
  permissionOf: (args) => {
    const action = isMembers(args) ? args['action'] : undefined;
    if (action === 'list') return { scopes: [] };
    return { scopes: ['files:write'], audit: action === 'revoke' ? 'share.revoke' : 'share.create' };
  },
  // Destructive: a link that is revoked cannot be restored. Open world: anyone can open a link.
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  input,
  argumentTexts: {
    path: 'The file. Or send "jobId".',
    jobId: '',
    seconds: 'How long it works.',
    note: 'Such as who gets it.',
    shareId: 'For "revoke".',
    cursor: 'For "list": "nextCursor" of the previous page.',
  },
  output: z.object({
    shareId: z.string().optional(),
    url: z.string().optional(),
    shares: z.array(z.object({ shareId: z.string() })).optional(),
    nextCursor: z.string().optional(),
  }),
  run: async (args, context) => {
    rejectMixed(args);
    switch (args.action) {
      case 'create':
        return create(args, context);
      case 'list':
        return list(args, context);
      default:
        return revoke(args, context);
    }
  },
});

type Args = z.infer<typeof input>;

/** Rejects arguments of another action. Otherwise, a call that is meant to revoke a link could make one. */
function rejectMixed({ action, shareId, path, jobId }: Args): void {
  const errors: FieldError[] = [];
  if (action === 'revoke' && shareId === undefined)
    errors.push({
      field: '/shareId',
      code: 'MISSING',
      message: 'The id of the link to revoke is missing.',
      fix: 'Send "shareId". For the ids, call share_files with {"action": "list"}.',
    });
  if (action === 'create' && shareId !== undefined)
    errors.push({
      field: '/shareId',
      code: 'CONFLICT',
      message: 'A new link gets its own id, and "shareId" names a link that exists.',
      fix: 'To end that link, send "action": "revoke". For a new link, leave "shareId" out.',
    });
  for (const [name, value] of Object.entries({ path, jobId }))
    if (action !== 'create' && value !== undefined)
      errors.push({
        field: `/${name}`,
        code: 'CONFLICT',
        message: `"${name}" is only for a new link, and "action" is "${action}".`,
        fix: leaveOut(),
      });
  if (errors.length > 0) throw invalidRequest(errors);
}

async function create({ path, jobId, seconds, note }: Args, { deps, call }: ToolContext): Promise<ToolOutput> {
  const { share, secret } = await deps.shares.create(call.caller, {
    seconds,
    ...(path !== undefined && { path }),
    ...(jobId !== undefined && { jobId }),
    ...(note !== undefined && { note }),
  });
  await call.audit('share.create', auditedShare(share));
  const { shareId, expiresAt } = share;
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
      note: UNTRUSTED_NOTE,
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
  return { structured: { shareId, next: 'The link opens nothing any more.' } };
}
