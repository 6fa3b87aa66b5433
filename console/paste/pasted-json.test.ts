import { expect, test } from 'vitest';
import { exportRequest } from '../workbench/export-request.ts';
import { readPastedJson } from './pasted-json.ts';

const REQUEST = { input: 'a.mov', output: 'a.mp4', preset: { name: 'web-h264', arguments: { height: 720 } } };

test('the JSON that the workbench exports can be pasted', () => {
  const text = exportRequest('json', REQUEST, { url: 'http://127.0.0.1:8080', clientId: 'shop' });
  expect(readPastedJson(`\n${text}\n`)).toMatchObject({ request: REQUEST, mistakes: [] });
});

test('JSON that is cut off, or is not a request, is said to be so', () => {
  const messageOf = (text: string) => {
    const { request, mistakes } = readPastedJson(text);
    expect(request).toBeUndefined();
    return mistakes[0]?.message;
  };
  expect(messageOf('{"input": "a.mov"')).toMatch(/^The text is not JSON: /);
  expect(messageOf('{"inptu": "a.mov"}')).toBe('A request has no member "inptu".');
  expect(messageOf('{"inputs": "a.mov"}')).toBe('"inputs" must be a list in brackets.');
  expect(messageOf('{"inputs": [7]}')).toBe('"inputs" must be a list in brackets.');
  expect(messageOf('{"parameters": []}')).toBe('"parameters" must be an object in braces.');
});

test('a mistake in JSON is selected in the text', () => {
  const text = '{"input": "a.mov", "sped": 2}';
  const [{ from, to } = { from: 0, to: 0 }] = readPastedJson(text).mistakes;
  expect(text.slice(from, to)).toBe('"sped"');
});
