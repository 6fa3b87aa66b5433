import { expect, test } from 'vitest';
import { exportRequest } from '../workbench/export-request.ts';
import { readPasted } from './pasted-text.ts';

const REQUEST = { input: 'a.mov', output: 'a.mp4', preset: { name: 'web-h264', arguments: { height: 720 } } };

test('the JSON that the workbench exports can be pasted', () => {
  const text = exportRequest('json', REQUEST, { url: 'http://127.0.0.1:8080', clientId: 'shop' });
  expect(readPasted(`\n${text}\n`)).toMatchObject({ request: REQUEST, errors: [] });
});

test('a command of ffmpeg is still read as one', () => {
  expect(readPasted('ffmpeg -i a.mov -crf 23 a.mp4').request).toMatchObject({ input: 'a.mov', output: 'a.mp4' });
});

test('JSON that is cut off, or is not a request, is said to be so', () => {
  const messageOf = (text: string) => {
    const { request, errors } = readPasted(text);
    expect(request).toBeUndefined();
    return errors[0]?.message;
  };
  expect(messageOf('{"input": "a.mov"')).toMatch(/^The text is not JSON: /);
  expect(messageOf('{"inptu": "a.mov"}')).toBe('A request has no member "inptu".');
  expect(messageOf('{"inputs": "a.mov"}')).toBe('"inputs" must be a list in brackets.');
  expect(messageOf('{"inputs": [7]}')).toBe('"inputs" must be a list in brackets.');
  expect(messageOf('{"parameters": []}')).toBe('"parameters" must be an object in braces.');
});

test('a mistake in JSON is selected in the text', () => {
  const text = '{"input": "a.mov", "sped": 2}';
  const [{ from, to } = { from: 0, to: 0 }] = readPasted(text).errors;
  expect(text.slice(from, to)).toBe('"sped"');
});
