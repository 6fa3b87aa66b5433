import { expect } from 'vitest';
import { putClip } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { sharedServer } from '../support/shared-server.ts';

const start = sharedServer();

const KEY = '76a6c65c5ea762046bd749a2e632ccbb';
/** ffmpeg rejects it, and names it in its log. */
const WRONG_KEY = 'zzzzc65c5ea762046bd749a2e632ccbb';

const encrypted = (output: string, key: string) => ({
  input: 'movie.mp4',
  output,
  parameters: {
    c: 'copy',
    encryption_scheme: 'cenc-aes-ctr',
    encryption_key: key,
    encryption_kid: 'a7e61c373e219033c21091fa607bf3b8',
  },
});

needs('ffmpeg')('no log and no view of a job contains an encryption key', async () => {
  const { admin, server } = await start();
  await putClip(server.mediaRoot, '480p', 1, 'movie.mp4');
  const done = await admin.run(encrypted('done.mp4', KEY));
  expect(done).toMatchObject({ status: 'COMPLETED', parameters: { c: 'copy', encryption_key: '(hidden)' } });
  const failed = await admin.run(encrypted('failed.mp4', WRONG_KEY));
  expect(failed).toMatchObject({ status: 'FAILED' });
  const texts = await Promise.all([
    ...[done, failed].map(({ jobId }) => admin.log(jobId)),
    admin.request('/api/conversion').then(({ body }) => JSON.stringify(body)),
  ]);
  texts.push(JSON.stringify(done), JSON.stringify(failed), server.log());
  expect(texts.at(-1)).toContain(failed.jobId);
  for (const text of texts) {
    expect(text).not.toContain(KEY);
    expect(text).not.toContain(WRONG_KEY);
  }
  // The stored request is whole: another attempt uses the key.
  const { body } = await admin.request<{ jobId: string }>(`/api/conversion/${done.jobId}/retry`, { method: 'POST' });
  expect(await admin.wait(body.jobId)).toMatchObject({ error: { code: 'OUTPUT_EXISTS' } });
});
