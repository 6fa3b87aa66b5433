import { expect, test } from 'vitest';
import type { OrderedArgument } from '../../session/ordered-command.ts';
import { prepareConversion } from './conversion-order.ts';
import { readFiles, readInputs } from './inputs.ts';

const file = (text: string): OrderedArgument => ({ kind: 'file', text });
const seconds: OrderedArgument = { kind: 'option', name: 'input-option', value: 't=2', argv: ['-i', 't=2'] };

const requestOf = (...words: readonly OrderedArgument[]) => {
  const files = readFiles(words);
  if (files === undefined) throw new Error('There is no input.');
  const more = { format: undefined, parameters: {}, replace: false, strict: false, metadata: undefined };
  return prepareConversion({ ...files, ...more, expiresAfterSeconds: undefined, priority: undefined }, 'cli/x');
};

test('an input that starts with "source:" is a filtergraph, and nothing is uploaded for it', () => {
  const { request, uploads } = requestOf(
    file('server:mute.mp4'),
    seconds,
    file('source:sine=f=440'),
    file('server:out.mp4'),
  );
  expect(request.inputs).toEqual([{ input: 'mute.mp4' }, { source: 'sine=f=440', parameters: { t: '2' } }]);
  expect(uploads).toEqual([]);
});

test('a source alone is an input, and a local file of such a name is written with its folder', () => {
  expect(requestOf(file('source:testsrc2=d=1'), file('server:out.mp4')).request).toMatchObject({
    inputs: [{ source: 'testsrc2=d=1' }],
  });
  expect(requestOf(file('./source:a.mp4'), file('server:out.mp4')).uploads).toMatchObject([{ file: './source:a.mp4' }]);
});

test('a source as the last file says that the output is missing', () => {
  expect(() => requestOf(file('in.mp4'), file('source:testsrc2'))).toThrow(
    'source:testsrc2 is an input, and the last file is the output.',
  );
});

test('a source has no name by which --to could name its output', () => {
  expect(() => readInputs([file('in.mp4'), file('source:testsrc2=d=1')])).toThrow(
    'source:testsrc2=d=1 is not a file, and --to names each output after its input.',
  );
});
