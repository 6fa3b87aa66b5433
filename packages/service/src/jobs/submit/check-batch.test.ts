import type { Caller } from '@telecine/contract/domain/client.ts';
import { type ConversionRequest, REQUEST_LIMITS } from '@telecine/contract/domain/conversion.ts';
import { addIn } from '@telecine/contract/domain/edit.ts';
import type { Job } from '@telecine/contract/domain/job.ts';
import { type MediaPath, parseMediaPath } from '@telecine/contract/domain/media-path.ts';
import { invalidRequest, Problem } from '@telecine/contract/domain/problem.ts';
import { expect, test, vi } from 'vitest';
import { mediaRoot } from '../../../../../test/support/media-root.ts';
import { checkBatch, type NamedRequest, orderBatch } from './check-batch.ts';

const caller: Caller = { clientId: 'amy', scopes: [], root: mediaRoot('/media'), policy: {} };

const mediaPath = (text: string): MediaPath => {
  const path = parseMediaPath(text, '/');
  if (typeof path !== 'string') throw new Error(path.message);
  return path;
};

/** A queued job that waits for other jobs. Its output is named after its id. */
const queued = (jobId: string, waitingFor: readonly string[]): Job => ({
  jobId,
  clientId: 'amy',
  status: 'PENDING',
  request: { input: 'in.mp3', output: `${jobId}.mp3` },
  attempt: 0,
  createdAt: '2026-01-31T12:00:00.000Z',
  ...(waitingFor.length > 0 && { waitingFor }),
});

/** `jobs`: the stored jobs. No file exists. */
function fakeDeps(jobs: readonly Job[]) {
  const byId = new Map(jobs.map((job) => [job.jobId, job]));
  return {
    planner: vi.fn(async ({ input = '', output = '' }: ConversionRequest) => ({
      ok: true as const,
      plan: {
        outputs: [{ field: '/output', path: mediaPath(output), replace: false }],
        inputs: [{ path: mediaPath(input), field: '/input' }],
        warnings: [],
      },
    })),
    media: { statPaths: async (_root: unknown, paths: readonly unknown[]) => paths.map(() => MISSING) },
    jobs: { getMany: vi.fn(async (ids: readonly string[]) => ids.flatMap((id) => byId.get(id) ?? [])) },
  };
}

const MISSING = { kind: 'missing' } as const;
const idOf = (index: number): string => `0199a7c2-5b1e-7c3d-9f21-${String(index).padStart(12, '0')}`;

test('reads each job once and plans each request once, however many ways lead from one to another', async () => {
  // Each job waits for all jobs before it.
  const ids = Array.from({ length: 60 }, (_, index) => idOf(index));
  const deps = fakeDeps(ids.map((id, index) => queued(id, ids.slice(0, index))));
  const requests = Array.from({ length: 20 }, (_, index) => ({
    name: `request ${index}`,
    after: [...(index === 0 ? [] : [`request ${index - 1}`]), ...ids],
    request: { input: index === 0 ? `${ids[0]}.mp3` : `${index - 1}.mp3`, output: `${index}.mp3` },
  }));
  const { pathWarnings } = await checkBatch(deps, caller, requests);
  expect(pathWarnings.flat()).toEqual([]);
  expect(deps.planner).toHaveBeenCalledTimes(requests.length);
  const read = deps.jobs.getMany.mock.calls.flatMap(([jobIds]) => jobIds);
  expect(read.toSorted()).toEqual(ids);
});

test('an input is expected only from jobs that the request waits for', async () => {
  const [first = '', second = '', other = ''] = [0, 1, 2].map(idOf);
  const deps = fakeDeps([queued(first, []), queued(second, [first]), queued(other, [])]);
  const after = (jobId: string, input: string, output: string) => ({ after: [jobId], request: { input, output } });
  const { pathWarnings } = await checkBatch(deps, caller, [
    after(second, `${first}.mp3`, 'a.mp3'),
    after(other, `${first}.mp3`, 'b.mp3'),
  ]);
  expect(pathWarnings.map((warnings) => warnings.map(({ code }) => code))).toEqual([[], ['INPUT_NOT_FOUND']]);
});

test('an input that another request writes has the order in its fix', async () => {
  const requests = [
    { name: 'film', request: { input: 'in.mov', output: 'a.mp4' } },
    { request: { input: 'a.mp4', output: 'b.mp4' } },
    { after: ['film'], request: { input: 'b.mp4', output: 'c.mp4' } },
  ];
  const { pathWarnings } = await checkBatch(fakeDeps([]), caller, requests);
  expect(pathWarnings.map(([warning]) => warning?.fix)).toEqual([
    undefined,
    addIn('request', 'after', ['film']),
    undefined,
  ]);
});

test('counts the levels of jobs before the batch and of the requests in it', async () => {
  const ids = Array.from({ length: REQUEST_LIMITS.waitingLevels - 1 }, (_, index) => idOf(index));
  const deps = fakeDeps(ids.map((id, index) => queued(id, ids.slice(Math.max(0, index - 1), index))));
  const last = ids.at(-1) ?? '';
  const requests = ['first', 'second', 'third'].map((name, index, names) => ({
    name,
    after: [names[index - 1] ?? last],
    request: { input: 'in.mp3', output: `${name}.mp3` },
  }));
  await expect(checkBatch(deps, caller, requests.slice(0, 2))).resolves.toBeDefined();
  await expect(checkBatch(deps, caller, requests)).rejects.toMatchObject({
    errors: [{ field: '/requests/2/after', code: 'TOO_DEEP' }],
  });
});

test('a probe that takes too long ends the check, with the field of its request and the time for a retry', async () => {
  const applyPreset = async ({ clientId }: Caller): Promise<never> => {
    throw new Problem('TIMEOUT', `Too long for ${clientId}.`, {
      errors: [{ field: '/input', code: 'TIMEOUT', message: 'Too long.' }],
      retryAfterSeconds: 5,
    });
  };
  const requests = ['a.mp3', 'b.mp3'].map((output, index) => ({
    request: { input: 'in.mp3', output, ...(index === 1 && { preset: { name: 'loudness' } }) },
  }));
  await expect(checkBatch({ ...fakeDeps([]), applyPreset }, caller, requests)).rejects.toMatchObject({
    code: 'TIMEOUT',
    retryAfterSeconds: 5,
    errors: [{ field: '/requests/1/input', code: 'TIMEOUT' }],
  });
});

const plain = (index: number) => ({ request: { input: 'in.mp3', output: `${index}.mp3` } });

/** Creates the requests for the files of one `each`, with these outputs. */
const ofEach = (...outputs: readonly string[]) =>
  outputs.map((output, at) => ({ request: { input: `in/${at}.mp3`, output }, index: 0, file: `in/${at}.mp3` }));

test('an input that the job for another file of the same "each" writes is not advised to wait for it', async () => {
  const { pathWarnings } = await checkBatch(fakeDeps([]), caller, ofEach('in/1.mp3', 'b.mp3'));
  expect(pathWarnings[1]).toMatchObject([
    {
      code: 'INPUT_NOT_FOUND',
      message: expect.stringMatching(/The job for "in\/0\.mp3" writes it, and jobs of one "each" do not wait/),
    },
  ]);
});

test('an error of the first file of "each" names the file', async () => {
  const deps = fakeDeps([]);
  deps.planner.mockImplementation(async ({ input = '' }) => {
    if (input === 'in/0.mp3') throw invalidRequest([{ field: '/input', code: 'X', message: 'No sound.' }]);
    return { ok: true, plan: { outputs: [], inputs: [], warnings: [] } };
  });
  await expect(checkBatch(deps, caller, ofEach('a.mp3', 'b.mp3'))).rejects.toMatchObject({
    errors: [{ field: '/requests/0/input', message: 'No sound. The file is "in/0.mp3".' }],
  });
});

test('an unknown job in "after" of "each" is one error, which leaves room for those of others', async () => {
  const deps = fakeDeps([]);
  deps.planner.mockImplementation(async () => {
    throw invalidRequest([{ field: '/input', code: 'X', message: 'No.' }]);
  });
  const each = ofEach(...Array.from({ length: 60 }, (_, at) => `${at}.mp3`)).map((one) => ({
    ...one,
    after: [idOf(1)],
  }));
  await expect(checkBatch(deps, caller, [...each, { ...plain(1), index: 1 }])).rejects.toMatchObject({
    errors: [{ field: '/requests/0/after/0' }, { field: '/requests/0/input' }, { field: '/requests/1/input' }],
  });
});

test('files of one "each" with the same output are both named', async () => {
  const { pathWarnings } = await checkBatch(fakeDeps([]), caller, ofEach('a.jpg', 'a.jpg'));
  const messages = pathWarnings.flat().flatMap(({ code, message }) => (code === 'OUTPUT_EXISTS' ? [message] : []));
  expect(messages).toEqual([
    'The jobs for "in/0.mp3" and "in/1.mp3" have the same output, "a.jpg". The job that ends last fails with OUTPUT_EXISTS.',
  ]);
});

test('lets others have their turn between two requests', async () => {
  const deps = fakeDeps([]);
  let turn = 0;
  let hasEnded = false;
  const countTurns = (): void => {
    turn += 1;
    if (!hasEnded) setImmediate(countTurns);
  };
  countTurns();
  const turns: number[] = [];
  deps.planner.mockImplementation(async () => {
    turns.push(turn);
    return { ok: true, plan: { outputs: [], inputs: [], warnings: [] } };
  });
  await checkBatch(deps, caller, [plain(0), plain(1), plain(2)]);
  hasEnded = true;
  expect(new Set(turns).size).toBe(3);
});

test('ends when it has found more errors than a reply shows', async () => {
  const deps = fakeDeps([]);
  const errors = Array.from({ length: 20 }, (_, index) => ({
    field: `/parameters/${index}`,
    code: 'X',
    message: 'No.',
  }));
  deps.planner.mockImplementation(async () => {
    throw invalidRequest(errors);
  });
  const requests = Array.from({ length: 100 }, (_, index) => plain(index));
  await expect(checkBatch(deps, caller, requests)).rejects.toMatchObject({
    message: expect.stringContaining('more than 50 errors'),
    errors: expect.toSatisfy((found: readonly unknown[]) => found.length === 51),
  });
  expect(deps.planner).toHaveBeenCalledTimes(3);
});

test('jobs of one "each" do not write the segments that a recipe names over each other', async () => {
  const applyPreset = async (_caller: Caller, request: ConversionRequest) => ({
    request: { ...request, parameters: { hls_segment_filename: 'part_%d.ts' } },
    recipe: { name: 'own', version: 1, inputs: [], outputs: [], arguments: {}, request: { parameters: {} } },
    warnings: [],
  });
  const check = (output: (name: string) => string) =>
    checkBatch(
      { ...fakeDeps([]), applyPreset },
      caller,
      ['a', 'b', 'c'].map((name) => ({
        request: { input: `${name}.mp4`, output: output(name), preset: { name: 'own' } },
        file: mediaPath(`${name}.mp4`),
        index: 0,
      })),
    );
  await expect(check((name) => `hls/${name}.m3u8`)).rejects.toMatchObject({
    errors: [{ field: '/requests/0/output', code: 'NO_PLACEHOLDER' }],
  });
  await check((name) => `hls/${name}/index.m3u8`);
});

const ID = '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10';
const request = (name?: string, ...after: readonly string[]): NamedRequest => ({
  ...(name !== undefined && { name }),
  ...(after.length > 0 && { after }),
});
const ordered = (...requests: readonly NamedRequest[]) => {
  const result = orderBatch(requests);
  if ('errors' in result) throw new Error(JSON.stringify(result.errors));
  return result.order;
};
const errorsOf = (...requests: readonly NamedRequest[]) => {
  const result = orderBatch(requests);
  return 'errors' in result ? result.errors : [];
};

test('each request comes after those that it waits for, and knows all of them', () => {
  const { order, ancestors, levels } = ordered(request('c', 'b', 'a'), request('b', 'a'), request('a'), request());
  expect(order.indexOf(2)).toBeLessThan(order.indexOf(1));
  expect(order.indexOf(1)).toBeLessThan(order.indexOf(0));
  expect(ancestors).toEqual([new Set([1, 2]), new Set([2]), new Set(), new Set()]);
  expect(levels).toEqual([2, 1, 0, 0]);
});

test('a job id is in lower case, and a name that looks like one is a name', () => {
  expect(ordered(request('a', ID.toUpperCase())).parents).toEqual([[{ field: '/requests/0/after/0', jobId: ID }]]);
  expect(ordered(request('a', ID), request(ID)).parents[0]).toEqual([{ field: '/requests/0/after/0', index: 1 }]);
});

test('an unknown name of a request with "each" is one error, which leaves room for those of others', () => {
  const each = Array.from({ length: 100 }, () => ({ after: ['nobody'], index: 0 }));
  expect(errorsOf(...each, { after: ['somebody'], index: 1 }).map(({ field }) => field)).toEqual([
    '/requests/0/after/0',
    '/requests/1/after/0',
  ]);
});

test('a circle is shown with the names of its requests, or their indexes', () => {
  expect(errorsOf(request('a', 'a'))).toMatchObject([
    { field: '/requests/0/after/0', code: 'CIRCLE', message: expect.stringMatching(/: "a" after "a"\.$/) },
  ]);
  expect(errorsOf(request('x', 'a'), request('a', 'b'), request('b', 'a'))).toMatchObject([
    { field: '/requests/1/after/0', message: expect.stringMatching(/: "a" after "b" after "a"\.$/) },
  ]);
});

test('a chain of all requests is ordered', () => {
  const chain = Array.from({ length: 100 }, (_, i) => request(`${i}`, ...(i < 99 ? [`${i + 1}`] : [])));
  expect(ordered(...chain).order).toEqual(Array.from({ length: 100 }, (_, i) => 99 - i));
});
