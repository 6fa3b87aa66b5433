import type { Caller } from '@telecine/contract/domain/client.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { Share } from '@telecine/contract/domain/share.ts';
import type { McpRequest } from '@telecine/contract/wire/mcp-endpoint.ts';
import { expect, test } from 'vitest';
import { mediaRoot } from '../../../../../test/support/media-root.ts';
import type { McpDeps } from '../deps.ts';
import { answerToolCall } from '../protocol/call-tool.ts';

const SHARE: Share = {
  shareId: '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e15',
  clientId: 'amy',
  path: 'out/film.mp4' as MediaPath,
  jobId: '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10',
  createdAt: '2026-01-31T12:00:00.000Z',
  expiresAt: '2026-02-07T12:00:00.000Z',
  uses: 0,
};

/** Calls the tool as a client that may share. Returns the answer, and what is in the audit log. */
async function call(args: object, wasRevoked = false) {
  const audited: unknown[] = [];
  const caller: Caller = {
    ...{ clientId: 'amy', root: mediaRoot('/media'), policy: {} },
    scopes: ['files:read', 'files:write'],
  };
  const request = { caller, auditRecord: (...record: unknown[]) => record };
  const shares = {
    list: async () => [SHARE],
    revoke: async (_caller: Caller, _shareId: string, recordOf: (share: Share) => unknown) => {
      if (!wasRevoked) audited.push(recordOf(SHARE));
      return SHARE;
    },
  };
  const answer = await answerToolCall(
    { shares } as unknown as McpDeps,
    request as unknown as McpRequest,
    { name: 'file_links', arguments: { ...args } },
    new AbortController(),
  );
  return { answer, audited };
}

test('a link to a job with one output is listed with the file and with the job', async () => {
  const { path, jobId } = SHARE;
  expect((await call({ action: 'list' })).answer).toMatchObject({ structured: { shares: [{ path, jobId }] } });
});

test.each([
  [false, [['share.revoke', { target: SHARE.shareId }]]],
  [true, []],
])('the audit log names only the client that has revoked a link: %s', async (wasRevoked, records) => {
  const { answer, audited } = await call({ action: 'revoke', shareId: SHARE.shareId }, wasRevoked);
  expect(answer).toMatchObject({ structured: { shareId: SHARE.shareId } });
  expect(audited).toMatchObject(records);
  expect(audited).toHaveLength(records.length);
});
