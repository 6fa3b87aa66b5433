import { REQUEST_LIMITS } from '../../../packages/contract/src/domain/conversion.ts';
import { type DearBody, filled, listOf, objectOf } from './dear-body.ts';

const { options, outputs, optionValueLength: LONG, bodyBytes } = REQUEST_LIMITS;

/** How often a value fits into a body. */
const mostOf = (value: string): number =>
  Math.min(options - 4, Math.floor((bodyBytes - 20_000) / JSON.stringify(value).length));

/** A filtergraph with thousands of arguments that its filter does not have. */
const WRONG_ARGUMENTS = filled('1:', LONG, 'scale=');

const dryRun = (name: string, body: object): DearBody => ({
  name,
  method: 'POST',
  path: '/api/conversion?dryRun=true',
  body: JSON.stringify(body),
});

const outputsWith = (count: number, more: (index: number) => object = () => ({}), extension = 'mp4') =>
  listOf(count, (index) => ({ output: `o${index}.${extension}`, ...more(index) }));

/** The same long value for many streams, each with its own stream specifier. */
const forStreams = (option: string, count: number, value: (index: number) => string) =>
  objectOf(count, (index) => `${option}:${index}`, value);

/** Expensive values. All outputs of a request may share a value: the service then checks a small body twenty times. */
const VALUES: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>> = {
  'wrong arguments of a filter': { 'filter:v': WRONG_ARGUMENTS },
  'a chain of filters': { 'filter:v': filled('hflip,', LONG).slice(0, -1) },
  'a chain of unknown filters': { 'filter:v': filled('a,', LONG).slice(0, -1) },
  'chains in parallel': { filter_complex: filled('[0:v]null[a];', LONG).slice(0, -1) },
  'labels of one filter': { filter_complex: filled('[a]', LONG, 'nullsrc') },
  'nested quotes': { 'filter:v': `drawtext=text=${filled("'\\''", LONG - 20)}` },
  'nested backslashes': { 'filter:v': `drawtext=text=${filled('\\\\', LONG - 20)}` },
  'a nested expression': { 'filter:v': `crop=w=${'('.repeat(8000)}1${')'.repeat(8000)}` },
  'a sum': { 'filter:v': `crop=w=${filled('1+', LONG - 20)}1` },
  'a nested function': { 'filter:v': `crop=w='${'min(1,'.repeat(2000)}1${')'.repeat(2000)}'` },
  'conditions in an expression': { 'filter:v': `select='${filled('gt(t\\,1)*', LONG - 20)}1'` },
  'a mix of channels': { 'filter:a': `pan=stereo|c0=${filled('c0+', LONG - 30)}c0|c1=c1` },
  'channels of a mix': { 'filter:a': `pan=64c|${listOf(1000, (index) => `c${index % 64}=c0`).join('|')}` },
  'a layout of pictures': {
    filter_complex: `xstack=inputs=900:layout=${listOf(900, (index) => `w0_${index}`).join('|')}`,
  },
  'weights of a mix': { filter_complex: `[0:a]amix=inputs=3000:weights=${filled('1 ', 9000)}` },
  'a split into thousands': { filter_complex: `split=2200${listOf(2200, (index) => `[a${index}]`).join('')}` },
  'bitstream filters': { 'bsf:v': filled('null,', LONG).slice(0, -1) },
  'arguments of a bitstream filter': { 'bsf:v': filled('a=1:', LONG, 'h264_metadata=') },
  'flags of a codec': { 'flags:v': filled('+gray', LONG) },
  'unknown flags': { 'flags:v': filled('+x', LONG) },
  'parameters of x264': { 'c:v': 'libx264', 'x264-params': filled('ref=1:', LONG) },
  'unknown parameters of x264': { 'c:v': 'libx264', x264opts: filled('a:', LONG) },
  'unknown parameters of x265': { 'c:v': 'libx265', 'x265-params': filled('a=1:', LONG) },
  'a long unknown codec': { 'c:v': 'a'.repeat(LONG) },
  'a long unknown filter': { 'filter:v': 'a'.repeat(LONG) },
  'a long unknown pixel format': { pix_fmt: 'a'.repeat(LONG) },
  'a long number': { crf: '1'.repeat(LONG) },
  'a long time': { t: filled('1:', LONG) },
  'key frames': { force_key_frames: filled('1,', LONG, '0,').slice(0, -1) },
  'key frames by an expression': { force_key_frames: `expr:${filled('1+', LONG - 10)}1` },
  'times of segments': { f: 'segment', segment_times: filled('1,', LONG).slice(0, -1) },
  'variants of HLS': { f: 'hls', var_stream_map: filled('v:0,a:0 ', LONG).trim() },
  'sets of DASH': { f: 'dash', adaptation_sets: filled('id=0,streams=v ', LONG).trim() },
  'a name of segments': { f: 'hls', hls_segment_filename: filled('%03d/', LONG) },
  'a tee of outputs': { f: 'tee', map: '0', output: filled('[f=mp4]a.mp4|', LONG) },
  'a map of labels': { map: listOf(options - 2, (index) => `[${'a'.repeat(10_000)}${index}]`) },
  'a map of streams': { map: listOf(options - 2, () => filled('0:v:', 10_000)) },
  'metadata of streams': {
    metadata: listOf(options - 2, (index) => `${'k'.repeat(5000)}${index}=${'v'.repeat(5000)}`),
  },
};

/**
 * Two bodies for each value: a small body that uses it once for each of 20 outputs, and a body that uses it for as many
 * streams as fit.
 */
function valueBodies(): readonly DearBody[] {
  return Object.entries(VALUES).flatMap(([name, parameters]) => {
    const [[option = '', value = ''] = [], ...others] = Object.entries(parameters).toReversed();
    const more = Object.fromEntries(others);
    const repeated =
      typeof value !== 'string'
        ? []
        : [
            dryRun(`${name}, in ${mostOf(value)} streams`, {
              input: 'in.mp4',
              output: 'o.mp4',
              parameters: { ...more, ...forStreams(option, mostOf(value), () => value) },
            }),
            dryRun(`${name}, in each of 20 outputs`, {
              input: 'in.mp4',
              outputs: outputsWith(outputs, () => ({ parameters: { [option]: value } })),
              parameters: more,
            }),
          ];
    return [
      dryRun(`${name}, of 20 outputs`, { input: 'in.mp4', outputs: outputsWith(outputs), parameters }),
      ...repeated,
    ];
  });
}

const long = (index: number): string => `${index}${'a'.repeat(10_000)}`;

/** Bodies that are expensive because of their form. */
const FORMS: readonly DearBody[] = [
  dryRun('unknown options of 20 outputs', {
    input: 'in.mp4',
    outputs: outputsWith(outputs),
    parameters: objectOf(
      options - 1,
      (index) => `${'unknown'.repeat(13)}${index}`,
      () => '1',
    ),
  }),
  dryRun('short unknown options of 20 outputs', {
    input: 'in.mp4',
    outputs: outputsWith(outputs),
    parameters: objectOf(
      options - 1,
      (index) => `crg${index}`,
      () => '1',
    ),
  }),
  dryRun('options that several outputs have', {
    input: 'in.mp4',
    outputs: outputsWith(outputs),
    parameters: objectOf(
      options - 1,
      (index) => `b:v:${index}`,
      () => '1x',
    ),
  }),
  dryRun('unknown fields of 50 inputs', {
    inputs: listOf(50, () => ({
      input: 'in.mp4',
      ...objectOf(
        97,
        (index) => `parameter${index}`,
        () => '1',
      ),
    })),
    output: 'o.mp4',
  }),
  dryRun('990 unknown fields', {
    input: 'in.mp4',
    output: 'o.mp4',
    ...objectOf(
      990,
      (index) => `param${index}`,
      () => 1,
    ),
  }),
  dryRun('many names in metadata', {
    input: 'in.mp4',
    output: 'o.mp4',
    metadata: objectOf(
      60_000,
      (index) => `name${index}`,
      () => '',
    ),
  }),
  dryRun('990 names in metadata', {
    input: 'in.mp4',
    output: 'o.mp4',
    metadata: objectOf(
      990,
      (index) => `name${index}`,
      () => '',
    ),
  }),
  dryRun('100 long paths of inputs', {
    inputs: listOf(100, (index) => `${filled('../a/', 10_000)}${index}`),
    output: 'o.mp4',
  }),
  dryRun('100 long wildcards', { inputs: listOf(100, (index) => `${filled('[*?', 4000)}${index}`), output: 'o.mp4' }),
  dryRun('100 long URLs', {
    inputs: listOf(100, (index) => `https://a.example/${filled('%2e/', 10_000)}${index}`),
    output: 'o.mp4',
  }),
  dryRun('sources', {
    inputs: listOf(60, () => ({ source: filled('color=c=red,', LONG).slice(0, -1) })),
    output: 'o.mp4',
  }),
  dryRun('a slideshow of 100 pictures', {
    inputs: listOf(100, (index) => ({ input: `${index}.png`, duration: '2.5', crossfade: '0.5' })),
    output: 'o.mp4',
  }),
  dryRun('20 slideshows of 100 pictures', {
    inputs: listOf(100, (index) => ({ input: `${index}.png`, duration: '2.5', crossfade: '0.5' })),
    outputs: outputsWith(outputs),
  }),
  dryRun('a film of 100 inputs', { inputs: listOf(100, (index) => `${index}.mp4`), join: 'encode', output: 'o.mp4' }),
  dryRun('20 films of 100 inputs', {
    inputs: listOf(100, (index) => `${index}.mp4`),
    join: 'encode',
    outputs: outputsWith(outputs),
  }),
  dryRun('unmatched labels in 60 graphs', {
    input: 'in.mp4',
    output: 'o.mp4',
    parameters: { filter_complex: listOf(60, (graph) => filled(`[l${graph}]null;`, LONG).slice(0, -1)) },
  }),
  dryRun('the same output 20 times', {
    input: 'in.mp4',
    outputs: listOf(outputs, () => ({
      output: `${'o'.repeat(200)}.mp4`,
      parameters: { 'filter:v': filled('null,', LONG).slice(0, -1) },
    })),
  }),
  dryRun('20 HLS outputs with variants', {
    input: 'in.mp4',
    outputs: outputsWith(outputs, () => ({ parameters: { var_stream_map: filled('v:0,a:0 ', LONG).trim() } }), 'm3u8'),
  }),
  dryRun('a fallback', {
    input: 'in.mp4',
    output: 'o.mp4',
    parameters: forStreams('filter:v', 30, () => filled('hflip,', LONG).slice(0, -1)),
    fallback: forStreams('filter:v', 30, () => filled('vflip,', LONG).slice(0, -1)),
  }),
  {
    ...dryRun('a submission that is stored', {
      input: 'missing.mp4',
      output: 'never.mp4',
      parameters: { y: '', ...forStreams('filter:v', 60, () => filled('hflip,', LONG).slice(0, -1)) },
    }),
    path: '/api/conversion',
  },
  {
    ...dryRun('an idempotent submission of rejected texts', {
      input: 'missing.mp4',
      output: 'never.mp4',
      parameters: objectOf(options - 2, long, long),
    }),
    path: '/api/conversion',
    headers: { 'idempotency-key': 'dear-body' },
  },
  {
    name: 'a measurement with thousands of words',
    method: 'POST',
    path: '/api/analyze',
    body: JSON.stringify({ input: 'in.mp4', measure: listOf(990, (index) => `loudnes${index}${'s'.repeat(900)}`) }),
  },
  {
    name: 'a probe with long unknown options',
    method: 'POST',
    path: '/api/probe',
    body: JSON.stringify({ input: 'in.mp4', parameters: objectOf(options, (index) => `unknown${index}`, long) }),
  },
];

/** The most expensive bodies of `POST /api/conversion`. */
export const conversionBodies = (): readonly DearBody[] => [...valueBodies(), ...FORMS];
