// @module-tag long
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { expect } from 'vitest';
import { parseDuration } from '../../packages/contract/src/domain/duration.ts';
import { documentedRange, libraryRule } from '../../packages/ffmpeg/src/allowlist/encoder-enums.ts';
import { PARAMS_OPTIONS } from '../../packages/ffmpeg/src/allowlist/encoder-params/tables.ts';
import { readNumber } from '../../packages/ffmpeg/src/values/number.ts';
import { checkParamsString } from '../../packages/ffmpeg/src/values/params-string.ts';
import { readRate } from '../../packages/ffmpeg/src/values/rate.ts';
import { parseSize, SIZE_NAMES } from '../../packages/ffmpeg/src/values/size.ts';
import { needs } from '../support/needs.ts';
import { tools } from '../support/tools.ts';

/** The log of ffmpeg, whatever its exit code. */
async function log(level: 'verbose' | 'info', ...args: readonly string[]): Promise<string> {
  const words = ['-nostdin', '-hide_banner', '-loglevel', `level+${level}`, ...args];
  const run = promisify(execFile)(tools().ffmpegPath, words, { maxBuffer: 2 ** 24, timeout: 60_000 });
  const { stderr } = await run.catch((error: { readonly stderr: string }) => error);
  return stderr;
}

/** A value inside a filtergraph, quoted on both levels. */
const quoted = (value: string): string => value.replaceAll(/[\\':,;[\]]/g, '\\\\\\$&');

/** What video sources report for these values: ffmpeg parses their size, rate and duration. */
async function sources(values: readonly { readonly size: string; readonly rate: string; readonly duration: string }[]) {
  const graph = values
    .map(({ size, rate, duration }) => `color=s=${quoted(size)}:r=${quoted(rate)}:d=${quoted(duration)},nullsink`)
    .join(';');
  // The last chain is invalid, so ffmpeg logs the parsed values and creates no frame.
  const text = await log('verbose', '-filter_complex', `${graph};color=s=16x16,crop=w=32`, '-f', 'null', '-');
  const reported = [...text.matchAll(/size:(\d+)x(\d+) rate:(\d+)\/(\d+) duration:(\S+) sar/g)];
  return reported.slice(0, values.length).map(([, width, height, frames, per, seconds]) => ({
    width: Number(width),
    height: Number(height),
    rate: Number(frames) / Number(per),
    seconds: Number(seconds),
  }));
}

needs('ffmpeg')('what we take for a number ffmpeg reads as the same number', { timeout: 60_000 }, async () => {
  const digits = fc.oneof(
    fc.integer({ min: 1, max: 9999 }).map(String),
    fc.tuple(fc.nat(999), fc.integer({ min: 1, max: 999 })).map(([a, b]) => `${a}.${b}`),
    fc.integer({ min: 1, max: 255 }).map((n) => `0x${n.toString(16)}`),
    fc.tuple(fc.integer({ min: 1, max: 99 }), fc.integer({ min: -2, max: 3 })).map(([a, e]) => `${a}e${e}`),
  );
  const unit = fc.constantFrom('', '', '', 'k', 'K', 'M', 'm', 'Ki', 'Mi', 'dB', 'c', 'h', 'G');
  const plain = fc.tuple(digits, unit).map(([a, b]) => a + b);
  const sum = fc
    .array(fc.tuple(fc.constantFrom('+', '*', '/', ' * '), plain), { minLength: 1, maxLength: 3 })
    .chain((rest) => plain.map((first) => first + rest.map(([sign, text]) => sign + text).join('')));
  const values = fc
    .sample(fc.oneof(plain, sum, fc.constantFrom('PI', '2*QP2LAMBDA', '30000/1001')), { seed: 7, numRuns: 150 })
    .filter((text) => (readNumber(text) ?? Number.NaN) < 1e9);
  const graph = values.map((value) => `hqdn3d=luma_spatial=${quoted(value)}`).join(',');
  const text = await log('verbose', '-f', 'lavfi', '-i', 'color=s=16x16:d=0.04', '-vf', graph, '-f', 'null', '-');
  // ffmpeg 7.1 configures the graph twice.
  const read = [...text.matchAll(/ ls:(\S+) cs:/g)].map(([, number]) => Number(number)).slice(-values.length);
  expect(read).toHaveLength(values.length);
  const wrong = values.filter((value, n) => {
    const parsed = readNumber(value) ?? Number.NaN;
    return !(Math.abs(parsed - (read[n] ?? Number.NaN)) <= Math.max(1e-6, Math.abs(parsed) * 1e-9));
  });
  expect(wrong).toEqual([]);
});

needs('ffmpeg')('sizes, rates and times are read as ffmpeg reads them', { timeout: 60_000 }, async () => {
  const sizes = [...SIZE_NAMES, '640x360', '640X360', '640*360', '640:360', '640,360', '640/360'];
  const rates = '25 29.97 30000/1001 24:1 ntsc pal film ntsc-film qntsc sntsc spal qpal 2*15 1e1 0.5'.split(' ');
  const times = '5 5. +5 0.25 5s 200ms 1500.5us 1:2 01:02:03 1:30.5s 100:00:00 12:03:45.6789'.split(' ');
  const cases = sizes.map((size, n) => ({
    size,
    rate: rates[n % rates.length] ?? '',
    duration: times[n % times.length] ?? '',
  }));
  const read = await sources(cases);
  expect(read).toHaveLength(cases.length);
  for (const [n, { size, rate, duration }] of cases.entries()) {
    const reported = read[n];
    expect({ size, ...parseSize(size) }).toEqual({ size, width: reported?.width, height: reported?.height });
    expect({ rate, fps: readRate(rate)?.toFixed(4) }).toEqual({ rate, fps: reported?.rate.toFixed(4) });
    expect({ duration, seconds: parseDuration(duration)?.toFixed(5) }).toEqual({
      duration,
      seconds: reported?.seconds.toFixed(5),
    });
  }
});

/** Values of parameters that do not take 1. */
const SAMPLES: Readonly<Record<string, string>> = {
  ...{
    interlace: '0',
    'ctu-info': '0',
    'denoise-block-size': '2',
    'max-reference-frames': '3',
    'num-tile-groups': '1',
  },
  ...{ merange: '4', 'me-range': '4', 'max-tu-size': '4', pools: '4', 'numa-pools': '4', 'log2-max-poc-lsb': '4' },
  ...{ 'min-partition-size': '4', 'max-partition-size': '4', 'min-cu-size': '8', 'qg-size': '8', ctu: '16' },
  ...{ 'superres-denom': '8', 'superres-kf-denom': '8', 'resize-denom': '8', 'resize-kf-denom': '8', keyint: '120' },
  ...{ 'target-seq-level-idx': '31', tbr: '1000', mbr: '1000', fullrange: 'off', 'scaling-list': 'off', sar: '1/1' },
  ...{ videoformat: 'component', colorprim: 'bt709', transfer: 'bt709', 'alternative-transfer': 'bt709' },
  ...{ colormatrix: 'bt709', 'color-primaries': 'bt709', 'transfer-characteristics': 'bt709', overscan: 'show' },
  ...{
    'matrix-coefficients': 'bt709',
    'master-display': 'G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,50)',
  },
  ...{ 'mastering-display': 'G(0.265,0.69)B(0.15,0.06)R(0.68,0.32)WP(0.3127,0.329)L(1000,0.001)', fps: '30000/1001' },
  ...{ cll: '1000,400', 'max-cll': '1000,400', 'content-light': '1000,400', 'b-pyramid': '0', direct: 'none' },
  ...{ 'direct-pred': 'none', 'nal-hrd': 'none', filter: '-1,-1', deblock: '-1,-1', cqm: 'flat', me: 'dia' },
  ...{ analyse: 'p8x8,b8x8,i8x8,i4x4', partitions: 'p8x8,b8x8,i8x8,i4x4', zones: '0,100,q=20', level: '4.1' },
  ...{ 'level-idc': '4.1', 'crop-rect': '0,0,2,2', 'hme-search': 'hex,umh,umh', 'hme-range': '16,32,48' },
  ...{ 'masking-strength': '500,-10,10', 'chroma-sample-position': 'unknown', range: 'limited' },
  ...{ 'display-window': '0,0,0,0', 'dolby-vision-profile': '8.1', 'refine-analysis-type': 'avc', 'input-csp': 'i400' },
  ...{ 'dist-metric': 'psnr', 'tune-content': 'default', 'sb-size': 'dynamic', 'timing-info': 'unspecified' },
  ...{ 'color-range': 'studio', 'psy-rd': '1.0' },
};

/** Values of an encoder where the others take another. */
const OF_ENCODER: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  libx264: { 'mastering-display': 'G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,50)' },
  libx265: { sar: '1' },
  libsvtav1: { level: '0' },
};

/**
 * Parameters that are not valid alone: their value depends on the video or on other parameters, or has a longer form
 * than the example.
 */
const NOT_ALONE = /^(?:avcintra-|cqm\d|slices-max|color-format|profile|tier|input-depth|asm|pass|max-gf-interval)/;

const COMPLAINT =
  /Error parsing option|bad option|Unknown option|Invalid value|Invalid parameter|Cannot find aom option/;

const ENCODERS = [
  ['libx264', 'x264-params'],
  ['libx265', 'x265-params'],
  ['libsvtav1', 'svtav1-params'],
  ['libaom-av1', 'aom-params'],
] as const;

const VIDEO = ['-f', 'lavfi', '-i', 'testsrc=s=128x128:d=0.08', '-pix_fmt', 'yuv420p'];

/** Parameters that are newer than the oldest tested library, which reports them as unknown. */
const NEWER: ReadonlySet<string> = new Set(
  (
    'lossless avif adaptive-film-grain enable-variance-boost startup-mg-size variance-boost-strength variance-octile ' +
    'sharpness qp-scale-compress-strength enable-force-key-frames enable-qm qm-min qm-max'
  ).split(' '),
);

/** Parameters that the libraries of Debian 13 no longer have, and the invalid one. */
const MAYBE_UNKNOWN = /\b(?:hist-threshold|compressed-ten-bit-format|bias-pct|unheard)\b/;

needs('ffmpeg').each(ENCODERS)(
  'the encoder knows every key of its table: %s',
  { timeout: 120_000 },
  async (encoder, option) => {
    const keyed = PARAMS_OPTIONS.get(option);
    if (keyed === undefined) throw new Error(`${option} has no table`);
    const samples = { ...SAMPLES, ...OF_ENCODER[encoder] };
    // Most parameters of libaom are switches, of which few are on together.
    const usual = encoder === 'libaom-av1' ? '0' : '1';
    const pairs = [...keyed.table.names]
      .filter((key) => !NOT_ALONE.test(key) && !(encoder === 'libsvtav1' && NEWER.has(key)))
      .map((key) => `${key}=${samples[key] ?? usual}`);
    for (const pair of pairs) expect([pair, checkParamsString(option, pair, keyed)]).toEqual([pair, undefined]);
    const speed = encoder === 'libaom-av1' ? ['-cpu-used', '8', '-usage', 'realtime'] : [];
    // All in one process, with an invalid one at the end. The error about that one shows that all others were read.
    const words = [...pairs, 'unheard=1'].join(':');
    const text = await log('info', ...VIDEO, '-c:v', encoder, ...speed, `-${option}`, words, '-f', 'null', '-');
    const complaints = text.split('\n').filter((line) => COMPLAINT.test(line));
    expect(complaints.join('\n')).toContain('unheard');
    for (const complaint of complaints) expect(complaint).toMatch(MAYBE_UNKNOWN);
  },
);

needs('ffmpeg').each([
  ['libx264', 'preset'],
  ['libx264', 'tune'],
  ['libx264', 'level'],
  ['libvpx-vp9', 'level'],
  ['libx265', 'preset'],
  ['libx265', 'tune'],
] as const)(
  'the encoder knows every word that we let pass, and not another: %s %s',
  { timeout: 60_000 },
  async (encoder, option) => {
    const rule = libraryRule(encoder, option);
    if (rule?.takes !== 'words') throw new Error(`${encoder} has no words for ${option}`);
    /** One encoder per value, all in one process. */
    const areAccepted = async (words: readonly string[]): Promise<boolean> => {
      const each = (word: string) => ['-frames:v', '1', '-c:v', encoder, `-${option}`, word, '-f', 'null', '-'];
      const text = await log('info', ...VIDEO, ...words.flatMap(each));
      return !/Error setting preset|Error parsing option|Error while opening encoder|invalid level|Failed to set/i.test(
        text,
      );
    };
    expect(await areAccepted(rule.words)).toBe(true);
    expect(await areAccepted(['vertfast'])).toBe(false);
  },
);

needs('ffmpeg').each(
  Object.entries({
    'libvpx-vp9':
      'crf qmin qmax lag-in-frames undershoot-pct overshoot-pct drop-threshold arnr-maxframes arnr-strength',
    libvpx: 'crf qmin qmax undershoot-pct overshoot-pct drop-threshold arnr-maxframes arnr-strength arnr-type',
    'libaom-av1': 'crf',
  }).flatMap(([encoder, options]) => options.split(' ').map((option) => [encoder, option] as const)),
)('the range that a message names ends where that of the encoder does: %s %s', async (encoder, option) => {
  const rule = libraryRule(encoder, option);
  if (rule?.takes !== 'range') throw new Error(`${encoder} has no range for ${option}`);
  const speed = encoder === 'libaom-av1' ? ['-cpu-used', '8', '-usage', 'realtime'] : ['-b:v', '200k'];
  const complains = async (value: number): Promise<boolean> =>
    /out of range|must be between/.test(
      await log('info', ...VIDEO, '-c:v', encoder, ...speed, `-${option}`, `${value}`, '-f', 'null', '-'),
    );
  const { max } = documentedRange(rule);
  expect([await complains(max), await complains(max + 1)]).toEqual([false, true]);
});
