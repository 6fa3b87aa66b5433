// @module-tag long
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { expect } from 'vitest';
import { createClient } from '../../packages/client/src/client.ts';
import type { JobView } from '../../packages/contract/src/wire/job.ts';
import type { JobSummary } from '../../packages/service/src/mcp/results/job-summary.ts';
import { commonServer } from '../support/common-server.ts';
import { callTool, mcpClient } from '../support/mcp-client.ts';
import { needs } from '../support/needs.ts';
import { tools } from '../support/tools.ts';

const start = commonServer();
const test = needs('ffmpeg');

/** A picture that is shown 1,500 times, and a tone with a pause of a second in each two. */
const still = ['-f', 'lavfi', '-i', 'color=s=16x16:r=50:d=30', '-c:v', 'ffv1', '-g', '1'];
const SPEECH = "sine=f=300:d=90:r=8000,volume='if(lt(mod(t,2),1),1,0)':eval=frame";

function make(file: string, ...args: readonly string[]): void {
  execFileSync(tools().ffmpegPath, ['-v', 'error', '-nostdin', ...args, file]);
}

test('a list of more than a thousand entries is read to its end, by the API and the client', async () => {
  const { server, own } = await start();
  make(join(server.mediaRoot, 'still.mkv'), ...still);
  const { body: job } = await own.request<JobView>('/api/analyze', {
    method: 'POST',
    body: { input: 'still.mkv', measure: ['duplicates', 'keyframes'] },
    headers: { prefer: 'wait=60' },
  });
  const { duplicates, keyframes } = job.measurements ?? {};
  expect(duplicates).toMatchObject({ frames: 1500, duplicates: 1499, nextCursor: expect.any(String) });
  expect(duplicates?.at).toHaveLength(1000);
  expect(keyframes).toMatchObject({ count: 1500, nextCursor: expect.any(String) });
  const path = `/api/conversion/${job.jobId}/measurements`;
  const rest = await own.request<{ entries: readonly number[] }>(`${path}/duplicates?cursor=${duplicates?.nextCursor}`);
  expect(rest).toMatchObject({ status: 200, body: { list: 'duplicates', count: 1499 } });
  expect(rest.body).not.toHaveProperty('nextCursor');
  expect([...(duplicates?.at ?? []), ...rest.body.entries]).toEqual(
    Array.from({ length: 1499 }, (_, index) => expect.closeTo((index + 1) / 50, 3)),
  );
  const client = createClient(server.url, { accessToken: own.token });
  const page = await client.measured(job.jobId, 'keyframes', { limit: 10 });
  expect(page).toMatchObject({ count: 1500, entries: Array.from({ length: 10 }, (_, i) => expect.closeTo(i / 50, 3)) });
  expect((await own.request(`${path}/silence`)).body).toMatchObject({
    status: 404,
    detail: expect.stringContaining('It has: duplicates, keyframes.'),
  });
  expect((await own.request(`${path}/loudness`)).body).toMatchObject({
    status: 404,
    detail: expect.stringContaining('The lists are: silence,'),
  });
});

test('a model sets thresholds, reads which were used, and gets each entry of a list', async () => {
  const { server, own } = await start();
  make(join(server.mediaRoot, 'speech.flac'), '-f', 'lavfi', '-i', SPEECH);
  const client = await mcpClient(server.url, own.token);
  interface Measured extends JobSummary {
    readonly measurements: {
      readonly silence: { readonly count: number; readonly intervals: readonly object[]; readonly nextCursor?: string };
    };
  }
  const input = 'speech.flac';
  const unset = await callTool<Measured>(client, 'probe_media', { input, measure: ['silence'] });
  expect(unset).toMatchObject({
    measurements: { silence: { count: 0 } },
    settings: { silence: { noiseDb: -60, minSeconds: 2 } },
  });
  const args = { input, measure: ['silence'], ss: 2, t: 86, settings: { silence: { minSeconds: 0.5 } } };
  const found = await callTool<Measured>(client, 'probe_media', args);
  expect(found.settings).toEqual({ silence: { noiseDb: -60, minSeconds: 0.5 } });
  expect(found.measurements.silence).toMatchObject({ count: 43, nextCursor: expect.any(String) });
  expect(found.next).toContain('"nextCursor" as "cursor"');
  const entries = [...found.measurements.silence.intervals];
  for (let cursor = found.measurements.silence.nextCursor; cursor !== undefined; ) {
    const page = await callTool<{ entries: readonly object[]; nextCursor?: string }>(client, 'wait_for_job', {
      jobId: found.jobId,
      cursor,
    });
    entries.push(...page.entries);
    cursor = page.nextCursor;
  }
  expect(entries).toEqual(
    Array.from({ length: 43 }, (_, index) => ({
      start: expect.closeTo(index * 2 + 3, 0),
      end: expect.closeTo(index * 2 + 4, 0),
    })),
  );
  expect(encode(JSON.stringify(found)).length).toBeLessThan(600);
  const wrong = await client.callTool({
    name: 'wait_for_job',
    arguments: { jobId: found.jobId, cursor: 'page 2', timeoutSeconds: 0 },
  });
  expect(JSON.stringify(wrong.content)).toContain('nextCursor');
});
