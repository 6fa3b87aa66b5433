// @module-tag long
import { expect } from 'vitest';
import type { DryRunView } from '../../packages/contract/src/wire/dry-run.ts';
import type { JobSummary } from '../../packages/service/src/mcp/results/job-summary.ts';
import { commonServer } from '../support/common-server.ts';
import { callTool, mcpClient } from '../support/mcp-client.ts';
import { putClip } from '../support/media.ts';
import { needs } from '../support/needs.ts';

const start = commonServer();

const KEY = '76a6c65c5ea762046bd749a2e632ccbb';

const encrypted = (output: string, key: string, more = {}) => ({
  input: 'movie.mp4',
  output,
  parameters: {
    ...more,
    c: 'copy',
    encryption_scheme: 'cenc-aes-ctr',
    encryption_key: key,
    encryption_kid: 'a7e61c373e219033c21091fa607bf3b8',
  },
});

needs('ffmpeg')('no log and no view of a job contains an encryption key', async () => {
  const { own, server } = await start();
  await putClip(server.mediaRoot, '480p', 1, 'movie.mp4');
  const done = await own.run(encrypted('done.mp4', KEY));
  expect(done).toMatchObject({ status: 'COMPLETED', parameters: { c: 'copy', encryption_key: '(hidden)' } });
  const failed = await own.run(encrypted('failed.mp4', KEY, { map: '0:7' }));
  expect(failed).toMatchObject({ status: 'FAILED' });
  const texts = await Promise.all([
    ...[done, failed].map(({ jobId }) => own.log(jobId)),
    own.request('/api/conversion').then(({ body }) => JSON.stringify(body)),
  ]);
  texts.push(JSON.stringify(done), JSON.stringify(failed), server.log());
  expect(texts.at(-1)).toContain(failed.jobId);
  for (const text of texts) {
    expect(text).not.toContain(KEY);
  }
  // The stored request is whole: another attempt uses the key.
  const { body } = await own.request<{ jobId: string }>(`/api/conversion/${done.jobId}/retry`, { method: 'POST' });
  expect(await own.wait(body.jobId)).toMatchObject({ error: { code: 'OUTPUT_EXISTS' } });
});

const [LOWER, UPPER] = ['zzzzc65c5ea762046bd749a2e632ccbb', 'ZZZZC65C5EA762046BD749A2E632CCBB'];

const decrypting = (parameters: object) => ({
  inputs: [{ input: 'movie.mp4', parameters }],
  parameters: { c: 'copy' },
});

/** Requests with secrets that nothing uses or that ffmpeg ignores, and what must be shown nowhere. */
const REQUESTS: readonly (readonly [what: string, request: object, ...secrets: string[]])[] = [
  ['a key that nothing uses', { input: 'movie.mp4', parameters: { c: 'copy', encryption_key: KEY } }, KEY],
  ['the key of an input', decrypting({ decryption_key: KEY }), KEY],
  ['bytes of an input', decrypting({ activation_bytes: '9f1122ff' }), '9f1122ff'],
  ['a key of a stream', decrypting({ cryptokey: KEY }), KEY],
  ['a password', decrypting({ password: 'open sesame' }), 'open sesame'],
];

/** Requests that are rejected because of a secret. */
const REJECTED: readonly (readonly [what: string, request: object, secret: string])[] = [
  ['a key in upper case', encrypted('', UPPER), 'zzzzc65c'],
  ['a key with 0x', encrypted('', `0x${LOWER}`), LOWER],
  ['a key that is too long for a line of the log', encrypted('', LOWER.repeat(60)), 'zzzzc65c'],
  ['the key of an input', decrypting({ decryption_key: LOWER }), LOWER],
  ['bytes of an input', decrypting({ activation_bytes: 'zz1122ff' }), 'zz1122ff'],
  ['a key of a stream', decrypting({ cryptokey: LOWER }), LOWER],
];

needs('ffmpeg')('no error and no log shows a key that is rejected', async () => {
  const { own, server } = await start();
  const mcp = await mcpClient(server.url, own.token);
  for (const [index, [what, request, secret]] of REJECTED.entries()) {
    const body = { ...request, output: `${index}.mp4` };
    const replies = [
      await own.request('/api/conversion', { body }),
      await own.request('/api/conversion?dryRun=true', { body }),
    ];
    expect(replies, what).toMatchObject([{ status: 400 }, { status: 400 }]);
    const tool = await mcp.callTool({ name: 'convert_media', arguments: body });
    expect(tool, what).toMatchObject({ isError: true });
    const texts = JSON.stringify([replies.map((reply) => reply.body), tool, server.log()]).toLowerCase();
    expect(texts, what).not.toContain(secret.toLowerCase());
  }
});

needs('ffmpeg')('no reply and no log shows a secret that ffmpeg ignores', async () => {
  const { own, server } = await start();
  await putClip(server.mediaRoot, '480p', 1, 'movie.mp4');
  const mcp = await mcpClient(server.url, own.token);
  for (const [index, [what, request, ...secrets]] of REQUESTS.entries()) {
    const body = { ...request, output: `${index}.mp4` };
    const dryRun = await own.request<DryRunView>('/api/conversion?dryRun=true', { body });
    expect(dryRun, what).toMatchObject({ status: 200 });
    const planned = await callTool(mcp, 'convert_media', { ...body, dryRun: true });
    const jobId = await own.accept(body);
    const accepted = await own.job(jobId);
    const ended = await own.wait(jobId);
    const summary = await callTool<JobSummary>(mcp, 'wait_for_job', { jobId, timeoutSeconds: 0 });
    const texts = [
      dryRun.body,
      planned,
      accepted,
      ended,
      summary,
      await own.list(),
      await own.log(jobId),
      server.log(),
    ];
    for (const secret of secrets) expect(JSON.stringify(texts).toLowerCase(), what).not.toContain(secret.toLowerCase());
    expect(JSON.stringify(dryRun.body.argv), what).toContain('(hidden)');
  }
});
