// @module-tag long
import { randomUUID } from 'node:crypto';
import { cp, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, type ExpectStatic, inject } from 'vitest';
import { type ConversionRequest, pathOfInput } from '../../packages/contract/src/domain/conversion.ts';
import { rememberSuccess } from '../../packages/contract/src/domain/remember.ts';
import type { DryRunView } from '../../packages/contract/src/wire/dry-run.ts';
import type { JobView } from '../../packages/contract/src/wire/job.ts';
import { fileFiltersOf, ofEachAccess } from '../common-requests/access.ts';
import { joinBatch } from '../common-requests/checks/ffmpeg-queries.ts';
import type { CommonRequest, RequestResult } from '../common-requests/common-request.ts';
import { ALL_FAMILIES } from '../common-requests/families.ts';
import { commonMedia } from '../common-requests/media.ts';
import { isFollowed, onceEach, worseFixes } from '../support/judged-fixes.ts';
import { needs } from '../support/needs.ts';
import { IS_WHOLE, sampled } from '../support/sampled.ts';
import { type SharedServer, sharedServer } from '../support/shared-server.ts';
import { ffmpegRelease } from '../support/tools.ts';

/** Whether a bucket or PostgreSQL stores what a disk and SQLite store in the other runs of all rows. */
const isOtherEngine = inject('engines') !== undefined;

interface FilledServer extends SharedServer {
  /** A folder with the inputs and, once they are fetched, the outputs. */
  readonly folder: string;
}

/** A service with these settings and its own copy of the inputs. A start that failed is tried again, so that one test fails and not all. */
function serviceWith(env: Readonly<Record<string, string>>): () => Promise<FilledServer> {
  const start = sharedServer({ env: { TELECINE_CONCURRENCY: '2', ...env } });
  return rememberSuccess(async () => {
    const [shared, folder] = await Promise.all([start(), commonMedia()]);
    const { media } = shared.server;
    await media.fill((root) => cp(folder, root, { recursive: true }));
    return { ...shared, folder: await media.localFolder() };
  });
}

/** Outputs that passed their checks. If another service writes the same bytes, they need not be checked again. */
const checked = new Map<CommonRequest, Buffer>();

async function run(server: FilledServer, common: CommonRequest, expect: ExpectStatic): Promise<void> {
  const { result, bytes } = await joinBatch(() => convert(server, common, expect));
  const outputs = result.job.outputs ?? [];
  if (outputs.length === 1 && checked.get(common)?.equals(bytes)) return;
  await Promise.all(common.checks.map((check) => joinBatch(() => check(result))));
  checked.set(common, bytes);
}

interface Converted {
  readonly result: RequestResult;
  /** The content of the named output. */
  readonly bytes: Buffer;
}

async function convert(
  { server, admin, folder }: FilledServer,
  { request, warnings = [], foreseen: expected = [] }: CommonRequest,
  expect: ExpectStatic,
): Promise<Converted> {
  const dryRun = await admin.request<DryRunView>('/api/conversion?dryRun=true', { body: request });
  // A dry run foresees no failure of a right request. What a job will measure, where key frames are, or what other tests delay, it does
  // not know.
  const foreseen = dryRun.body.warnings.filter(isFollowed);
  expect(foreseen.filter(({ code }) => ![...warnings, ...expected].includes(code))).toEqual([]);
  const job = await admin.run(request);
  expect(job.error).toBeUndefined();
  expect(job).toMatchObject({ status: 'COMPLETED', attempt: 1 });
  expect(job.warnings ?? []).toEqual(warnings.map((code) => expect.objectContaining({ code })));

  const at = (path: string): string => join(folder, path);
  const fetched = async (job: JobView): Promise<RequestResult> => {
    const { outputs = [] } = job;
    for (const { path, sizeBytes } of outputs) {
      await server.media.copyTo(folder, path);
      expect((await stat(at(path))).size).toBe(sizeBytes);
    }
    return { file: at(outputs[0]?.path ?? ''), job, at };
  };
  const result = await fetched(job);
  // What a fix makes of a result does not depend on the engine.
  if (IS_WHOLE && !isOtherEngine) {
    const all = (request.inputs ?? [request.input ?? '']).flatMap((one) => pathOfInput(one) ?? []);
    const follow = async (followed: ConversionRequest) =>
      fetched(await admin.run({ ...followed, output: `followed/${randomUUID()}/${followed.output}` }));
    const sources = all.map(at);
    const judged = onceEach([...foreseen, ...(job.warnings ?? [])]);
    expect(await worseFixes({ request, result, warnings: judged, sources, run: follow })).toEqual([]);
  }
  return { result, bytes: await readFile(result.file) };
}

/** Why the installed ffmpeg cannot run a common request. */
const missingFeature = ({ removedIn }: CommonRequest): string | undefined =>
  removedIn !== undefined && ffmpegRelease() >= removedIn ? `removed in ffmpeg ${removedIn}` : undefined;

const sandboxed = serviceWith({});
/** A request that is skipped must not stand for others of its access. */
const onOtherEngine = new Set(
  ofEachAccess(
    Object.values(ALL_FAMILIES)
      .flat()
      .filter((one) => missingFeature(one) === undefined),
  ),
);

for (const [family, requests] of Object.entries(ALL_FAMILIES))
  describe(family, () => {
    for (const common of isOtherEngine ? requests.filter((one) => onOtherEngine.has(one)) : sampled(requests))
      needs('sandbox').concurrent(common.title, async ({ expect, skip }) => {
        const reason = missingFeature(common);
        if (reason !== undefined) skip(reason);
        await run(await sandboxed(), common, expect);
      });
  });

/**
 * Without a sandbox the checks must still accept what an expert would send, and ffmpeg must find the files, whose names the checks
 * replace. Finding them depends only on the filter, so one request of each filter is run and the others are dry runs. On other engines
 * ffmpeg reads the same local files.
 */
describe.skipIf(isOtherEngine)('without a sandbox', () => {
  const unsandboxed = serviceWith({ TELECINE_SANDBOX: 'off' });
  const tested = new Set<string>();
  for (const [family, requests] of Object.entries(ALL_FAMILIES))
    for (const common of requests) {
      const filters = fileFiltersOf(common);
      if (family !== 'overlays' && filters.length === 0) continue;
      const reason = missingFeature(common);
      const isFirst = reason === undefined && filters.some((filter) => !tested.has(filter));
      if (isFirst) for (const filter of filters) tested.add(filter);
      needs('ffmpeg').concurrent(`${family}: ${common.title}`, async ({ expect, skip }) => {
        if (reason !== undefined) skip(reason);
        const server = await unsandboxed();
        if (isFirst) return run(server, common, expect);
        const reply = await server.admin.request('/api/conversion?dryRun=true', { body: common.request });
        expect(reply).toMatchObject({ status: 200 });
      });
    }
});
