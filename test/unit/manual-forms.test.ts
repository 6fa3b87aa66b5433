import { expect, test } from 'vitest';
import { readCommand } from '../manual/ffmpeg-command.ts';
import { runnables } from '../manual/forms.ts';
import { readExamples } from '../manual/read-examples.ts';
import { shellCommands } from '../manual/shell-words.ts';
import { toRequests } from '../manual/to-request.ts';
import { CATALOGUE } from '../support/planning.ts';

/** How examples of ffmpeg's manual become commands and requests. */

const examples = (html: string) => readExamples('page', `<h3 class="section">8.1 atempo<span>#</span></h3>${html}`);

const forms = (text: string) =>
  examples(`<pre class="example">${text}</pre>`).flatMap((example) =>
    runnables(example, CATALOGUE).map((one) => one.forms.map((words) => words.join(' '))),
  );

test('reads the examples of a page with their sections', () => {
  expect(examples('<pre class="example">a &lt; <b>b</b> &amp;\n</pre><pre class="verbatim">c</pre>')).toEqual([
    { place: 'page: 8.1 atempo', section: 'atempo', number: 1, text: 'a < b &' },
  ]);
});

test.each([
  ['a \'b c\' "d\\"e" f\\ g', [['a', 'b c', 'd"e', 'f g']]],
  ['a \\\n b # c\nd|e', [['a', 'b'], ['d'], ['e']]],
  ['a "b', undefined],
  ['a $b', undefined],
])('splits %s into words', (text, commands) => expect(shellCommands(text)).toEqual(commands));

test.each([
  ['ffmpeg -i a.mp4 -vf hflip b.mp4', [['-i a.mp4 -vf hflip b.mp4']]],
  ['./ffmpeg -i a.mp4\n-vf hflip http://x/live/b.mp4', [['-i a.mp4 -vf hflip live/b.mp4']]],
  ['-vf hflip', [['-i INPUT -vf hflip']]],
  ['ffplay -i a.mp4 -vf hflip', [['-i a.mp4 -vf hflip']]],
  ['1 --&gt; 2', [[]]],
])('finds the commands of %s', (text, commands) => expect(forms(text)).toEqual(commands));

test.each([
  ['atempo=2', 'atempo=2'],
  ['"atempo=2"', 'atempo=2'],
  ['tempo=2', 'atempo=tempo=2'],
])('finds the graph of %s', (text, graph) => {
  expect(forms(text)[0]).toContain(`-i input1.mkv -af ${graph} -f framemd5 out.framemd5`);
});

test('each line of a block of several examples is one', () => {
  expect(forms('atempo=2\natempo=3,\natempo=4')).toHaveLength(2);
});

const requests = (...words: string[]) => toRequests(readCommand(words, CATALOGUE), CATALOGUE);

test('translates a command into a request, option by option', () => {
  expect(requests('-y', '-ss', '1', '-i', 'a.mp4', '-map', '0:v', '-map', '0:a', '-f', 'null', '-')).toEqual([
    {
      inputs: [{ input: 'a.mp4', parameters: { ss: '1' } }],
      output: 'out.framemd5',
      format: 'framemd5',
      parameters: { y: '', map: ['0:v', '0:a'] },
    },
  ]);
});

test('several outputs are a request each, unless they come from one graph', () => {
  expect(requests('-i', 'a', '-b:a', '1k', 'b.mp2', '-b:a', '2k', 'c.mp2').map(({ output }) => output)).toEqual([
    'b.mp2',
    'c.mp2',
  ]);
  expect(requests('-i', 'a', '-lavfi', 'x', '-map', '[a]', 'b.wav', '-map', '[b]', 'c.wav')).toEqual([
    { inputs: [{ input: 'a' }], output: 'outputs.mkv', parameters: { lavfi: 'x', map: ['[a]', '[b]'] } },
  ]);
});
