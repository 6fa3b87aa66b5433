import { expect, test } from 'vitest';
import { MAX_FIELD_ERRORS } from '../domain/problem.ts';
import { batchBody, conversionBody } from './conversion.ts';
import { fieldErrors } from './explain.ts';
import { fixPatch } from './fix-patch.ts';

const fields = (count: number): Readonly<Record<string, string>> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`crf:${index}`, 'x'.repeat(100)]));

/** Returns how often the making of field errors reads members of the objects in `body`, and the number of errors. */
function readsOf(body: object) {
  let reads = 0;
  const counted = <T extends object>(value: T): T =>
    new Proxy(value, {
      get: (target, key, receiver) => {
        reads += 1;
        const member: unknown = Reflect.get(target, key, receiver);
        return typeof member === 'object' && member !== null ? counted(member) : member;
      },
    });
  const { issues = [] } = conversionBody.safeParse(body).error ?? {};
  return { errors: fieldErrors(conversionBody, issues, counted(body)).length, reads };
}

const inputsWith = (count: number) => Array.from({ length: 50 }, () => ({ input: 'a.mp4', ...fields(count) }));

test.each([
  ['of the request', { input: 'a.mp4', output: 'b.mp4', ...fields(990) }],
  ['of each input', { inputs: inputsWith(97), output: 'b.mp4' }],
])('explains one more unknown field %s than a reply has, and reads the others once', (_what, body) => {
  const { errors, reads } = readsOf(body);
  expect(errors).toBe(MAX_FIELD_ERRORS + 1);
  expect(reads).toBeLessThan(5000);
});

test('"each" outside a batch names the route that has it', () => {
  const body = { each: 'wavs/*.wav', output: 'mp3/{name}.mp3' };
  const { issues = [] } = conversionBody.safeParse(body).error ?? {};
  const error = fieldErrors(conversionBody, issues, body).find(({ field }) => field === '/each');
  expect(error).toMatchObject({
    code: 'UNKNOWN_FIELD',
    message: 'Unknown field "each".',
    fix: 'Send the request to POST /api/conversions, as one of "requests": "each" makes several jobs.',
  });
});

const CRF_SET = 'Leave it out, or send its value in "parameters", which has "crf": "20" already.';
const QUALITY =
  'Send the quality as an option of the encoder, such as "parameters": {"crf": "23"} for H.264, where 18 is better and 28 smaller, or "b:a": "192k" for audio.';

test.each<[sent: Readonly<Record<string, unknown>>, fix: string, meant?: readonly [path: string, value: unknown]]>([
  // Tags are added to the tags in "parameters".
  [
    { tags: { title: 'x' }, parameters: { metadata: 'artist=me' } },
    'Send "parameters": {"metadata":["artist=me","title=x"]}.',
    ['/parameters', { metadata: ['artist=me', 'title=x'] }],
  ],
  [
    { parameters: { tags: { title: 'x' }, metadata: ['artist=me'] } },
    'Send "metadata": ["artist=me","title=x"].',
    ['/parameters/metadata', ['artist=me', 'title=x']],
  ],
  [
    { parameters: { input_options: { ss: 1 } } },
    'Send "inputs": [{"input":"a.mp4","parameters":{"ss":"1"}}], and leave "input_options" out: options of an input are in "inputs", instead of "input".',
    ['/inputs', [{ input: 'a.mp4', parameters: { ss: '1' } }]],
  ],
  // If an option has two values, the client chooses one.
  [{ crf: 18, parameters: { crf: '20' } }, CRF_SET],
  [{ parameters: { output: { crf: 18 }, crf: '20' } }, CRF_SET],
  [{ crf: 20, parameters: { crf: '20' } }, 'Send "parameters": {"crf":"20"}.', ['/parameters', { crf: '20' }]],
  [
    { vf: 'hflip', parameters: { vf: 'vflip' } },
    'Send "parameters": {"vf":"vflip,hflip"}.',
    ['/parameters', { vf: 'vflip,hflip' }],
  ],
  // If a value needs a choice, the fix asks for it at once.
  [{ quality: 80 }, `${QUALITY} Or send a measured quality: "quality": {"target": 0.98}.`],
  [{ videoQuality: 80, fps: 25 }, `Send "parameters": {"r":"25"}. ${QUALITY}`],
  [
    { videoSettings: { rateControlMode: 'CBR', bitrate: '2M' } },
    'Send "parameters": {"b:v":"2M","minrate":"2M","maxrate":"2M","bufsize":"2M"}.',
    ['/parameters', { 'b:v': '2M', minrate: '2M', maxrate: '2M', bufsize: '2M' }],
  ],
  [
    { videoSettings: { rateControlMode: 'CBR', maxBitrate: '2M' } },
    'Send "parameters": {"maxrate":"2M"}. For a constant bit rate, send the same one as "b:v", "minrate" and "maxrate", and as "bufsize".',
  ],
  [
    { normalize: -14 },
    'For a loudness of -14 LUFS, send "af": "loudnorm=I=-14". For a peak of -14 dB, measure "volume" first, and send "af": "volume=XdB" with X = -14 minus the measured maximum. Options belong in "parameters".',
  ],
])('%j has the fix %s', (sent, fix, meant) => {
  const body = { input: 'a.mp4', output: 'b.mp4', ...sent };
  const { issues = [] } = conversionBody.safeParse(body).error ?? {};
  const [error] = fieldErrors(conversionBody, issues, body);
  expect(error?.fix).toEqual(fix);
  const patch = error && fixPatch(body, error);
  const [path, value] = meant ?? [];
  expect(patch?.at(-1)).toEqual(meant && { op: 'add', path, value });
});

const errorsOf = (schema: typeof conversionBody | typeof batchBody, body: unknown) =>
  fieldErrors(schema, schema.safeParse(body).error?.issues ?? [], body);

test('a field that the fix of another one sends is not missing', () => {
  const request = { input: 'a.mp4', outputs: { mp4: 'b.mp4', poster: 'b.jpg' } };
  expect(errorsOf(batchBody, { requests: [request] }).map(({ field }) => field)).toEqual(['/requests/0/outputs']);
});

test.each([
  [{ overwrite: false }, 'Leave it out.'],
  [{ command: 'ffmpeg -i c.mp4 d.mp4' }, 'Leave it out, or send it in "parameters" if it is an option of ffmpeg.'],
])('an element of "inputs" with %j has no fix that sends other files, or nothing', (more, fix) => {
  const [error] = errorsOf(conversionBody, { inputs: [{ input: 'a.mp4', ...more }], output: 'b.mp4' });
  expect(error?.fix).toEqual(fix);
});

test('a number on the scale of SSIM is a quality target', () => {
  const body = { input: 'a.mp4', output: 'b.mp4', quality: 0.97 };
  const [error] = fieldErrors(conversionBody, conversionBody.safeParse(body).error?.issues ?? [], body);
  expect(error && fixPatch(body, error)).toEqual([{ op: 'replace', path: '/quality', value: { target: 0.97 } }]);
});
