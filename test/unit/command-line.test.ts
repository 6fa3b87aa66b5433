import { expect, test } from 'vitest';
import { applyFix, type ToolArguments } from '../support/apply-fix.ts';
import { errorsOfBody } from '../support/mistakes.ts';

/** Bodies that say a request or its options as a command, and the request that the fixes lead to. */

function corrected(body: ToolArguments): unknown {
  let current = body;
  for (let fixes = 0; fixes < 8; fixes += 1) {
    const [error] = errorsOfBody(current);
    if (error === undefined) return current;
    const { message, field, fix } = error;
    if (typeof fix !== 'string') throw new Error(`No fix: ${message}`);
    current = applyFix(current, { code: '', message, field, fix });
  }
  throw new Error(`Still wrong: ${JSON.stringify(current)}`);
}

test.each<[body: ToolArguments, request: unknown]>([
  [
    { command: 'ffmpeg -i a.mp4 -t 5 -vf scale=640:-2 -c:v libx264 b.mp4' },
    { input: 'a.mp4', output: 'b.mp4', parameters: { t: '5', vf: 'scale=640:-2', 'c:v': 'libx264' } },
  ],
  [
    { cmd: '/usr/bin/ffmpeg -hide_banner -ss 5 -i a.mp4 -i s.mp3 -map 0:v -map 1:a -shortest "my film.mp4"' },
    {
      inputs: [{ input: 'a.mp4', parameters: { ss: '5' } }, 's.mp3'],
      output: 'my film.mp4',
      parameters: { map: ['0:v', '1:a'], shortest: '' },
    },
  ],
  [
    { command: 'ffmpeg -i a.mp4 -c copy -metadata title=One -metadata artist=Me -crf 20 -crf 23 b.mp4' },
    {
      input: 'a.mp4',
      output: 'b.mp4',
      parameters: { c: 'copy', metadata: ['title=One', 'artist=Me'], crf: '23' },
    },
  ],
  [
    { input: 'a.mp4', output: 'b.mp4', parameters: ['-c:v libx264', '-crf 28', '-t 5'] },
    { input: 'a.mp4', output: 'b.mp4', parameters: { 'c:v': 'libx264', crf: '28', t: '5' } },
  ],
  [
    { input: 'a.mp4', output: 'b.mp4', parameters: ['-c:v', 'libx264', '-an'] },
    { input: 'a.mp4', output: 'b.mp4', parameters: { 'c:v': 'libx264', an: '' } },
  ],
])('%j means %j', (body, request) => {
  expect(corrected(body)).toEqual(request);
});

test('options under another name do not replace parameters that are set already', () => {
  const both = { input: 'a.mp4', output: 'b.mp4', parameters: { r: '25' }, options: { crf: 28 } };
  expect(errorsOfBody(both)).toMatchObject([
    { fix: 'Leave it out, or send its value as "parameters", which is set already.' },
  ]);
});

test('a command with two outputs is a request with two', () => {
  const [error] = errorsOfBody({ command: 'ffmpeg -i a.mp4 b.mp4 c.mp4', input: 'a.mp4', output: 'b.mp4' });
  expect(error?.fix).toEqual(
    'Send "input": "a.mp4" and "outputs": [{"output":"b.mp4"},{"output":"c.mp4"}], and leave "output" out.',
  );
});

test.each(['ffmpeg -i a.mp4 b.mp4 && rm a.mp4', 'ffmpeg -i "a.mp4 b.mp4', 'hello', ''])(
  'the command %j has no fix that would lose a part of it',
  (command) => {
    const [error] = errorsOfBody({ command, input: 'a.mp4', output: 'b.mp4' });
    expect(error).toMatchObject({ field: '/command', code: 'UNKNOWN_FIELD' });
    expect([error?.fix].flat()[0]).toMatch(/^Leave it out/);
  },
);

const withParameters = (parameters: object) => ({ input: 'a.mp4', output: 'b.mp4', parameters });

test.each([{ crf: { value: 23 } }, { vf: { scale: '640:-2' } }, { vf: {} }, { c: { video: 'libx264' } }])(
  'an object as the value of an option gets the form of a value: %j',
  (sent) => {
    expect(errorsOfBody(withParameters(sent))).toMatchObject([
      { code: 'WRONG_TYPE', fix: expect.stringContaining('as a string') },
    ]);
  },
);
