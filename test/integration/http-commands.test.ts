import { expect, test } from 'vitest';
import type { ReadCommand } from '../../packages/client/src/api.ts';
import { leaveOut, sendValue } from '../../packages/contract/src/domain/edit.ts';
import { invalidRequest, Problem } from '../../packages/contract/src/domain/problem.ts';
import { BEARER, httpApp } from '../support/http-app.ts';
import { DRY_RUN, type fakeJobs, limitedTokens } from '../support/http-fakes.ts';

const COMMAND = 'ffmpeg -hide_banner -i in.mov -crf 99 out.mp4';

function world(jobsChange: Parameters<typeof fakeJobs>[0] = {}, policy = {}) {
  const http = httpApp({ jobsChange, tokens: limitedTokens(policy) });
  const read = async (command: unknown, headers: Record<string, string> = BEARER) => {
    const reply = await http.inject({ method: 'POST', url: '/api/commands', headers, payload: { command } });
    return { status: reply.statusCode, body: reply.json<ReadCommand & { readonly errors: readonly object[] }>() };
  };
  return { ...http, read };
}

test('a command is replied to with its request, what is left out, and the warnings of a dry run; no job is queued', async () => {
  const planned: unknown[] = [];
  const warning = { field: '/parameters/crf', code: 'NO_EFFECT', message: 'Nothing.', fix: leaveOut() };
  const { read } = world({
    dryRun: async (_caller, request) => {
      planned.push(request);
      return { ...DRY_RUN, warnings: [warning] };
    },
    submit: async () => expect.fail('a command is submitted'),
  });
  const request = { input: 'in.mov', output: 'out.mp4', parameters: { crf: '99' } };
  expect(await read(COMMAND)).toMatchObject({
    status: 200,
    body: {
      request,
      leftOut: [{ option: '-hide_banner', place: { offset: 7, length: 12 } }],
      errors: [],
      warnings: [{ ...warning, fix: 'Leave it out.' }],
    },
  });
  expect(planned).toEqual([request]);
});

test('the errors are those of a dry run of the request, and lead to the words of the command', async () => {
  const rejected = invalidRequest([
    { field: '/parameters/crf', code: 'OUT_OF_RANGE', message: 'At most 51.', fix: sendValue('51') },
  ]);
  const { read, inject } = world({ dryRun: () => Promise.reject(rejected) });
  const { body } = await read(COMMAND);
  const dryRun = await inject({
    method: 'POST',
    url: '/api/conversion?dryRun=true',
    headers: BEARER,
    payload: body.request as object,
  });
  const [error] = dryRun.json<{ readonly errors: readonly object[] }>().errors;
  expect(error).toMatchObject({ apply: [{ op: 'replace', path: '/parameters/crf', value: '51' }] });
  expect(body.errors).toEqual([{ ...error, place: { offset: 30, length: 7 } }]);
  const listed = await read(['ffmpeg', '-i', 'in.mov', '-crf', '99', 'out.mp4']);
  expect(listed.body.errors).toEqual([{ ...error, place: { word: 3 } }]);
});

test('what no schema allows is an error of the request too', async () => {
  const { read } = world();
  const { body } = await read(`ffmpeg -i in.mov -f ${'x'.repeat(200)} out.mp4`);
  expect(body.errors).toMatchObject([{ field: '/format', code: 'TOO_LONG', place: { offset: 17, length: 203 } }]);
});

test('a command that only a shell can run has no request, and nothing is planned', async () => {
  const { read } = world({ dryRun: () => expect.fail('it is planned') });
  const { status, body } = await read('ffmpeg -i in.mov -f wav - | lame - out.mp3');
  expect(status).toBe(200);
  expect(body).toMatchObject({
    errors: [{ field: '/command', code: 'SHELL_SYNTAX', place: { offset: 26, length: 1 } }],
  });
  expect(body).not.toHaveProperty('request');
});

test('a problem that is not of the command is that of the call', async () => {
  const { read } = world({ dryRun: () => Promise.reject(new Problem('TIMEOUT', 'Too slow.')) });
  expect(await read(COMMAND)).toMatchObject({ status: 422, body: { code: 'TIMEOUT' } });
});

test.each([
  ['no text', 7, 'WRONG_TYPE'],
  ['nothing', '', 'EMPTY'],
  ['a list of other things', ['ffmpeg', 7], 'WRONG_TYPE'],
  ['an endless text', 'a'.repeat(100_001), 'TOO_LONG'],
  ['an endless list', Array.from({ length: 10_001 }, () => 'a'), 'TOO_MANY'],
])('a body whose command is %s is rejected', async (_what, command, code) => {
  const { read } = world();
  const { status, body } = await read(command);
  expect(status).toBe(400);
  expect(body.errors).toMatchObject([{ code }]);
});

test('reading needs the scope to submit, and counts as a dry run', async () => {
  expect((await world().read(COMMAND, {})).status).toBe(401);
  const { read } = world({}, { submissions: 1 });
  expect((await read(COMMAND)).status).toBe(200);
  expect((await read(COMMAND)).status).toBe(429);
});

const HOSTILE: readonly (readonly [string, string | readonly string[]])[] = [
  ['thousands of options', `ffmpeg -i a ${'-metadata a=b '.repeat(5000)} b.mp4`],
  ['thousands of names', `ffmpeg -i a ${Array.from({ length: 5000 }, (_, n) => `-o${n} 1 `).join('')} b.mp4`],
  ['thousands of inputs', ['ffmpeg', ...Array.from({ length: 4000 }, () => ['-i', 'a']).flat(), 'b.mp4']],
  ['thousands of outputs', ['-i', 'a', ...Array.from({ length: 9000 }, (_, n) => `${n}.mp4`)]],
  ['an unclosed quote', `ffmpeg -i "${'a '.repeat(40_000)}`],
  ['quotes in quotes', `ffmpeg -i ${`"'`.repeat(40_000)}`],
  ['backslashes', `ffmpeg -i C:${'\\'.repeat(90_000)}`],
  ['variables', '$('.repeat(50_000)],
  ['names of objects', 'ffmpeg -i a -__proto__ b -constructor c -f __proto__ toString.mp4'],
  ['control characters', 'ffmpeg -i \u0000\u001b[2J\ud800 -crf 1 out\u0007.mp4'],
  ['a script in a name', "ffmpeg -i '$(touch /tmp/pwned)' -vf 'a`id`' '; rm -rf /'"],
  ['a graph without end', `ffmpeg -i a -vf ${'subtitles=a,'.repeat(8000)} b.mp4`],
];

test.each(HOSTILE)('a hostile command is answered as any other: %s', async (_what, command) => {
  const { read, lines } = world();
  const { status, body } = await read(command);
  expect([200, 400]).toContain(status);
  expect(body.errors.length).toBeLessThanOrEqual(50);
  expect(JSON.stringify(body.errors).length).toBeLessThan(100_000);
  expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
});
