import { expect, test } from 'vitest';
import { OrderedCommand } from '../../session/ordered-command.ts';
import { addParameter, type CommandParameters } from '../../session/parameters.ts';
import { readFiles } from './inputs.ts';

/** Parses arguments as `telecine convert` does. */
function read(...argv: string[]) {
  const command = new OrderedCommand('convert')
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .argument('<files...>')
    .option('-p, --parameter <name=value>', '', addParameter)
    .option('-i, --input-option <name=value>', '', addParameter)
    .option('--duration <seconds>')
    .option('--crossfade <seconds>')
    .option('-y');
  command.parse(argv, { from: 'user' });
  return {
    files: readFiles(command.words(command.args)),
    parameters: command.opts<{ parameter: CommandParameters }>().parameter,
  };
}

const local = (path: string) => ({ on: 'local', path });

test('the last file is the output, at any position of the options', () => {
  const { files, parameters } = read('a.mp4', '-p', 'c:v=libx264', 'server:b/c.mp4', '-y', 'out.mp4', '-pan');
  expect(files?.inputs.map(({ location }) => location)).toEqual([local('a.mp4'), { on: 'server', path: 'b/c.mp4' }]);
  expect(files?.output).toEqual(local('out.mp4'));
  expect(parameters).toEqual({ 'c:v': 'libx264', an: '' });
});

test('an input option applies only to the next input', () => {
  const { files } = read(
    '-i',
    'ss=2',
    '--input-option=t=5',
    'a.mp4',
    'b.mp4',
    '-i',
    'itsoffset=-1',
    'c.mp4',
    'out.mp4',
  );
  expect(files?.inputs.map(({ parameters }) => parameters)).toEqual([
    { ss: '2', t: '5' },
    undefined,
    { itsoffset: '-1' },
  ]);
});

test('a duration applies to all following pictures, but not to music', () => {
  const { files } = read(
    '--duration',
    '3',
    'a.jpg',
    '--crossfade',
    '1',
    'b.png',
    '--duration=4',
    'c.webp',
    'm.mp3',
    'out.mp4',
  );
  expect(files?.inputs.map(({ duration, crossfade }) => [duration, crossfade])).toEqual([
    ['3', undefined],
    ['3', '1'],
    ['4', '1'],
    [undefined, undefined],
  ]);
});

test('file names that begin with a dash are allowed after "--"', () => {
  expect(read('-y', '--', '-a.mp4', '-b.mp4').files).toMatchObject({
    inputs: [{ location: local('-a.mp4') }],
    output: local('-b.mp4'),
  });
});

test('rejects a command line with only one file', () => {
  expect(read('a.mp4').files).toBeUndefined();
});

test('a value may contain equal signs, and a repeated name makes a list', () => {
  const { parameters } = read(
    'a',
    'b',
    '-p',
    'metadata=title=A=B',
    '-p',
    'metadata=artist=C',
    '-p',
    'map=',
    '-p',
    '__proto__=x',
  );
  expect(Object.entries(parameters)).toEqual([
    ['metadata', ['title=A=B', 'artist=C']],
    ['map', ''],
    ['__proto__', 'x'],
  ]);
});

test('the error for an option with a dash, or without a name, shows the correct form', () => {
  expect(() => read('a', 'b', '-p', '-c:v=libx264')).toThrow('without the dash: c:v=libx264');
  expect(() => read('a', 'b', '-p', '=3')).toThrow('name=value');
});

test.each(['crf 28', 'crf = 28', 'c:v libx264'])('an option without "=" is an error: -p "%s"', (sent) => {
  expect(() => read('a', 'b', '-p', sent)).toThrow('Write "=" between the name and the value, such as crf=28.');
});

test('a value may contain spaces', () => {
  const { parameters } = read('a', 'b', '-p', 'metadata=title=My film', '-p', 'vf=drawtext=text=a = b');
  expect(parameters).toEqual({ metadata: 'title=My film', vf: 'drawtext=text=a = b' });
});

test('the error for an option in ffmpeg syntax shows the correct form', () => {
  expect(() => read('a', '-preset', 'fast', 'b')).toThrow('-p preset=VALUE');
  expect(() => read('a', '-profile:v', 'high', 'b')).toThrow('-p profile:v=VALUE');
  expect(() => read('-i', 'in.mp4', 'out.mp4')).toThrow('Name a file alone');
  expect(read('a', 'b', '-pshortest').parameters).toEqual({ shortest: '' });
});
