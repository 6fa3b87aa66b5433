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
  ['clip.mp4 -i ss=5 -i t=3 out.mp4', 'Write -i before its input', '-i ss=5 -i t=3 clip.mp4 out.mp4'],
  ['-y -pan a.mp4 o.mp4 --input-option=ss=5', 'Write -i before its input', '-y -p an --input-option ss=5 a.mp4 o.mp4'],
  ['a.mp4 -i ss=1 b.mp4 -i t=5 out.mp4', 'Write -i before its input', 'a.mp4 -i ss=1 -i t=5 b.mp4 out.mp4'],
  ['a.jpg b.jpg show.mp4 --duration 3 -y', 'Write it before the images', '--duration 3 a.jpg b.jpg show.mp4 -y'],
  [
    '--duration 3 a.jpg b.jpg --duration 4 music.mp3 show.mp4',
    'Write it before the images',
    '--duration 3 a.jpg --duration 4 b.jpg music.mp3 show.mp4',
  ],
  ['--duration 4 clip.mp4 out.mp4', 'For a part of a video or an audio file', 'clip.mp4 out.mp4 -p t=4'],
  ['--duration 4 -- -a.mp4 out.gif', 'For a part of a video or an audio file', './-a.mp4 out.gif -p t=4'],
  ['--duration 4 -i ss=2 clip.mp4 out.mp4 -p t=3', 'Leave it out', '-i ss=2 clip.mp4 out.mp4 -p t=3'],
  ['--crossfade 1 clip.mp4 out.mp4', 'Leave it out', 'clip.mp4 out.mp4'],
])('%s has an option that would do nothing', (argv, advice, fixed) => {
  expect(() => rejectUnusedOptions(wordsOf(argv))).toThrow(
    expect.objectContaining({ name: 'CommandFailed', fix: `${advice}: telecine convert ${fixed}` }),
  );
  expect(() => rejectUnusedOptions(wordsOf(fixed))).not.toThrow();
});

test('the command in a fix does not show the secrets of a URL', () => {
  const argv = 'https://me:secret@example.org/a.mp4?signature=secret -i ss=5 out.mp4';
  expect(() => rejectUnusedOptions(wordsOf(argv))).toThrow(
    expect.objectContaining({ fix: expect.stringContaining(" -i ss=5 'https://example.org/a.mp4?…' out.mp4") }),
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
    expect.objectContaining({
      code: 'NO_PICTURE',
      fix: 'For a part of a video or an audio file: telecine convert --to out/ a.mov b.mov -p t=4',
    }),
  );
  expect(() => rejectUnusedDuration(wordsOf('a.mov b.png --to out/ --duration 4'))).not.toThrow();
});
