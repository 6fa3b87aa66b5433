import { readdir } from 'node:fs/promises';
import type { AcceptedView } from '../../packages/contract/src/wire/accepted.ts';
import type { DryRunView } from '../../packages/contract/src/wire/dry-run.ts';
import { commonServer } from '../support/common-server.ts';
import { putSample } from '../support/media.ts';
import { needs } from '../support/needs.ts';

const start = commonServer();
const test = needs('ffmpeg').concurrent;
/** The test function for conversions that need the sandbox on this machine. */
const sandboxed = needs('sandbox').concurrent;

const BODY = { input: 'song.mp3', output: 'by-model/song.mka', format: 'mka', parameters: { 'c:a': 'copy' } };

test('a submission with llmId is stored with that id', async ({ expect }) => {
  const { server, own } = await start();
  await putSample(server.mediaRoot, 'mp3', 'song.mp3');
  const { status, headers, body } = await own.request<AcceptedView>('/mcp', {
    body: { ...BODY, llmId: 'claude 5 – größer' },
  });
  expect(status).toBe(202);
  expect(body).toEqual({
    jobId: body.jobId,
    status: 'PENDING',
    message: expect.stringMatching(/queued for processing/),
  });
  expect(headers.get('location')).toBe(`/api/conversion/${body.jobId}`);
  expect(await own.wait(body.jobId)).toMatchObject({ status: 'COMPLETED', llmId: 'claude 5 – größer' });
});

test.for([
  ['no llmId', {}, 'MISSING'],
  ['an empty one', { llmId: '' }, 'EMPTY'],
  ['a number', { llmId: 7 }, 'WRONG_TYPE'],
  ['one of 201 characters', { llmId: 'x'.repeat(201) }, 'TOO_LONG'],
  ['a line end in it', { llmId: 'a\nb' }, 'INVALID_FORMAT'],
] as const)('rejects an invalid llmId with 400: %s', async ([, more, code], { expect }) => {
  const { own } = await start();
  const { status, body } = await own.request('/mcp', { body: { ...BODY, ...more } });
  expect({ status, errors: body.errors }).toMatchObject({ status: 400, errors: [{ field: '/llmId', code }] });
  expect(body.errors?.[0]?.message).toContain('llmId');
});

test('llmId is optional on REST, and stored if it is sent', async ({ expect }) => {
  const { own } = await start();
  const job = await own.run({ input: 'none.mp3', output: 'x.mka', llmId: 'x'.repeat(200) });
  expect(job.llmId).toBe('x'.repeat(200));
});

const DRY: readonly (readonly [endpoint: string, more: object])[] = [
  ['/api/conversion', {}],
  ['/mcp', { llmId: 'm' }],
];

sandboxed.for(DRY)(
  'a dry run on %s returns the commands with logical names only, and queues nothing',
  async ([endpoint, more], { expect }) => {
    const { server, own } = await start();
    const body = {
      inputs: [`${server.mediaRoot}/a.mp4`, { input: 'title.png', duration: '2' }],
      output: 'dry/out "1".mp4',
      parameters: {
        'c:v': 'libx264',
        'b:v': '1M',
        'metadata:g': 'title=A; B',
        t: '5',
        to: '6',
        pass: '2',
        map: ['0', '1'],
      },
      ...more,
    };
    const { status, body: plan } = await own.request<DryRunView>(`${endpoint}?dryRun=true`, { body });
    expect(status).toBe(200);
    expect(plan.argv).toHaveLength(2);
    for (const argv of plan.argv) {
      expect(argv[0]).toBe('ffmpeg');
      expect(argv).toEqual(expect.arrayContaining(['file:in/0.mp4', 'file:in/1.png', '-c:v', 'libx264', '-b:v', '1M']));
    }
    expect(plan.argv[1]?.at(-1)).toBe('file:out/out "1".mp4');
    expect(plan.warnings).toMatchObject([
      { field: '/inputs/0', code: 'INPUT_NOT_FOUND' },
      { field: '/inputs/1/input', code: 'INPUT_NOT_FOUND' },
    ]);
    expect(plan.plan).toMatchObject({
      inputs: [
        { name: 'in/0.mp4', path: 'a.mp4' },
        { name: 'in/1.png', path: 'title.png' },
      ],
      outputs: [{ path: body.output, muxer: 'mp4', replace: false, encoders: { video: ['libx264'] } }],
      passes: 2,
    });
    expect(JSON.stringify(plan)).not.toContain(server.mediaRoot);
    expect(await readdir(server.mediaRoot)).not.toContain('dry');
    expect((await own.list('?limit=200')).jobs.map(({ output }) => output)).not.toContain(body.output);
  },
);
