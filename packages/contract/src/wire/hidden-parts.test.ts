import { expect, test } from 'vitest';
import type { ConversionRequest } from '../domain/conversion.ts';
import type { Job } from '../domain/job.ts';
import { keepHiddenParts } from './hidden-parts.ts';
import { jobView } from './job-view.ts';

const KEY = '00112233445566778899aabbccddeeff';
const IV = 'ffeeddccbbaa99887766554433221100';
const SIGNED = 'https://shop.example/a.mp4?signature=s3cret';
const CALLBACK = 'https://shop.example/hook?token=s3cret';

const STORED: ConversionRequest = {
  inputs: [
    SIGNED,
    { input: 'https://user:pass@shop.example/b.mp4', parameters: { decryption_key: 's3cret', r: '25' } },
  ],
  outputs: [
    { output: 'a.mp4', parameters: { encryption_key: 's3cret', crf: '20' } },
    { output: 'b.mp4', fallback: { encryption_key: 's3cret' } },
  ],
  parameters: { encryption_key: 's3cret', segment_format_options: 'movflags=faststart:encryption_key=s3cret' },
  fallback: { encryption_key: 's3cret' },
  encrypt: { keyUri: 'film.key', key: KEY, iv: IV },
  callbackUrl: CALLBACK,
};

/** The request as the view of its job shows it, in the form of a request. */
function shownRequest(stored = STORED): ConversionRequest {
  const job: Job = { jobId: 'j', clientId: 'amy', status: 'FAILED', request: stored, attempt: 1, createdAt: '' };
  const { inputs, requestedOutputs: outputs, parameters, fallback, encrypt, callbackUrl } = jobView(job);
  return JSON.parse(JSON.stringify({ inputs, outputs, parameters, fallback, encrypt, callbackUrl }));
}

test('a request that is sent as the view shows it has its secrets again', () => {
  expect(JSON.stringify(shownRequest())).not.toMatch(/s3cret|pass|00112233/);
  expect(keepHiddenParts(shownRequest(), STORED)).toEqual(STORED);
});

test('a secret stays where it is while other parts change', () => {
  const { inputs: [film = ''] = [], ...shown } = shownRequest();
  const changed = { ...shown, input: film as string, parameters: { ...shown.parameters, crf: '30' } };
  const { inputs: _, ...stored } = STORED;
  expect(keepHiddenParts(changed, STORED)).toEqual({
    ...stored,
    input: SIGNED,
    parameters: { ...STORED.parameters, crf: '30' },
  });
});

test.each<[string, string, ConversionRequest]>([
  ['a URL on another host', '/input', { input: 'https://thief.example/a.mp4?(hidden)' }],
  ['a URL with another path', '/input', { input: 'https://shop.example/c.mp4?(hidden)' }],
  ['a URL with more after it', '/input', { input: 'https://shop.example/a.mp4?(hidden)&to=thief' }],
  ['the user of a URL on another host', '/inputs/0', { inputs: ['https://(hidden)@thief.example/b.mp4'] }],
  [
    'an option in another list',
    '/inputs/1/parameters/encryption_key',
    { inputs: ['a.mp4', { input: 'b.mp4', parameters: { encryption_key: '(hidden)' } }] },
  ],
  [
    'another file at the place of the first',
    '/inputs/1/parameters/decryption_key',
    { inputs: ['a.mp4', { input: 'c.mp4', parameters: { decryption_key: '(hidden)' } }] },
  ],
  [
    'an option of another output',
    '/outputs/0/fallback/encryption_key',
    { outputs: [{ output: 'c.mp4', fallback: { encryption_key: '(hidden)' } }] },
  ],
  [
    'another output at the place of the first',
    '/outputs/0/parameters/encryption_key',
    { outputs: [{ output: 'c.mp4', parameters: { encryption_key: '(hidden)' } }] },
  ],
  [
    'another output at the place of the second, by its fallback',
    '/outputs/1/fallback/encryption_key',
    { outputs: [{ output: 'a.mp4' }, { output: 'c.mp4', fallback: { encryption_key: '(hidden)' } }] },
  ],
  [
    'the filtergraph at the place of a file',
    '/inputs/1/parameters/decryption_key',
    { inputs: ['a.mp4', { source: 'testsrc', parameters: { decryption_key: '(hidden)' } }] },
  ],
  [
    'a part of a value',
    '/parameters/segment_format_options',
    { parameters: { segment_format_options: 'comment=x:encryption_key=(hidden)' } },
  ],
  ['a callback on another host', '/callbackUrl', { callbackUrl: 'https://thief.example/hook?(hidden)' }],
  ['a callback as an input', '/input', { input: 'https://shop.example/hook?(hidden)' }],
])('no secret moves to %s, and the hidden text is rejected', (_what, field, sent) => {
  expect(() => keepHiddenParts(sent, STORED)).toThrow(
    expect.objectContaining({
      code: 'INVALID_REQUEST',
      errors: [expect.objectContaining({ field, code: 'HIDDEN_PART' })],
    }),
  );
});

const errorsIn = (sent: ConversionRequest, stored: ConversionRequest): unknown => {
  try {
    return keepHiddenParts(sent, stored);
  } catch (error) {
    return (error as { readonly errors: unknown }).errors;
  }
};

test('keys do not change their places when inputs or outputs are swapped or removed, and the message says what to send', () => {
  const keyed = (key: string) => ({ encryption_key: key, encryption_scheme: 'cenc-aes-ctr' });
  const stored: ConversionRequest = {
    inputs: [
      { input: 'a.mp4', parameters: { decryption_key: 'one' } },
      { input: 'b.mp4', parameters: { decryption_key: 'two' } },
    ],
    outputs: [
      { output: 'c.mp4', parameters: keyed('three') },
      { output: 'd.mp4', parameters: keyed('four') },
    ],
  };
  const { inputs = [], outputs = [] } = shownRequest(stored);
  const errorsOf = (sent: ConversionRequest): unknown => errorsIn(sent, stored);
  const rejected = (list: 'inputs' | 'outputs', index: number) => {
    const [role, name] = list === 'inputs' ? ['input', 'path or URL'] : ['output', 'path'];
    return {
      field: `/${list}/${index}/parameters/${role === 'input' ? 'decryption_key' : 'encryption_key'}`,
      code: 'HIDDEN_PART',
      message: `The value has (hidden), which is kept only while the ${name} of this ${role} is as the job shows it at this place.`,
    };
  };
  expect(errorsOf({ inputs: inputs.toReversed(), outputs })).toEqual([rejected('inputs', 0), rejected('inputs', 1)]);
  expect(errorsOf({ inputs, outputs: outputs.toReversed() })).toEqual([rejected('outputs', 0), rejected('outputs', 1)]);
  expect(errorsOf({ inputs, outputs: outputs.slice(1) })).toEqual([rejected('outputs', 0)]);
  const [first, second] = stored.outputs ?? [];
  const added = { output: 'e.mp4', parameters: keyed('five') };
  expect(errorsOf({ inputs, outputs: [...outputs.slice(0, 1), added] })).toEqual({
    ...stored,
    outputs: [first, added],
  });
  // Options without secrets are free.
  const format = outputs.map((one) => ({ ...one, format: 'mp4', parameters: { ...one.parameters, crf: '30' } }));
  expect(errorsOf({ inputs, outputs: format })).toEqual({
    ...stored,
    outputs: [first, second].map((one) => ({ ...one, format: 'mp4', parameters: { ...one?.parameters, crf: '30' } })),
  });
});

test('a key is not kept for the same file with a fresh signature, and the message is true of it', () => {
  const stored: ConversionRequest = {
    inputs: [{ input: SIGNED, parameters: { decryption_key: 's3cret' } }],
    output: 'a.mp4',
  };
  const fresh = { input: 'https://shop.example/a.mp4?signature=new', parameters: { decryption_key: '(hidden)' } };
  expect(errorsIn({ inputs: [fresh], output: 'a.mp4' }, stored)).toEqual([
    {
      field: '/inputs/0/parameters/decryption_key',
      code: 'HIDDEN_PART',
      message:
        'The value has (hidden), which is kept only while the path or URL of this input is as the job shows it at this place.',
    },
  ]);
  const shown = { ...fresh, input: 'https://shop.example/a.mp4?(hidden)' };
  expect(errorsIn({ inputs: [shown], output: 'a.mp4' }, stored)).toEqual(stored);
});

test('a key that moves from the shared options to those of an output is not what the job shows there', () => {
  const stored: ConversionRequest = { input: 'a.mov', output: 'a.mp4', parameters: { encryption_key: 's3cret' } };
  const outputs = [{ output: 'a.mp4', parameters: { encryption_key: '(hidden)' } }];
  expect(errorsIn({ input: 'a.mov', outputs }, stored)).toMatchObject([
    {
      field: '/outputs/0/parameters/encryption_key',
      message: expect.stringMatching(/differs from what the job shows there/),
    },
  ]);
});

test('the keys of shared options and of the shared fallback stay while outputs are added, renamed or sent in a list', () => {
  const stored: ConversionRequest = {
    ...{ input: 'a.mov', output: 'a.mp4', parameters: { encryption_key: 's3cret' } },
    fallback: { encryption_key: 'other' },
  };
  const shown = { parameters: { encryption_key: '(hidden)' }, fallback: { encryption_key: '(hidden)' } };
  for (const changed of [
    { input: 'a.mov', output: 'b.mp4' },
    { input: 'a.mov', outputs: [{ output: 'a.mp4' }, { output: 'b.mp4' }] },
  ])
    expect(errorsIn({ ...changed, ...shown }, stored)).toEqual({
      ...changed,
      parameters: stored.parameters,
      fallback: stored.fallback,
    });
});

test.each<[string, ConversionRequest]>([
  ['another option', { parameters: { metadata: '(hidden)' } }],
  ['a key at another address', { encrypt: { keyUri: 'other.key' } }],
  ['a key with another vector', { encrypt: { keyUri: 'film.key', iv: KEY } }],
])('no secret moves to %s', (_what, sent) => {
  expect(keepHiddenParts(sent, STORED)).toEqual(sent);
});

test('two URLs that differ only in what is hidden stay apart at their places, and are rejected elsewhere', () => {
  const [first, second] = [`${SIGNED}1`, `${SIGNED}2`];
  const stored: ConversionRequest = { inputs: [first, 'b.mp4', { input: second }], join: 'copy', output: 'a.mp4' };
  const shown = 'https://shop.example/a.mp4?(hidden)';
  expect(keepHiddenParts({ ...stored, inputs: [shown, 'c.mp4', { input: shown }] }, stored)).toEqual({
    ...stored,
    inputs: [first, 'c.mp4', { input: second }],
  });
  for (const inputs of [[shown], [shown, 'b.mp4'], [shown, shown, 'b.mp4'], [shown, shown, shown]])
    expect(() => keepHiddenParts({ ...stored, inputs }, stored), inputs.join()).toThrow(
      /Several inputs|2 errors|3 errors/,
    );
  // A text of one URL needs no place.
  const same: ConversionRequest = { inputs: [first, first] };
  expect(keepHiddenParts({ inputs: ['b.mp4', shown] }, same)).toEqual({ inputs: ['b.mp4', first] });
});

test('a new secret replaces the stored one', () => {
  const sent = {
    inputs: ['https://shop.example/a.mp4?signature=new'],
    parameters: { encryption_key: 'new' },
    encrypt: { keyUri: 'film.key', key: IV },
  };
  expect(keepHiddenParts(sent, STORED)).toEqual(sent);
});

test('the name of an option is never taken from the prototype of the stored options', () => {
  const sent: ConversionRequest = { parameters: { constructor: '(hidden)', toString: '(hidden)' } };
  expect(keepHiddenParts(sent, { parameters: {} })).toEqual(sent);
});

test('a job of a recipe is changed from what was sent or from what runs, and keeps its secrets', () => {
  const sent: ConversionRequest = {
    input: SIGNED,
    output: 'a.mp4',
    parameters: { encryption_key: 's3cret' },
    preset: { name: 'watermark', arguments: { logo: `${SIGNED}2`, text: 'https://shop.example/?a' } },
  };
  const stored: ConversionRequest = {
    inputs: [SIGNED, `${SIGNED}2`],
    output: 'a.mp4',
    parameters: { encryption_key: 's3cret', 'c:v': 'libx264' },
    preset: { name: 'watermark', version: 1, arguments: { text: 'https://shop.example/?a' } },
    sent,
  };
  const view = jobView({ jobId: 'j', clientId: 'amy', status: 'FAILED', request: stored, attempt: 1, createdAt: '' });
  const shown: ConversionRequest = JSON.parse(JSON.stringify(view.request));
  expect(JSON.stringify(view)).not.toMatch(/s3cret/);
  expect(shown.preset?.arguments).toEqual({
    logo: 'https://shop.example/a.mp4?(hidden)',
    text: 'https://shop.example/?a',
  });
  const restored = keepHiddenParts(shown, stored);
  expect(restored, 'the URL is only for an input').toEqual({
    ...sent,
    preset: { ...shown.preset, inputUrls: { logo: `${SIGNED}2` } },
  });
  const again = { ...stored, sent: restored };
  const next = jobView({ jobId: 'k', clientId: 'amy', status: 'FAILED', request: again, attempt: 1, createdAt: '' });
  expect(next.request).toEqual(view.request);
  expect(keepHiddenParts(shown, again), 'a retry of the retry').toEqual(restored);
  const { inputs, parameters } = JSON.parse(JSON.stringify(view));
  const { preset: _, sent: __, ...runs } = stored;
  expect(keepHiddenParts({ inputs, output: 'a.mp4', parameters }, stored)).toEqual(runs);
  // Another recipe might draw the URL into the picture.
  for (const preset of [
    { name: 'watermark', arguments: { logo: 'https://other.example/a?(hidden)' } },
    { name: 'title', arguments: { logo: 'https://shop.example/a.mp4?(hidden)' } },
  ])
    expect(() => keepHiddenParts({ ...shown, preset }, stored)).toThrow(
      expect.objectContaining({
        errors: [expect.objectContaining({ field: '/preset/arguments/logo', code: 'HIDDEN_PART' })],
      }),
    );
});
