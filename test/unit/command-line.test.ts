import { expect, test } from 'vitest';
import { applyFix, type ToolArguments } from '../support/apply-fix.ts';
import { errorsOfBody } from '../support/mistakes.ts';

/** Bodies that say options as on a command line, and the request that the fixes lead to. */

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

test.each(['ffmpeg -i a.mp4 b.mp4', 'ffmpeg -i a.mp4 b.mp4 && rm a.mp4', 'hello', ''])(
  'no request takes a command: %j',
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
