import { expect, test } from 'vitest';
import { isFlag, placeOf, readFfmpegCommand } from './ffmpeg-command.ts';

const requestOf = (text: string) => readFfmpegCommand(text).request;
const shown = (text: string, { from, to }: { readonly from: number; readonly to: number }) => text.slice(from, to);

test('one input and one output are a request with their names', () => {
  expect(requestOf('ffmpeg -i in.mov -c:v libx264 -crf 23 -an out.mp4')).toEqual({
    input: 'in.mov',
    output: 'out.mp4',
    parameters: { 'c:v': 'libx264', crf: '23', an: '' },
  });
});

test('options before an input are of that input', () => {
  expect(requestOf('ffmpeg -y -ss 5 -t 2 -i a.mp4 -i b.wav -map 0:v -map 1:a -shortest -f matroska out.mkv')).toEqual({
    inputs: [{ input: 'a.mp4', parameters: { ss: '5', t: '2' } }, 'b.wav'],
    output: 'out.mkv',
    format: 'matroska',
    parameters: { map: ['0:v', '1:a'], shortest: '', y: '' },
  });
});

test('several outputs keep their options, and share those of the whole command', () => {
  const command =
    'ffmpeg -i in.mp4 -filter_complex "[0:v]split[a][b]" -map "[a]" -s 640x360 a.mp4 -map "[b]" -f webm b.webm';
  expect(requestOf(command)).toEqual({
    input: 'in.mp4',
    parameters: { filter_complex: '[0:v]split[a][b]' },
    outputs: [
      { output: 'a.mp4', parameters: { map: '[a]', s: '640x360' } },
      { output: 'b.webm', format: 'webm', parameters: { map: '[b]' } },
    ],
  });
});

test('quotes, backslashes, comments and continued lines are read as a shell does', () => {
  const command = `$ ffmpeg -i 'my film.mp4' \\
  -vf "drawtext=text=\\"a\\"" \\
  -metadata title=It\\'s\\ me out.mp4   # a comment`;
  expect(requestOf(command)).toEqual({
    input: 'my film.mp4',
    output: 'out.mp4',
    parameters: { vf: 'drawtext=text="a"', metadata: "title=It's me" },
  });
});

test.each([
  ['curly quotes and long dashes of a web page', 'ffmpeg –i “in put.mp4” –an out.mp4', 'in put.mp4'],
  ['a path of Windows', String.raw`ffmpeg.exe -i C:\Films\in.mp4 -an out.mp4`, String.raw`C:\Films\in.mp4`],
  ['lines continued as in cmd', 'ffmpeg -i in.mp4 ^\r\n -an out.mp4', 'in.mp4'],
  ['a program with a path, by sudo', 'sudo /usr/local/bin/ffmpeg -i in.mp4 -an out.mp4', 'in.mp4'],
  ['no program', '-i in.mp4 -an out.mp4', 'in.mp4'],
])('reads %s', (_what, command, input) => {
  expect(requestOf(command)).toEqual({ input, output: 'out.mp4', parameters: { an: '' } });
});

test('a generated input is a source', () => {
  expect(requestOf('ffmpeg -f lavfi -t 3 -i anullsrc=r=48000 -i in.mp4 out.mp4')).toEqual({
    inputs: [{ source: 'anullsrc=r=48000', duration: '3' }, 'in.mp4'],
    output: 'out.mp4',
  });
});

test('the two commands of a two-pass encoding are one request', () => {
  const first = 'ffmpeg -y -i in.mp4 -c:v libx264 -b:v 1M -pass 1 -an -f null /dev/null';
  const found = readFfmpegCommand(`${first} && \\\nffmpeg -i in.mp4 -c:v libx264 -b:v 1M -pass 2 out.mp4`);
  expect(found).toMatchObject({ errors: [], request: { output: 'out.mp4', parameters: { 'b:v': '1M', pass: '2' } } });
  expect(found.notes.map(({ message }) => message)).toEqual([
    'Left out the first pass: the service runs both passes by itself.',
  ]);
});

test('what changes nothing is left out with a word about it, at its place', () => {
  const command = 'ffmpeg -hide_banner -loglevel error -hwaccel cuda -i in.mp4 -n out.mp4 2>/dev/null';
  const { request, notes } = readFfmpegCommand(command);
  expect(request).toEqual({ input: 'in.mp4', output: 'out.mp4' });
  expect(notes.map((note) => shown(command, note))).toEqual([
    '-hide_banner',
    '-loglevel error',
    '-hwaccel cuda',
    '-n',
    '2>/dev/null',
  ]);
});

test('of a repeated option, the last counts', () => {
  const command = 'ffmpeg -i in.mp4 -crf 20 -crf 28 out.mp4';
  const { request, notes } = readFfmpegCommand(command);
  expect(request?.parameters).toEqual({ crf: '28' });
  expect(notes.map((note) => shown(command, note))).toEqual(['-crf 20']);
});

test.each([
  ['ffmpeg -i $FILE out.mp4', '$FILE', /is a variable/],
  ['ffmpeg -i "$f.mp4" out.mp4', '$f', /is a variable/],
  ['ffmpeg -i in.mp4 $(date).mp4', '$(date)', /no shell runs here/],
  ['ffmpeg -i in.mp4 -f wav - | lame - out.mp3', '|', /A pipe/],
  ['ffmpeg -i in.mp4 out.mp4 < files.bin', '< files.bin', /^The redirection "< files.bin" needs a shell/],
  ['ffmpeg -i "in.mp4 out.mp4', '"in.mp4 out.mp4', /never closed/],
  ['ffmpeg -i in.mp4 -f null -', '-', /is not a file/],
  ['ffmpeg -f concat -safe 0 -i list.txt -c copy out.mp4', 'list.txt', /A list of files/],
  ['ffmpeg -i in.mp4 a.mp4; ffmpeg -i in.mp4 b.mp4', 'ffmpeg -i in.mp4 b.mp4', /a second command/],
  ['ffprobe in.mp4', 'ffprobe', /is not ffmpeg/],
  ['ffmpeg -i in.mp4 out.mp4 -crf', '-crf', /needs a value/],
  ['ffmpeg -i in.mp4', '', /no output/],
  ['ffmpeg out.mp4', 'ffmpeg out.mp4', /no input/],
])('says what cannot be a request, at its place: %s', (command, place, message) => {
  const { errors, request } = readFfmpegCommand(command);
  expect(request).toBeUndefined();
  const error = errors.find((one) => message.test(one.message));
  expect(error && shown(command, error)).toBe(place);
  expect(error?.fix).toBeDefined();
});

test('a field of an error of the service leads to the words of the command', () => {
  const command = "ffmpeg -ss x -i in.mp4 -map 0:v -map 9:a -x264-params 'a=b' out.mp4";
  const found = readFfmpegCommand(command);
  const words = (field: string) => shown(command, placeOf(found, field) ?? { from: 0, to: 0 });
  expect(words('/inputs/0/parameters/ss')).toBe('-ss x');
  expect(words('/parameters/map/1')).toBe('-map 9:a');
  expect(words('/parameters/x264-params')).toBe("-x264-params 'a=b'");
  expect(words('/inputs/0/input')).toBe('in.mp4');
  expect(words('/output')).toBe('out.mp4');
  expect(placeOf(found, '/strict')).toBeUndefined();
});

test('an empty text is neither a request nor an error', () => {
  expect(readFfmpegCommand(' \n# nothing')).toMatchObject({ errors: [], notes: [] });
});

test('an option with a stream specifier can be a flag', () => {
  expect(isFlag('an')).toBe(true);
  expect(isFlag('crf')).toBe(false);
});
