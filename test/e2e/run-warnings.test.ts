// @module-tag long
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll } from 'vitest';
import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';
import type { AcceptedView } from '../../packages/contract/src/wire/accepted.ts';
import { commonServer } from '../support/common-server.ts';
import { needs } from '../support/needs.ts';
import { sampled } from '../support/sampled.ts';
import { ffmpegRelease } from '../support/tools.ts';
import { ALPHA_WARNINGS, QUIET_ALPHA } from './run-warnings/alpha-rows.ts';
import { COPY_WARNINGS, QUIET_COPIES } from './run-warnings/copy-rows.ts';
import { DEPTH_WARNINGS, QUIET_DEPTHS } from './run-warnings/depth-rows.ts';
import { FADE_WARNINGS, QUIET_FADES } from './run-warnings/fade-rows.ts';
import { LENGTH_WARNINGS, QUIET_LENGTHS } from './run-warnings/length-rows.ts';
import { runWarningMedia } from './run-warnings/media.ts';
import { PICTURE_WARNINGS, QUIET_PICTURES } from './run-warnings/picture-rows.ts';
import type { RunWarningCase, RunWarningRows } from './run-warnings/row.ts';
import { QUIET_SHAPES, SHAPE_WARNINGS } from './run-warnings/shape-warnings.ts';
import { QUIET_SOUNDS, SOUND_WARNINGS } from './run-warnings/sound-rows.ts';
import { QUIET_SPARSE, SPARSE_WARNINGS } from './run-warnings/sparse-rows.ts';
import { QUIET_SPEEDS, SPEED_WARNINGS } from './run-warnings/speed-rows.ts';
import { QUIET_TIMES, TIME_WARNINGS } from './run-warnings/time-rows.ts';
import { QUIET_REQUESTS, RUN_WARNINGS } from './run-warnings.ts';

const start = commonServer();
let media: Promise<void> | undefined;
const test = needs('ffmpeg').concurrent;
// The media take a minute on a busy machine, which does not count as time of the first tests.
beforeAll(async () => void (await ready('warned')), 180_000);

/** Runs requests in a folder of their own. */
async function ready(folder: string) {
  const { server, own } = await start();
  media ??= runWarningMedia(server.mediaRoot);
  await media;
  return {
    own,
    run: (request: ConversionRequest) => own.run({ ...request, output: `${folder}/${request.output}` }),
    exists: (output: string) =>
      stat(join(server.mediaRoot, folder, output)).then(
        () => true,
        () => false,
      ),
  };
}

const ALL: readonly RunWarningRows[] = [
  RUN_WARNINGS,
  PICTURE_WARNINGS,
  ALPHA_WARNINGS,
  TIME_WARNINGS,
  FADE_WARNINGS,
  SHAPE_WARNINGS,
  SPEED_WARNINGS,
  SPARSE_WARNINGS,
  LENGTH_WARNINGS,
  DEPTH_WARNINGS,
  COPY_WARNINGS,
  SOUND_WARNINGS,
];
const allCases = ALL.flatMap((rows) =>
  Object.entries(rows).flatMap(([code, list]: [string, readonly RunWarningCase[]]) =>
    list.map((row) => ({ ...row, code })),
  ),
);
const isQuiet = ({ quietFrom = Number.POSITIVE_INFINITY }: RunWarningCase): boolean => ffmpegRelease() >= quietFrom;
const cases = allCases.filter((row) => !isQuiet(row));

test.for(sampled(cases))('$title: $code', async ({ code, request, meant }, { expect }) => {
  const { run } = await ready('warned');
  const job = await run(request);
  expect({ status: job.status, error: job.error }).toEqual({ status: 'COMPLETED', error: undefined });
  expect(job.warnings?.map((one) => one.code)).toContain(code);
  const right = await run({
    ...request,
    ...meant,
    strict: true,
    output: `right/${meant.output ?? request.output}`,
  } as ConversionRequest);
  expect({ status: right.status, error: right.error }).toEqual({ status: 'COMPLETED', error: undefined });
});

/** The first request of each code: what `strict` does with a warning does not depend on why it was given. */
const firstOfEachCode = [...Map.groupBy(cases, ({ code }) => code).values()].flatMap((rows) => rows.slice(0, 1));

test.for(firstOfEachCode)('a strict job fails and publishes nothing: $title', async ({ code, request }, { expect }) => {
  const { own, run, exists } = await ready('strict');
  const job = await run({ ...request, strict: true });
  expect(job).toMatchObject({
    status: 'FAILED',
    strict: true,
    error: { code: 'STRICT_WARNING' },
    warnings: expect.arrayContaining([expect.objectContaining({ code })]),
  });
  expect(job).not.toHaveProperty('outputs');
  expect(await exists(String(request.output))).toBe(false);
  if (code !== 'SHORT_OUTPUT') return;
  const { body } = await own.request<AcceptedView>(`/api/conversion/${job.jobId}/retry`, { method: 'POST' });
  expect((await own.wait(body.jobId)).error?.code).toBe('STRICT_WARNING');
});

const quiet = [
  ...QUIET_REQUESTS,
  ...QUIET_PICTURES,
  ...QUIET_ALPHA,
  ...QUIET_FADES,
  ...QUIET_TIMES,
  ...QUIET_SHAPES,
  ...QUIET_SPEEDS,
  ...QUIET_SPARSE,
  ...QUIET_LENGTHS,
  ...QUIET_DEPTHS,
  ...QUIET_COPIES,
  ...QUIET_SOUNDS,
  ...allCases.filter(isQuiet).map(({ request }) => request),
];

test.for(sampled(quiet))('$output has no warning', async (request, { expect }) => {
  const { run } = await ready('quiet');
  const job = await run({ ...request, strict: true });
  expect({ status: job.status, warnings: job.warnings }).toEqual({ status: 'COMPLETED' });
});
