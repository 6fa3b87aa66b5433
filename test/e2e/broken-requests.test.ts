import type { ConversionRequest, Parameters } from '../../src/domain/conversion.ts';
import { needs } from '../support/needs.ts';
import { sharedServer } from '../support/shared-server.ts';
import { tools } from '../support/tools.ts';
import { BROKEN_REQUESTS, brokenRequestMedia } from './broken-requests.ts';

const start = sharedServer({ env: { TELECINE_CONCURRENCY: '2' } });
let media: Promise<void> | undefined;

/** Limits a conversion to a short part, because the test is only about how it fails. */
const shortened = (parameters: Parameters = {}): Parameters =>
  ['t', 'to', 'frames:v'].some((name) => name in parameters) ? parameters : { ...parameters, t: '0.3' };

async function ready() {
  const { server, admin } = await start();
  media ??= brokenRequestMedia(server.mediaRoot);
  await media;
  return {
    server,
    admin,
    run: (request: ConversionRequest, folder: string) =>
      admin.run({ ...request, output: `${folder}/${request.output}`, parameters: shortened(request.parameters) }),
  };
}

const rows = BROKEN_REQUESTS.map((row, index) => ({ ...row, index, title: JSON.stringify(row.request) }));

needs('ffmpeg').concurrent.for(rows)(
  '$title: $code',
  async ({ request, code, cause, index, removedIn }, { expect, skip }) => {
    skip(
      removedIn !== undefined && Number.parseInt(tools().version, 10) >= removedIn,
      `removed in ffmpeg ${removedIn}`,
    );
    const { server, admin, run } = await ready();
    const job = await run(request, `broken-${index}`);
    expect(job).toMatchObject({ status: 'FAILED', error: { code } });
    const { message = '', fix = '' } = job.error ?? {};
    expect(message).toContain(cause);
    expect(fix).toMatch(/^[A-Z"].{10,}\.$/);
    expect(`${message}${fix}${await admin.log(job.jobId)}`).not.toContain(server.mediaRoot);
  },
);
