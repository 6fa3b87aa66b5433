import { expect, test } from 'vitest';
import { applyFix, type ToolArguments } from '../support/apply-fix.ts';
import { errorsOfBody } from '../support/mistakes.ts';

/** Bodies that say a request as a command, or as other services do, and the request that the fixes lead to. */

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
  // Without its files, a command has the options.
  [
    { input: 'a.mp4', output: 'b.mp4', command: '-vf scale=640:-2 -c:v libx264 -t 5' },
    { input: 'a.mp4', output: 'b.mp4', parameters: { vf: 'scale=640:-2', 'c:v': 'libx264', t: '5' } },
  ],
  [
    { ffmpeg_command: 'ffmpeg -i a.mp4 -vf "drawtext=text=\'it is\':x=10" b.mp4' },
    { input: 'a.mp4', output: 'b.mp4', parameters: { vf: "drawtext=text='it is':x=10" } },
  ],
  [
    { input: 'a.mp4', output: 'b.mp4', parameters: ['-c:v libx264', '-crf 28', '-t 5'] },
    { input: 'a.mp4', output: 'b.mp4', parameters: { 'c:v': 'libx264', crf: '28', t: '5' } },
  ],
  [
    { input: 'a.mp4', output: 'b.mp4', parameters: ['-c:v', 'libx264', '-an'] },
    { input: 'a.mp4', output: 'b.mp4', parameters: { 'c:v': 'libx264', an: '' } },
  ],
  [
    { input: 'a.mp4', output: 'b.mp4', args: '-c:v libx264 -crf 28' },
    { input: 'a.mp4', output: 'b.mp4', parameters: { 'c:v': 'libx264', crf: '28' } },
  ],
  [
    { inputs: [{ path: 'a.mp4', start: 2, end: 5 }], output: 'b.mp4', parameters: { 'c:v': 'libx264' } },
    {
      inputs: [{ input: 'a.mp4', parameters: { ss: '2', to: '5' } }],
      output: 'b.mp4',
      parameters: { 'c:v': 'libx264' },
    },
  ],
  [
    {
      input: 'a.mp4',
      output: {
        path: 'b.mp4',
        video: { codec: 'libx264', bitrate: 2_000_000, height: 720 },
        audio: { codec: 'aac', channels: 2 },
      },
      parameters: { t: '4' },
    },
    {
      input: 'a.mp4',
      output: 'b.mp4',
      parameters: { t: '4', 'c:v': 'libx264', 'b:v': '2000000', vf: 'scale=-2:720', 'c:a': 'aac', ac: '2' },
    },
  ],
  [
    { input: 'a.mp4', output: 'b.mp4', video: { codec: 'libx264', fps: 30 }, audio: { bitrate: '96k' } },
    { input: 'a.mp4', output: 'b.mp4', parameters: { 'c:v': 'libx264', r: '30', 'b:a': '96k' } },
  ],
  [
    { input: 'a.mp4', output: 'b.mp4', crf: 28, 'c:v': 'libx264', parameters: { t: '5' } },
    { input: 'a.mp4', output: 'b.mp4', parameters: { t: '5', crf: '28', 'c:v': 'libx264' } },
  ],
  [
    { src: 'a.mp4', dst: 'b.mp4', width: 640, height: 360, duration: 5 },
    { input: 'a.mp4', output: 'b.mp4', parameters: { s: '640x360', t: '5' } },
  ],
])('%j means %j', (body, request) => {
  expect(corrected(body)).toEqual(request);
});

test('one answer has the fixes of all wrong names and types', () => {
  const body = {
    input_path: 'a.mp4',
    output_path: 'b.mp4',
    options: { video_codec: 'libx264', width: 640, crf: 28, movflags: '+faststart', an: true, map: ['0:v'] },
  };
  const right = errorsOfBody(body).reduce<ToolArguments>(
    (at, { message, field, fix }) => applyFix(at, { code: '', message, field, fix: String(fix) }),
    body,
  );
  expect(right).toEqual({
    input: 'a.mp4',
    output: 'b.mp4',
    parameters: {
      'c:v': 'libx264',
      vf: 'scale=640:-2',
      crf: '28',
      movflags: '+faststart',
      an: '',
      map: ['0:v'],
    },
  });
  expect(errorsOfBody(right)).toEqual([]);
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

test.each<[fields: object, right: object]>([
  [{ overwrite: true }, { parameters: { y: '' } }],
  [{ overwriteOutput: 'true', parameters: { crf: '20' } }, { parameters: { crf: '20', y: '' } }],
  [{ startTime: 3, force: true }, { parameters: { ss: '3', y: '' } }],
  [{ overwrite: false, startTime: 3 }, { parameters: { ss: '3' } }],
])('fields that ask to replace the output mean the option y: %j', (fields, right) => {
  const files = { input: 'a.mp4', output: 'b.mp4' };
  const members = JSON.stringify(right).slice(1, -1).replace('":', '": ');
  const errors = errorsOfBody({ ...files, ...fields });
  expect(errors.length).toBeGreaterThan(0);
  for (const error of errors) expect(error).toMatchObject({ code: 'UNKNOWN_FIELD', fix: `Send ${members}.` });
  expect(errorsOfBody({ ...files, ...right })).toEqual([]);
});

test('a field that asks not to replace the output is left out, because that is the rule', () => {
  expect(errorsOfBody({ input: 'a.mp4', output: 'b.mp4', overwrite: false })).toMatchObject([
    { field: '/overwrite', code: 'UNKNOWN_FIELD', fix: 'Leave it out.' },
  ]);
});

const withParameters = (parameters: object) => ({ input: 'a.mp4', output: 'b.mp4', parameters });

test.each<[sent: object, meant: object]>([
  [{ vf: { scale: '640:-2', hue: 's=0' } }, { vf: 'scale=640:-2,hue=s=0' }],
  [{ vf: { scale: { w: 640, h: -2 }, hflip: true } }, { vf: 'scale=w=640:h=-2,hflip' }],
  [{ vf: { name: 'scale', options: { w: 640, h: -2 } } }, { vf: 'scale=w=640:h=-2' }],
  [{ vf: [{ filter: 'scale', w: 640, h: -2 }, 'hflip'] }, { vf: 'scale=w=640:h=-2,hflip' }],
  [{ vf: [{ scale: [640, -2] }, { fps: 25 }] }, { vf: 'scale=640:-2,fps=25' }],
  [{ vf: { drawtext: { text: "It's 12:30, now" } } }, { vf: String.raw`drawtext=text=It\\\'s 12\\:30\, now` }],
  [{ af: { volume: 2 } }, { af: 'volume=2' }],
  [{ 'x264-params': { keyint: 60, cabac: false } }, { 'x264-params': 'keyint=60:cabac=0' }],
  [{ movflags: { faststart: true } }, { movflags: '+faststart' }],
  [{ s: { width: 1280, height: 720 } }, { s: '1280x720' }],
  [{ c: { video: 'libx264', audio: 'aac' } }, { 'c:v': 'libx264', 'c:a': 'aac' }],
  [{ map: { video: '0:v:0', audio: '0:a:0' } }, { map: ['0:v:0', '0:a:0'] }],
])('%j means %j', (sent, meant) => {
  expect(corrected(withParameters(sent) as never)).toEqual(withParameters(meant));
});

test.each([{ crf: { value: { of: 23 } } }, { vf: { scale: { w: {} } } }, { vf: {} }])(
  'an object without a meaning gets the form of a value: %j',
  (sent) => {
    expect(errorsOfBody(withParameters(sent))).toMatchObject([
      { code: 'WRONG_TYPE', fix: expect.stringContaining('as a string') },
    ]);
  },
);
