// @module-tag long
import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';
import { commonServer } from '../support/common-server.ts';
import { needs } from '../support/needs.ts';
import { sampled } from '../support/sampled.ts';
import { mediaOfCauses } from './media-causes/media.ts';
import { RIGHT_REQUESTS } from './media-causes/right-requests.ts';
import { MEDIA_CAUSES } from './media-causes.ts';

const start = commonServer();
let media: Promise<void> | undefined;
const test = needs('ffmpeg').concurrent;

async function ready() {
  const { server, own } = await start();
  media ??= mediaOfCauses(server.mediaRoot);
  await media;
  return {
    server,
    run: (request: ConversionRequest, folder: string) => own.run({ ...request, output: `${folder}/${request.output}` }),
  };
}

test.for(sampled(MEDIA_CAUSES))(
  'names the cause in the media, with a fix that works: $title',
  async (row, { expect }) => {
    const { title, request, warning, message, fix, followed, seconds, size, pixelFormat } = row;
    const { server, run } = await ready();
    const folder = title.replaceAll(/\W/g, '-');
    const job = await run(request, folder);
    const text = (one: RegExp | string) => (typeof one === 'string' ? one : expect.stringMatching(one));
    expect(JSON.stringify(job)).not.toContain(server.mediaRoot);
    if (warning === undefined) expect(job.error).toMatchObject({ message: text(message), fix: text(fix) });
    else
      expect(job.warnings).toContainEqual(
        expect.objectContaining({ code: warning, message: text(message), fix: text(fix) }),
      );
    expect(job.status).toBe(warning === undefined ? 'FAILED' : 'COMPLETED');

    const fixed = await run({ ...request, ...followed } as ConversionRequest, `${folder}-fixed`);
    expect(fixed.error).toBeUndefined();
    expect(fixed.status).toBe('COMPLETED');
    const [main] = fixed.outputs ?? [];
    if (seconds !== undefined) expect(main?.durationSeconds).toBeCloseTo(seconds, 0);
    const picture = main?.streams?.find(({ type }) => type === 'video');
    if (size !== undefined) expect(`${picture?.width}x${picture?.height}`).toBe(size);
    if (pixelFormat !== undefined) expect(picture?.pixelFormat).toBe(pixelFormat);
    expect((fixed.warnings ?? []).map(({ code }) => code)).not.toContain(warning ?? 'NO_EFFECT');
  },
);

test.for(sampled(RIGHT_REQUESTS))('$output has no warning', async (request, { expect }) => {
  const { run } = await ready();
  const job = await run({ ...request, strict: true }, 'right');
  expect({ status: job.status, warnings: job.warnings, error: job.error }).toEqual({ status: 'COMPLETED' });
});
