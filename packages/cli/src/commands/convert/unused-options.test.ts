import { expect, test } from 'vitest';
import { OrderedCommand } from '../../session/ordered-command.ts';
import { addParameter } from '../../session/parameters.ts';
import { rejectUnusedDuration, rejectUnusedOptions } from './command-mistakes.ts';

/** The arguments of `telecine convert`. */
function wordsOf(argv: string) {
  const command = new OrderedCommand('convert')
    .argument('<files...>')
    .option('-p, --parameter <name=value>', '', addParameter)
    .option('-i, --input-option <name=value>', '', addParameter)
    .option('--duration <seconds>')
    .option('--crossfade <seconds>')
    .option('--to <folder>')
    .option('-y');
  command.parse(argv.split(' '), { from: 'user' });
  return command.words(command.args);
}

test.each([
  ['clip.mp4 -i ss=5 -i t=3 out.mp4', '-i t=3'],
  ['a.mp4 -i ss=1 b.mp4 -i t=5 out.mp4', '-i t=5'],
  ['a.jpg b.jpg show.mp4 --duration 3 -y', '--duration 3'],
  ['--duration 4 clip.mp4 out.mp4', '--duration 4'],
  ['--crossfade 1 clip.mp4 out.mp4', '--crossfade 1'],
])('%s has an option that would do nothing', (argv, option) => {
  expect(() => rejectUnusedOptions(wordsOf(argv))).toThrow(
    expect.objectContaining({
      name: 'CommandFailed',
      message: expect.stringContaining(`${option} would do nothing: `),
      fix: expect.stringContaining('Write it before its input.'),
    }),
  );
});

test.each([
  '-i ss=5 clip.mp4 out.mp4 -y',
  '--duration 3 --crossfade 1 a.jpg music.mp3 b.jp2 show.mp4',
  'music.mp3 --duration 3 https://example.org/a.jpg?size=2 show.mp4',
  '--duration 3 server:title.png out.mp4',
])('each option of %s applies to a file', (argv) => {
  expect(() => rejectUnusedOptions(wordsOf(argv))).not.toThrow();
});

test('with --to, a duration needs one picture, anywhere', () => {
  expect(() => rejectUnusedDuration(wordsOf('--to out/ a.mov b.mov --duration 4'))).toThrow(
    expect.objectContaining({ code: 'LATE_OPTION' }),
  );
  expect(() => rejectUnusedDuration(wordsOf('a.mov b.png --to out/ --duration 4'))).not.toThrow();
});
