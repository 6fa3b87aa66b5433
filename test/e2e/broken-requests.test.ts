// @module-tag long
import type { ConversionRequest, Parameters } from '../../packages/contract/src/domain/conversion.ts';
import { commonServer } from '../support/common-server.ts';
import { needs } from '../support/needs.ts';
import { sampled } from '../support/sampled.ts';
import { tools } from '../support/tools.ts';
import type { BrokenRequest } from './broken-requests/broken-request.ts';
import { brokenRequestMedia } from './broken-requests/media.ts';
import { BROKEN_REQUESTS } from './broken-requests.ts';

const start = commonServer();
let media: Promise<void> | undefined;

/** Short, because only the way in which it ends matters. */
const shortened = (parameters: Parameters = {}): Parameters =>
  ['t', 'to', 'frames:v'].some((name) => name in parameters) ? parameters : { ...parameters, t: '0.3' };

async function ready() {
  const { server, own } = await start();
  media ??= brokenRequestMedia(server.mediaRoot);
  await media;
  return {
    server,
    own,
    run: (request: ConversionRequest, folder: string) =>
      own.run({ ...request, output: `${folder}/${request.output}`, parameters: shortened(request.parameters) }),
  };
}

const rows = BROKEN_REQUESTS.map((row, index) => ({ ...row, index, title: JSON.stringify(row.request) }));

/** Whether the installed ffmpeg no longer has what the request names. */
const isRemoved = ({ removedIn }: BrokenRequest): boolean =>
  removedIn !== undefined && Number.parseInt(tools().version, 10) >= removedIn;

const test = needs('ffmpeg').concurrent;

test.for(sampled(rows))('$title: $code', async (row, { expect, skip }) => {
  const { request, code, cause, index } = row;
  if (isRemoved(row)) skip('removed from this ffmpeg');
  const { server, own, run } = await ready();
  const job = await run(request, `broken-${index}`);
  expect(job).toMatchObject({ status: 'FAILED', error: { code } });
  const { message = '', fix = '' } = job.error ?? {};
  expect(message).toContain(cause);
  expect(fix).toMatch(/^[A-Z"].{10,}\.$/);
  expect(`${message}${fix}${await own.log(job.jobId)}`).not.toContain(server.mediaRoot);
});

test.for(sampled(rows))('the job completes once the fix is followed: $title', async (row, { expect, skip }) => {
  if (isRemoved(row)) skip('removed from this ffmpeg');
  const { run } = await ready();
  const { error, status } = await run({ ...row.request, ...row.right }, `right-${row.index}`);
  expect({ error, status }).toEqual({ status: 'COMPLETED' });
});
