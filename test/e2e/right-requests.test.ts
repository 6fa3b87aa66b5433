// @module-tag long
import { cp, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pLimit from 'p-limit';
import { describe, expect, test } from 'vitest';
import { type ConversionRequest, pathOfInput } from '../../packages/contract/src/domain/conversion.ts';
import type { DryRunView } from '../../packages/contract/src/wire/dry-run.ts';
import type { WarningView } from '../../packages/contract/src/wire/warning.ts';
import type { RequestResult } from '../common-requests/common-request.ts';
import { commonMedia } from '../common-requests/media.ts';
import {
  type ManualExample,
  manualExamples,
  RECIPE_VARIANTS,
  type RecipeVariant,
} from '../common-requests/right-requests.ts';
import { writeManualMedia } from '../manual/manual-media.ts';
import { plannerAnswer } from '../manual/planner-answer.ts';
import { FILMS, putInput } from '../manual/run-ffmpeg.ts';
import type { ApiClient } from '../support/api-client.ts';
import { testFolder } from '../support/folders.ts';
import { isFollowed, type JudgedRun, onceEach, type WorseFix, worseFixes } from '../support/judged-fixes.ts';
import { needs } from '../support/needs.ts';
import { IS_SYSTEM_ONLY } from '../support/same-on-each-system.ts';
import { IS_WHOLE } from '../support/sampled.ts';
import { sharedServer } from '../support/shared-server.ts';
import { ffmpegRelease, tools } from '../support/tools.ts';

interface BenchOptions {
  /** How long a job may take. */
  readonly seconds: number;
  /** Writes the inputs. */
  fill?(root: string): Promise<void>;
}

/** A service that runs one job at a time in a media root of its own: examples use the same names for inputs and outputs. */
function startBench({ seconds, fill }: BenchOptions) {
  const start = sharedServer({ env: { TELECINE_CONCURRENCY: '1', TELECINE_CLIENT_LIMITS: `time=${seconds}` } });
  const turn = pLimit(1);
  let results = 0;
  const ready = async () => {
    const { server, admin } = await start();
    const root = server.mediaRoot;
    /** Runs a request, and moves its outputs out of the media root. */
    const run = async (request: ConversionRequest): Promise<RequestResult> => {
      results += 1;
      const folder = join(`${root}-results`, `${results}`);
      const at = (path: string): string => join(folder, path);
      // A job that is too slow ends with TIMEOUT.
      const job = await admin.wait(await admin.accept(request), undefined, 2 * seconds);
      for (const { path } of job.outputs ?? []) {
        await mkdir(dirname(at(path)), { recursive: true });
        await rename(join(root, path), at(path));
      }
      return { job, at, file: at(job.outputs?.[0]?.path ?? '') };
    };
    return { admin, root, run };
  };
  let filled: Promise<void> | undefined;
  return <T>(work: (bench: Awaited<ReturnType<typeof ready>>) => Promise<T>): Promise<T> =>
    turn(async () => {
      const bench = await ready();
      filled ??= fill?.(bench.root);
      await filled;
      return work(bench);
    });
}

type Bench = Parameters<Parameters<ReturnType<typeof startBench>>[0]>[0];

/** Two, for machines of two cores. */
const benches = (options: BenchOptions) => {
  const all = [startBench(options), startBench(options)] as const;
  return (index: number) => all[index % 2 === 0 ? 0 : 1];
};

const dryRun = (admin: ApiClient, body: ConversionRequest) =>
  admin.request<DryRunView>('/api/conversion?dryRun=true', { body });

/** Codes of warnings that do not depend on the request: what is assumed or not read in time. */
const NOT_JUDGED: ReadonlySet<string> = new Set(['ASSUMED_MEDIA', 'INPUT_NOT_READ']);

/** Runs a request, and returns the fixes of its warnings that make its result worse; or why it cannot be judged. */
async function judge(
  { admin, root, run }: Bench,
  request: ConversionRequest,
  judged: Judged,
  isOwn: NonNullable<JudgedRun['isOwn']>,
) {
  const reply = await dryRun(admin, request);
  if (reply.status === 400) return JSON.stringify(reply.body);
  if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
  const short = shortened(request);
  const result = await run(short);
  const { status, error, warnings = [] } = result.job;
  if (status !== 'COMPLETED') return `${error?.code}: ${error?.message}`;
  const all = [...reply.body.warnings.filter(({ code }) => !NOT_JUDGED.has(code)), ...warnings];
  const once = onceEach(all);
  judged.warnings += once.filter((one) => isOwn(request, one)).length;
  const sources = (request.inputs ?? [request.input ?? '']).flatMap((one) => pathOfInput(one) ?? []);
  return worseFixes({
    request: short,
    result,
    warnings: once,
    isOwn,
    sources: sources.map((path) => join(root, path)),
    run: (followed) => {
      if (followed !== short) judged.fixes += 1;
      return run(request === short ? followed : shortened(followed));
    },
  });
}

/** Seconds of the examples of the manual that are converted. */
const SECONDS = 1;

/** The preset of examples that name no encoder. */
const QUICK = 'ultrafast';

/** The length of the films and sounds that stand for those of the examples. */
const FILM_SECONDS = 3;

/** Many examples never end. */
const shortened = (request: ConversionRequest): ConversionRequest => {
  const { parameters = {} } = request;
  if (request.preset !== undefined || 'to' in parameters || Number(parameters['t']) < SECONDS) return request;
  return { ...request, parameters: { ...parameters, t: `${SECONDS}` } };
};

const version = ffmpegRelease() < 7 ? '5.1' : '7.1';

/** The text of an example in both manuals. */
const commandOf = ({ argv }: ManualExample): string => argv.join(' ');

/** On a second system: its own examples, and one of four of those that the first one has judged too. */
const EVERY = 4;
const otherExamples = IS_SYSTEM_ONLY ? manualExamples(version === '5.1' ? '7.1' : '5.1') : [];
const otherCommands = new Set(otherExamples.map(commandOf));
const isJudged = (isKnown: boolean, index: number): boolean => !IS_SYSTEM_ONLY || !isKnown || index % EVERY === 0;
const examples = IS_WHOLE
  ? manualExamples(version).filter((one, index) => isJudged(otherCommands.has(commandOf(one)), index))
  : [];
const variants = IS_WHOLE ? RECIPE_VARIANTS.filter((_, index) => isJudged(true, index)) : [];

interface Judged {
  requests: number;
  warnings: number;
  fixes: number;
}

const ofExamples: Judged = { requests: 0, warnings: 0, fixes: 0 };
const ofVariants: Judged = { requests: 0, warnings: 0, fixes: 0 };

/**
 * What the form of an example adds: inputs that its graph does not use, the preset of an encoder, and the length, where the example is for
 * a longer film.
 */
const isOfForm = (
  { inputs = [], parameters = {} }: ConversionRequest,
  { code, field = '', message }: WarningView,
): boolean =>
  field === '/parameters/t' ||
  (field === '/parameters/preset' && parameters['preset'] === QUICK) ||
  code === 'SHORT_OUTPUT' ||
  /the output ends at \d/.test(message) ||
  (code === 'LATE_START' && Number(/ for (\d+(?:\.\d+)?) s before/.exec(message)?.[1]) >= FILM_SECONDS) ||
  (code === 'UNUSED_INPUT' && /^input\d+\.mkv$/.test(pathOfInput(inputs[Number(field.split('/')[2])] ?? '') ?? ''));

/** Checksums do not show what is worse. How well the encoder compresses is not compared, and some sources are large. */
const asFilm = (request: ConversionRequest): ConversionRequest => {
  const { format, ...rest } = request;
  if (format !== 'framemd5') return request;
  const { parameters = {} } = rest;
  const hasEncoder = Object.keys(parameters).some((name) => /^(?:c|codec|vcodec)(?::|$)/.test(name));
  return { ...rest, output: 'out.mkv', ...(!hasEncoder && { parameters: { preset: QUICK, ...parameters } }) };
};

/** An example on the first of the films of which its request makes a result. */
async function judgeExample(bench: Bench, { request: sent, argv }: ManualExample, media: string) {
  const { files } = plannerAnswer(argv, version);
  const request = asFilm({ ...sent, inputs: [...(sent.inputs ?? []), ...files] });
  let reason = '';
  for (const film of FILMS) {
    const own = (await readdir(bench.root)).filter((name) => !name.startsWith('.telecine'));
    await Promise.all(own.map((name) => rm(join(bench.root, name), { recursive: true })));
    const names = new Set(request.inputs?.flatMap((one) => pathOfInput(one) ?? []));
    for (const name of names) await putInput(media, bench.root, name, film);
    const found = await judge(bench, request, ofExamples, (sent, one) => !isOfForm(sent, one));
    if (typeof found !== 'string') return found;
    reason ||= found;
    // The other one takes as long.
    if (found.includes('TIMEOUT')) break;
  }
  return reason;
}

/** The warnings of dry runs of common requests whose fixes `test/e2e/common-requests.test.ts` follows. */
const warned = new Map<ConversionRequest, ReadonlySet<string>>();

async function judgeVariant(bench: Bench, { request, common }: RecipeVariant) {
  const known =
    warned.get(common) ?? new Set((await dryRun(bench.admin, common)).body.warnings.filter(isFollowed).map(textOf));
  warned.set(common, known);
  return judge(bench, request, ofVariants, (sent, one) => sent !== request || !known.has(textOf(one)));
}

const textOf = ({ field, code, message, fix }: WarningView): string => JSON.stringify([field, code, message, fix]);

// Each waits for its bench, which may be busy with a slow one.
const TIMEOUT_MS = 900_000;

describe.runIf(IS_WHOLE)(
  'a warning about a right request has no fix that makes the result worse',
  { timeout: TIMEOUT_MS },
  () => {
    // Some examples of the manual never end.
    const onMedia = benches({ seconds: 60 });
    let media: Promise<string> | undefined;
    const manualMedia = () => {
      media ??= testFolder('manual').then(async (folder) => {
        await writeManualMedia(tools().ffmpegPath, folder);
        return folder;
      });
      return media;
    };

    for (const [index, example] of examples.entries())
      needs('ffmpeg').concurrent(`${example.title}: ${example.request.output}`, async ({ expect, skip }) => {
        const folder = await manualMedia();
        const found = await onMedia(index)((bench) => judgeExample(bench, example, folder));
        if (typeof found === 'string') return skip(found);
        ofExamples.requests += 1;
        expect(found).toEqual([]);
      });

    const onCommon = benches({
      seconds: 200,
      fill: async (root) => cp(await commonMedia(), root, { recursive: true }),
    });
    for (const [index, variant] of variants.entries())
      needs('ffmpeg').concurrent(variant.title, async ({ expect, skip }) => {
        const found = await onCommon(index)((bench) => judgeVariant(bench, variant));
        if (typeof found === 'string') return skip(found);
        ofVariants.requests += 1;
        expect(found).toEqual([]);
      });

    test('nearly all of them are judged', () => {
      expect(ofExamples.requests / examples.length).toBeGreaterThan(0.9);
      expect(ofVariants.requests).toBe(variants.length);
    });

    // Runs that counted both together judged 202 warnings and 234 fixes of 560 examples and 657 variants, and on Debian 13 80 and 92 of
    // 180 and 165. 39 and 78 of the first, and 10 and 20 of the second, were of variants of slideshows, whose common requests have them.
    test('the warnings and fixes that are judged are not left out', () => {
      process.stderr.write(`${JSON.stringify({ ofExamples, ofVariants })}\n`);
      expect(ofExamples.warnings / examples.length).toBeGreaterThan(0.15);
      expect(ofExamples.fixes / examples.length).toBeGreaterThan(0.15);
      // Each variant of "repair" has DECODE_ERRORS.
      expect(ofVariants.warnings).toBeGreaterThan(0);
    });

    test.for<[fix: string, worse: readonly RegExp[]]>([
      ['Send "crf": "18".', []],
      ['Send "vf": "lutyuv=y=16:u=128:v=128".', [/^0 s not black instead of 2 s$/, /^black$/, /^SSIM/]],
      ['Send "vf": "negate".', [/^SSIM/]],
      ['Send "vf": "setpts=PTS+1/TB,fps=24:start_time=0".', [/^SSIM/]],
      ['Send "af": "volume=0".', [/^0 s not silent instead of /]],
      ['Send "t": "1".', [/ s long instead of /, / not black /, / not silent /]],
      [
        'Send "vn": "" to leave it out.',
        [/^streams audio instead of video,audio$/, / s not black instead of /, /^black$/],
      ],
      ['To make it small, send "vf": "crop=90:180".', [/^shape 0\.5 instead of /, / pixels instead of /, /^SSIM/]],
      ['Send "s": "320x90".', [/^new warning: NON_SQUARE_PIXELS /]],
      ['Send "crf": "99".', [/400/]],
      ['Think again.', [/^not advice/]],
    ])('the judge knows what a fix makes worse: %s', async ([fix, worse], { expect }) => {
      const found = await onCommon(0)(async ({ root, run }): Promise<readonly WorseFix[]> => {
        const request = { input: 'small.mp4', output: 'judged.mp4' };
        const warnings = [{ code: 'PLANTED', message: 'It could be better.', field: '/parameters/vf', fix }];
        return worseFixes({ request, result: await run(request), warnings, sources: [join(root, 'small.mp4')], run });
      });
      expect(found.flatMap((one) => one.worse)).toEqual(worse.map((one) => expect.stringMatching(one)));
    });
  },
);
