import type { JobView } from '../../packages/contract/src/wire/job.ts';
import { commonServer } from '../support/common-server.ts';
import { callRejectedTool, callTool, mcpClient } from '../support/mcp-client.ts';
import { putSample } from '../support/media.ts';
import { needs } from '../support/needs.ts';

const start = commonServer();
const test = needs('ffmpeg').concurrent;

const OUTPUT = { output: 'hidden.mka', parameters: { c: 'copy' } };
const URL_PART = 'https://shop.example/song.mp3?(hidden)';

/** Requests as a view shows them, and the fields with hidden parts. */
const REQUESTS: readonly (readonly [what: string, request: object, ...fields: string[]])[] = [
  ['a URL', { ...OUTPUT, input: URL_PART }, '/input'],
  [
    'a key of an output and a callback',
    {
      input: 'song.mp3',
      output: 'hidden.mp4',
      parameters: { encryption_key: '(hidden)', nosuch: '1' },
      callbackUrl: 'https://shop.example/hook?(hidden)',
    },
    '/parameters/encryption_key',
    '/callbackUrl',
  ],
  [
    'the keys of an input and of one of several outputs',
    {
      inputs: [{ input: 'song.mp3', parameters: { decryption_key: '(hidden)' } }],
      outputs: [{ output: 'a.mka' }, { output: 'b.mp4', parameters: { encryption_key: '(hidden)' } }],
    },
    '/inputs/0/parameters/decryption_key',
    '/outputs/1/parameters/encryption_key',
  ],
];

/** A recipe that is not stored. */
const TRIED = {
  recipe: {
    ...{ version: 1, title: 'Hidden trial', description: 'Ours.', words: [], outputs: ['mka', 'mp4'], arguments: {} },
    inputs: [{ role: 'song', description: 'A song.' }],
    request: { parameters: { c: 'copy' } },
  },
  preset: { name: 'hidden-trial' },
};

test.for(REQUESTS)(
  'a new request with the hidden text of %s is rejected alone, in a batch, in the trial of a recipe and from a model',
  async (row, { expect, onTestFinished }) => {
    const [, request, ...fields] = row;
    const { own, server } = await start();
    const rejected = (of: readonly string[]) => ({
      status: 400,
      body: {
        code: 'INVALID_REQUEST',
        errors: of.map((field) => ({ field, code: 'HIDDEN_PART' })),
      },
    });
    for (const query of ['', '?dryRun=true']) {
      expect(await own.request(`/api/conversion${query}`, { body: request })).toMatchObject(rejected(fields));
      const requests = [{ ...OUTPUT, input: 'song.mp3' }, request];
      expect(await own.request(`/api/conversions${query}`, { body: { requests } })).toMatchObject(
        rejected(fields.map((field) => `/requests/1${field}`)),
      );
    }
    const { recipe, preset } = TRIED;
    expect(
      await own.request('/api/recipes/hidden-trial/dry-run', { body: { recipe, request: { ...request, preset } } }),
    ).toMatchObject(rejected(fields.map((field) => `/request${field}`)));
    const mcp = await mcpClient(server.url, own.token, undefined, onTestFinished);
    for (const dryRun of [true, false]) {
      const error = await callRejectedTool(mcp, 'convert_media', { ...request, dryRun });
      const found = [error, ...(error.more ?? [])].map(({ field, code }) => ({ field, code }));
      expect(found).toEqual(fields.map((field) => ({ field, code: 'HIDDEN_PART' })));
    }
  },
);

test('the hidden text in the request of a watch is rejected, also when it is only tried', async ({ expect }) => {
  const { own, server } = await start();
  await server.media.fill((root) => putSample(root, 'mp3', 'hidden-watch/song.mp3'));
  const request = { output: 'out/{name}.mp4', parameters: { encryption_key: '(hidden)' } };
  for (const query of ['', '?dryRun=true'])
    expect(await own.request(`/api/watches${query}`, { body: { folder: 'hidden-watch/', request } })).toMatchObject({
      status: 400,
      body: { errors: [{ field: '/request/parameters/encryption_key', code: 'HIDDEN_PART' }] },
    });
});

test('the hidden text in the callback of a batch and in an analysis is rejected', async ({ expect }) => {
  const { own } = await start();
  const requests = [{ ...OUTPUT, input: 'song.mp3' }];
  const body = { requests, callbackUrl: 'https://shop.example/hook?(hidden)' };
  for (const query of ['', '?dryRun=true'])
    expect(await own.request(`/api/conversions${query}`, { body })).toMatchObject({
      status: 400,
      body: { errors: [{ field: '/callbackUrl', code: 'HIDDEN_PART' }] },
    });
  expect(await own.request('/api/analyze', { body: { input: URL_PART, measure: ['loudness'] } })).toMatchObject({
    status: 400,
    body: { errors: [{ field: '/input', code: 'HIDDEN_PART' }] },
  });
});

test('files with "(hidden)" in their names are converted', async ({ expect, onTestFinished }) => {
  const { own, server } = await start();
  await putSample(server.mediaRoot, 'mp3', 'films (hidden)/(hidden).mp3');
  const request = {
    ...OUTPUT,
    input: 'films (hidden)/(hidden).mp3',
    output: '(hidden).mka',
    metadata: { a: '(hidden)' },
  };
  const job: JobView = await own.run(request);
  expect(job).toMatchObject({ status: 'COMPLETED', input: request.input, output: request.output });
  const mcp = await mcpClient(server.url, own.token, undefined, onTestFinished);
  expect(await callTool(mcp, 'convert_media', { ...request, output: 'b.mka', dryRun: true })).toMatchObject({
    warnings: [],
  });
});
