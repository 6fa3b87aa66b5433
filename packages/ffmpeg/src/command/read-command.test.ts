import { expect, test } from 'vitest';
import { placeOf, readCommand, renameFilterFiles } from './read-command.ts';
import type { Place } from './shell-words.ts';

const requestOf = (command: string | readonly string[]) => readCommand(command).request;
const shown = (text: string, place: Place | undefined): string | undefined =>
  place !== undefined && 'offset' in place ? text.slice(place.offset, place.offset + place.length) : undefined;

test('one input and one output are a request with their names', () => {
  expect(requestOf('ffmpeg -i in.mov -c:v libx264 -crf 23 -an out.mp4')).toEqual({
    input: 'in.mov',
    output: 'out.mp4',
    parameters: { 'c:v': 'libx264', crf: '23', an: '' },
  });
});

test('a list of words is read as it is, without quotes and backslashes', () => {
  expect(requestOf(['ffmpeg', '-i', "it's $HOME.mov", '-vf', "drawtext=text='a|b'", 'out.mp4'])).toEqual({
    input: "it's $HOME.mov",
    output: 'out.mp4',
    parameters: { vf: "drawtext=text='a|b'" },
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

test('an option of the whole command is read wherever it is', () => {
  expect(requestOf('ffmpeg -vsync 0 -i in.mp4 -an out.mp4')).toEqual({
    input: 'in.mp4',
    output: 'out.mp4',
    parameters: { an: '', vsync: '0' },
  });
});

test('quotes, backslashes, comments and continued lines are read as a POSIX shell does', () => {
  const command = `$ ffmpeg -i 'my film.mp4' \\
  -vf "drawtext=text=\\"a\\"" \\
  -metadata title=It\\'s" me" -metadata 'a\\b="c\\d"' out.mp4   # a comment`;
  expect(requestOf(command)).toEqual({
    input: 'my film.mp4',
    output: 'out.mp4',
    parameters: { vf: 'drawtext=text="a"', metadata: ["title=It's me", 'a\\b="c\\d"'] },
  });
});

test.each([
  ['a path of Windows', String.raw`ffmpeg.exe -i C:\Films\in.mp4 -an out.mp4`, String.raw`C:\Films\in.mp4`],
  ['lines continued as in cmd', 'ffmpeg -i in.mp4 ^\r\n -an out.mp4', 'in.mp4'],
  ['a program with a path, by sudo', 'sudo /usr/local/bin/ffmpeg -i in.mp4 -an out.mp4', 'in.mp4'],
  ['no program', '-i in.mp4 -an out.mp4', 'in.mp4'],
  ['a prompt of Windows', String.raw`C:\Films> ffmpeg -i in.mp4 -an out.mp4`, 'in.mp4'],
  ['a file whose name is like a URL', 'ffmpeg -i file:http://a/in.mp4 -an out.mp4', './http://a/in.mp4'],
  ['a file whose name is like a path on a server', 'ffmpeg -i ./server:in.mp4 -an out.mp4', './server:in.mp4'],
  ['braces in quotes', "ffmpeg -i '{a,b}.mp4' -an out.mp4", '{a,b}.mp4'],
  ['braces that a shell leaves', 'ffmpeg -i {a}.mp4 -an out.mp4', '{a}.mp4'],
  ['a dollar at the end of quotes', 'ffmpeg -i "a $" -an out.mp4', 'a $'],
  ['names with folders and protocols', 'ffmpeg -i file:in.mp4 -an ./out.mp4', 'in.mp4'],
])('reads %s', (_what, command, input) => {
  expect(requestOf(command)).toEqual({ input, output: 'out.mp4', parameters: { an: '' } });
});

test('a generated input is a source, and its length is in seconds', () => {
  expect(requestOf('ffmpeg -f lavfi -t 00:01:03 -i anullsrc=r=48000 -i in.mp4 out.mp4')).toEqual({
    inputs: [{ source: 'anullsrc=r=48000', duration: '63' }, 'in.mp4'],
    output: 'out.mp4',
  });
});

test('the files that filters read are inputs, once', () => {
  const command = `ffmpeg -i in.mp4 -vf "subtitles='my words.srt',drawtext=text=a:fontfile=own.ttf,subtitles=my words.srt" out.mp4`;
  expect(readCommand(command)).toMatchObject({
    request: { inputs: ['in.mp4', 'my words.srt', 'own.ttf'] },
    filterFiles: ['my words.srt', 'own.ttf'],
  });
  const ownWords = readCommand('ffmpeg -i in.mkv -vf subtitles=in.mkv:si=1 out.mp4');
  expect(ownWords).toMatchObject({ request: { input: 'in.mkv' }, filterFiles: ['in.mkv'] });
  expect(requestOf('ffmpeg -i in.mp4 -vf drawtext=text=a:fontfile=/usr/share/fonts/a.ttf out.mp4')).toMatchObject({
    input: 'in.mp4',
  });
});

test('what changes nothing is left out with a reason, at its place', () => {
  const command = 'ffmpeg -hide_banner -loglevel error -hwaccel cuda -i in.mp4 -threads 4 -n out.mp4 -crf 20';
  const { request, leftOut } = readCommand(command);
  expect(request).toEqual({ input: 'in.mp4', output: 'out.mp4' });
  expect(leftOut.map(({ option, place }) => [option, shown(command, place)])).toEqual([
    ['-hide_banner', '-hide_banner'],
    ['-loglevel', '-loglevel error'],
    ['-hwaccel', '-hwaccel cuda'],
    ['-threads', '-threads 4'],
    ['-n', '-n'],
    ['-crf', '-crf 20'],
  ]);
  expect(leftOut.every(({ why }) => why !== '')).toBe(true);
});

test('of a repeated option, the last counts', () => {
  const command = 'ffmpeg -i in.mp4 -crf 20 -crf 28 out.mp4';
  const { request, leftOut } = readCommand(command);
  expect(request?.parameters).toEqual({ crf: '28' });
  expect(leftOut).toMatchObject([{ option: '-crf', value: '20' }]);
  expect(leftOut.map(({ place }) => shown(command, place))).toEqual(['-crf 20']);
});

test('two names of an option are the same option', () => {
  const { request, leftOut } = readCommand(
    'ffmpeg -i in.mp4 -vcodec libx264 -c:v mpeg4 -af aecho -filter:a areverse -an -an -lavfi null -filter_complex anull out.mp4 -vf subtitles=a.srt',
  );
  expect(request).toEqual({
    input: 'in.mp4',
    output: 'out.mp4',
    parameters: { 'c:v': 'mpeg4', 'filter:a': 'areverse', an: '', lavfi: ['null', 'anull'] },
  });
  expect(leftOut.map(({ option, value }) => [option, value])).toEqual([
    ['-vf', 'subtitles=a.srt'],
    ['-vcodec', 'libx264'],
    ['-af', 'aecho'],
    ['-an', undefined],
  ]);
});

test('of the files in a graph, only names of files are renamed', () => {
  const rename = (text: string) => renameFilterFiles(text, (file) => (file === 'a.ttf' ? 'up/0-a.ttf' : file));
  expect(rename('[0:v]drawtext=fontfile=a.ttf:text=a.ttf,drawtext=a.ttf[v]')).toBe(
    '[0:v]drawtext=fontfile=up/0-a.ttf:text=a.ttf,drawtext=up/0-a.ttf[v]',
  );
  expect(rename('drawtext=[')).toBe('drawtext=[');
});

test.each([
  ['ffmpeg -i $FILE out.mp4', '$FILE', /is a variable/],
  ['ffmpeg -i "$f.mp4" out.mp4', '$f', /is a variable/],
  ['ffmpeg -i "\x24{f%.*}.mp4" out.mp4', '\x24{f%.*}', /is a variable/],
  ['ffmpeg -i in.mp4 $(date).mp4', '$(date)', /no shell runs/],
  ['ffmpeg -i in.mp4 `date`.mp4', '`date`', /no shell runs/],
  ['ffmpeg -i in.mp4 -f wav - | lame - out.mp3', '|', /is a pipe/],
  ['ffmpeg -i in.mp4 out.mp4 < files.bin', '<', /redirects/],
  ['ffmpeg -i in.mp4 out.mp4 2>/dev/null', '2>', /redirects/],
  ['ffmpeg -i in.mp4 out.mp4 &', '&', /ends the command/],
  ['ffmpeg -i in.mp4 a.mp4; ffmpeg -i in.mp4 b.mp4', ';', /ends the command/],
  ['ffmpeg -i a -pass 1 -f null - && ffmpeg -i a -pass 2 b.mp4', '&&', /ends the command/],
  ['ffmpeg -i in.mp4 a.mp4\nffmpeg -i in.mp4 b.mp4', '\n', /A new line ends the command/],
  ['ffmpeg -i a{1,2}.mp4 out.mp4', '{1,2}', /replaced by several words/],
  ['ffmpeg -i {1..9}.mp4 out.mp4', '{1..9}', /replaced by several words/],
  ["ffmpeg -i in.mp4 -metadata title=$'a\\nb' out.mp4", "$'", /a shell rewrites/],
  ['ffmpeg -i in.mp4 -metadata title=$"a" out.mp4', '$"', /a shell rewrites/],
  ['ffmpeg -version', '-version', /converts nothing/],
  ['ffmpeg -hide_banner -h encoder=libx264', '-h', /converts nothing/],
  ['ffmpeg -i file:/dev/video0 out.mp4', 'file:/dev/video0', /is not a file/],
  ['ffmpeg -i *.mp4 out.mp4', '*.mp4', /is a pattern/],
  ['ffmpeg -i in.mp4 -vf select=eq(n\\,0) out.png', '(', /language of shells/],
  ['ffmpeg -i ~/in.mp4 out.mp4', '~', /replaced by a shell/],
  ['ffmpeg -i in.mp4 –an out.mp4', '–an', /word processor/],
  ['ffmpeg -i "in.mp4 out.mp4', '"in.mp4 out.mp4', /never closed/],
  ["ffmpeg -i 'in.mp4 out.mp4", "'in.mp4 out.mp4", /never closed/],
  ['ffmpeg -i - out.mp4', '-', /is not a file/],
  ['ffmpeg -i pipe:0 out.mp4', 'pipe:0', /is not a file/],
  ['ffmpeg -i in.mp4 -f null -', '-', /is not a file/],
  ['ffmpeg -i in.mp4 -f null out', 'out', /is not a file/],
  ['ffmpeg -i in.mp4 -f v4l2 /dev/video0', '/dev/video0', /"-f v4l2" is a device/],
  ['ffmpeg -i /dev/video0 out.mp4', '/dev/video0', /is not a file/],
  ['ffmpeg -f x11grab -i :0 out.mp4', ':0', /"-f x11grab" is a device/],
  ['ffmpeg -f concat -safe 0 -i list.txt -c copy out.mp4', 'list.txt', /"-f concat" reads a list/],
  ['ffprobe in.mp4', 'ffprobe', /is not ffmpeg/],
  ['ffmpeg -i in.mp4 out.mp4 -crf', '-crf', /needs a value/],
  ['ffmpeg -i in.mp4', undefined, /no output/],
  ['ffmpeg out.mp4', undefined, /no input/],
])('says what cannot be a request, at its place: %s', (command, place, message) => {
  const { errors, request } = readCommand(command);
  expect(request).toBeUndefined();
  const error = errors.find((one) => message.test(one.message));
  expect(error).toMatchObject({ field: '/command', fix: expect.any(String) });
  expect(shown(command, error?.place)).toBe(place);
});

test('a pattern in the value of an option is its text, because it names no files', () => {
  const command = 'ffmpeg -i in.mp4 -map 0:a? -filter_complex [0:v]hflip[v] -map [v] out.mp4';
  expect(requestOf(command)?.parameters).toEqual({ map: ['0:a?', '[v]'], filter_complex: '[0:v]hflip[v]' });
  expect(requestOf("ffmpeg -pattern_type glob -i '*.png' out.mp4")).toBeDefined();
});

test('an error in a list of words leads to the word', () => {
  expect(readCommand(['ffmpeg', '-i', 'pipe:0', 'out.mp4']).errors).toMatchObject([
    { field: '/command/2', place: { word: 2 } },
  ]);
});

test('a field of an error of the service leads to the words of the command', () => {
  const command = "ffmpeg -ss x -i in.mp4 -map 0:v -map 9:a -x264-params 'a=b' out.mp4";
  const found = readCommand(command);
  const words = (field: string) => shown(command, placeOf(found, field));
  expect(words('/inputs/0/parameters/ss')).toBe('-ss x');
  expect(words('/parameters/map/1')).toBe('-map 9:a');
  expect(words('/parameters/x264-params')).toBe("-x264-params 'a=b'");
  expect(words('/inputs/0/input')).toBe('in.mp4');
  expect(words('/output')).toBe('out.mp4');
  expect(placeOf(found, '/strict')).toBeUndefined();
});
