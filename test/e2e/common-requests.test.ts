import { cp, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, type ExpectStatic } from 'vitest';
import type { ConversionRequest } from '../../src/domain/conversion.ts';
import type { DryRunView } from '../../src/wire/dry-run.ts';
import type { JobView } from '../../src/wire/job.ts';
import type { WarningView } from '../../src/wire/warning.ts';
import { joinBatch } from '../common-requests/checks/ffmpeg-queries.ts';
import type { CommonRequest, RequestResult } from '../common-requests/common-request.ts';
import { ALL_FAMILIES } from '../common-requests/families.ts';
import { commonMedia } from '../common-requests/media.ts';
import { applyFix } from '../support/apply-fix.ts';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { IS_WHOLE, sampled } from '../support/sampled.ts';
import { type SharedServer, sharedServer } from '../support/shared-server.ts';
import { tools } from '../support/tools.ts';

let media: Promise<string> | undefined;

/** The folder with the inputs of all common requests, written once. */
function inputs(): Promise<string> {
  media ??= testFolder('common-requests').then(async (folder) => {
    await commonMedia(folder);
    return folder;
  });
  return media;
}

interface FilledServer extends SharedServer {
  /** A folder with the inputs and, once they are fetched, the outputs. */
  readonly folder: string;
}

/** A service with these settings and its own copy of the inputs. */
function serviceWith(env: Readonly<Record<string, string>>): () => Promise<FilledServer> {
  const start = sharedServer({ env: { TELECINE_CONCURRENCY: '2', ...env } });
  let ready: Promise<FilledServer> | undefined;
  return () => {
    ready ??= Promise.all([start(), inputs()]).then(async ([shared, folder]) => {
      const { media } = shared.server;
      await media.fill((root) => cp(folder, root, { recursive: true }));
      return { ...shared, folder: await media.localFolder() };
    });
    return ready;
  };
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
  { request, warnings = [] }: CommonRequest,
  expect: ExpectStatic,
): Promise<Converted> {
  const dryRun = await admin.request<DryRunView>('/api/conversion?dryRun=true', { body: request });
  // A dry run foresees no failure of a right request. What a job will measure, it has to assume.
  const foreseen = dryRun.body.warnings.filter(({ code }) => code !== 'ASSUMED_MEDIA' && !warnings.includes(code));
  expect(foreseen).toEqual([]);
  const job = await admin.run(request);
  expect(job.error).toBeUndefined();
  expect(job).toMatchObject({ status: 'COMPLETED', attempt: 1 });
  expect(job.warnings ?? []).toEqual(warnings.map((code) => expect.objectContaining({ code })));
  if (IS_WHOLE) for (const warning of job.warnings ?? []) await followFix(admin, request, job, warning, expect);

  const at = (path: string): string => join(folder, path);
  const { outputs = [] } = job;
  for (const { path, sizeBytes } of outputs) {
    await server.media.copyTo(folder, path);
    expect((await stat(at(path))).size).toBe(sizeBytes);
  }
  const file = at(outputs[0]?.path ?? '');
  return { result: { file, job, at }, bytes: await readFile(file) };
}

/**
 * Follows the fix of a warning about a right request, and compares the result with what was meant: the same kinds of streams
 * at least, as long as before, and no warning of that code any more. A fix that names no options is advice.
 */
async function followFix(
  admin: SharedServer['admin'],
  request: ConversionRequest,
  job: JobView,
  { code, message, field, fix }: WarningView,
  expect: ExpectStatic,
): Promise<void> {
  if (field?.startsWith('/parameters/') !== true || fix === undefined || !/^Send "/.test(fix)) return;
  // Of two ways, the first.
  const first = fix.replace(/, or ".*$/s, '.');
  const right = applyFix({ ...request }, { code, message, field, fix: first }) as unknown as ConversionRequest;
  const again = await admin.run({ ...right, output: `followed/${request.output}` });
  expect({ fix, status: again.status, error: again.error }).toEqual({ fix, status: 'COMPLETED', error: undefined });
  expect(again.warnings?.map((one) => one.code) ?? []).not.toContain(code);
  const kinds = ({ outputs = [] }: JobView) => outputs.flatMap(({ streams = [] }) => streams.map(({ type }) => type));
  expect(kinds(again)).toEqual(expect.arrayContaining(kinds(job)));
  const secondsOf = ({ outputs = [] }: JobView) => outputs[0]?.durationSeconds ?? 0;
  expect(secondsOf(again)).toBeGreaterThan(secondsOf(job) - 0.1);
}

/** Why the installed ffmpeg cannot run a common request. */
const missingFeature = ({ removedIn }: CommonRequest): string | undefined =>
  removedIn !== undefined && Number.parseInt(tools().version, 10) >= removedIn
    ? `removed in ffmpeg ${removedIn}`
    : undefined;

const sandboxed = serviceWith({});

for (const [family, requests] of Object.entries(ALL_FAMILIES))
  describe(family, () => {
    for (const common of sampled(requests))
      needs('sandbox').concurrent(common.title, async ({ expect, skip }) => {
        const reason = missingFeature(common);
        if (reason !== undefined) skip(reason);
        await run(await sandboxed(), common, expect);
      });
  });

/** Filters that open a file or a font. The checks replace its name. */
const FILE_FILTERS = /\b(subtitles|ass|drawtext|lut3d|haldclut|textfile)=/g;

const fileFiltersOf = ({ request }: CommonRequest): readonly string[] =>
  Array.from(JSON.stringify(request).matchAll(FILE_FILTERS), ([, name = '']) => name);

/**
 * Without a sandbox the checks must still accept what an expert would send, and ffmpeg must find the files. Finding
 * them depends only on the filter, so one request of each filter is run and the others are dry runs.
 */
describe('without a sandbox', () => {
  const unsandboxed = serviceWith({ TELECINE_SANDBOX: 'off' });
  const tested = new Set<string>();
  for (const [family, requests] of Object.entries(ALL_FAMILIES))
    for (const common of requests) {
      const filters = fileFiltersOf(common);
      if (family !== 'overlays' && filters.length === 0) continue;
      const isFirst = filters.some((filter) => !tested.has(filter));
      for (const filter of filters) tested.add(filter);
      needs('ffmpeg').concurrent(`${family}: ${common.title}`, async ({ expect, skip }) => {
        const reason = missingFeature(common);
        if (reason !== undefined) skip(reason);
        const server = await unsandboxed();
        if (isFirst) return run(server, common, expect);
        const reply = await server.admin.request('/api/conversion?dryRun=true', { body: common.request });
        expect(reply).toMatchObject({ status: 200 });
      });
    }
});
