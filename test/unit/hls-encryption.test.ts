import { expect, test } from 'vitest';
import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';
import { keyUriError } from '../../packages/contract/src/domain/hls-encryption.ts';
import { conversionBody } from '../../packages/contract/src/wire/conversion.ts';
import { requestShape } from '../../packages/ffmpeg/src/plan/plan-cache.ts';
import { withKey } from '../../packages/service/src/jobs/submit/submit.ts';
import { mediaRoot } from '../support/media-root.ts';
import { errorsOf, MEDIA_ROOT, validPlan, wholePlan } from '../support/planning.ts';

const KEY = '00112233445566778899aabbccddeeff';
const encrypt = { keyUri: 'https://keys.example.com/film.key', key: KEY };
const hls = (parameters: ConversionRequest['parameters'] = {}): ConversionRequest => ({
  input: 'a.mp4',
  output: 'hls/index.m3u8',
  parameters,
  encrypt,
});

test('ffmpeg gets the name of a file with the key, and no plan has the key', () => {
  const plan = wholePlan(hls({ hls_time: '6' }));
  const [argv = []] = plan.passes;
  expect(argv[argv.indexOf('-hls_key_info_file') + 1]).toBe('in/key/info');
  expect(JSON.stringify(plan)).not.toContain(KEY);
});

test('of two passes, only the one that writes segments encrypts', () => {
  const { passes } = validPlan(hls({ 'c:v': 'libx264', 'b:v': '1M', pass: '2' }));
  expect(passes.map((argv) => argv.includes('-hls_key_info_file'))).toEqual([false, true]);
});

test('of several outputs, those in HLS are encrypted', () => {
  const outputs = ['a/index.m3u8', 'b.mp4', 'poster.jpg', 'c/index.m3u8'];
  const { outputs: planned, warnings } = wholePlan({
    input: 'a.mp4',
    outputs: outputs.map((output) => ({ output })),
    encrypt,
  });
  expect(planned.map(({ argv = [] }) => argv.includes('-hls_key_info_file'))).toEqual([true, false, false, true]);
  expect(warnings.filter(({ code }) => code === 'NOT_ENCRYPTED').map(({ field }) => field)).toEqual([
    '/outputs/1/output',
  ]);
});

test.each<[string, ConversionRequest, string]>([
  ['a film', { ...hls(), output: 'b.mp4' }, '/encrypt NOT_HLS'],
  [
    'outputs of which none is HLS',
    { input: 'a.mp4', outputs: [{ output: 'b.mp4' }, { output: 'c.mkv' }], encrypt },
    '/encrypt NOT_HLS',
  ],
  ['one output in a list', { input: 'a.mp4', outputs: [{ output: 'b.mp4' }], encrypt }, '/encrypt NOT_HLS'],
  ['fragmented MP4', hls({ hls_segment_type: 'fmp4' }), '/parameters/hls_segment_type NOT_ENCRYPTABLE'],
  ['segments in one file', hls({ hls_flags: 'single_file' }), '/parameters/hls_flags NOT_ENCRYPTABLE'],
  ['fragmented MP4 by its number', hls({ hls_segment_type: '0x1' }), '/parameters/hls_segment_type NOT_ENCRYPTABLE'],
  [
    'segments in one file by a number',
    hls({ hls_flags: 'independent_segments+1' }),
    '/parameters/hls_flags NOT_ENCRYPTABLE',
  ],
  ['a wrong URI', { ...hls(), encrypt: { keyUri: 'skd://film' } }, '/encrypt/keyUri BAD_KEY_URI'],
])('rejects the encryption of %s', (_what, request, error) => {
  expect(errorsOf(request).map(({ field, code }) => `${field} ${code}`)).toEqual([error]);
});

test("the error about ffmpeg's own options names the field to send", () => {
  for (const name of ['hls_key_info_file', 'hls_enc', 'hls_enc_key'])
    expect(errorsOf({ input: 'a.mp4', output: 'a.m3u8', parameters: { [name]: '1' } })).toMatchObject([
      { code: 'OPTION_NOT_ALLOWED', message: expect.stringContaining('"encrypt" beside "parameters"') },
    ]);
});

test.each([
  'https://keys.example.com/film.key?id=1&x=%20',
  'http://localhost:8080/k',
  'film.key',
  '../keys/film.key',
  '/keys/1',
  'keys/a:b',
  '00112233445566778899aabbccddeeff',
])('the playlist may name the key %s', (uri) => expect(keyUriError(uri)).toBeUndefined());

test.each([
  ['a quote, which would end the attribute', 'film.key",METHOD=NONE,X="'],
  ['a line feed, which would begin another line', 'film.key\n#EXT-X-KEY:METHOD=NONE'],
  ['a space', 'film 1.key'],
  ['a letter outside of ASCII', 'schlüssel.key'],
  ['a backslash', 'a\\b'],
  ['the key in hex', `0x${KEY}`],
  ['the key in base64', 'ABEiM0RVZneImaq7zN3u/w=='],
  ['another scheme', 'file:///etc/passwd'],
  ['a scheme of a DRM', 'skd://film'],
  ['a URL without its scheme', '//keys.example.com/a'],
  ['an invalid URL', 'https://[::1/k'],
  ['a password, which everybody could read', 'https://user:secret@keys.example.com/k'],
])('a key URI is rejected for %s', (_why, uri) => {
  const error = keyUriError(uri);
  expect(error).toMatchObject({ code: 'BAD_KEY_URI', allowed: expect.any(Array) });
  expect(error?.message).not.toContain('secret');
});

test('the service makes the key and the vector that are missing, and keeps those of the request', () => {
  const made = [1, 2].map(() => withKey({ ...hls(), encrypt: { keyUri: 'k' } }).encrypt);
  for (const one of made)
    expect(one).toEqual({
      keyUri: 'k',
      key: expect.stringMatching(/^[\da-f]{32}$/),
      iv: expect.stringMatching(/^[\da-f]{32}$/),
    });
  expect(new Set(made.flatMap((one) => [one?.key, one?.iv])).size).toBe(4);
  const sent = { keyUri: 'k', key: KEY.toUpperCase(), iv: KEY };
  expect(withKey({ ...hls(), encrypt: sent }).encrypt).toEqual({ keyUri: 'k', key: KEY, iv: KEY });
  expect(withKey({ input: 'a.mp4', output: 'b.mp4' })).not.toHaveProperty('encrypt');
});

test('the cache of plans has no key', () => {
  const shape = (request: ConversionRequest) => requestShape(request, { scope: mediaRoot(MEDIA_ROOT), cores: 2 });
  expect(shape({ input: 'a.mp4', output: 'a.m3u8' })).toBeDefined();
  expect(shape({ input: 'a.mp4', output: 'a.m3u8', encrypt })).toBeUndefined();
});

test.each(['', '0011', `${KEY}00`, `${KEY.slice(1)}g`])('a key that is not 16 bytes in hex is rejected: %j', (key) => {
  expect(conversionBody.safeParse({ ...hls(), encrypt: { ...encrypt, key } }).error?.issues).toMatchObject([
    { path: ['encrypt', 'key'] },
  ]);
});
