import { type Caller, SCOPES, type Scope } from '@telecine/contract/domain/client.ts';
import { expect, test } from 'vitest';
import { mediaRoot } from '../../../../../test/support/media-root.ts';
import { TOOL_SCOPES, type ToolName, toolsOf } from '../tool-names.ts';
import { getPrompt, listPrompts } from './prompts.ts';

const callerWith = (scopes: readonly Scope[]): Caller => ({
  clientId: 'amy',
  scopes,
  root: mediaRoot('/'),
  policy: {},
});

const textOf = (caller: Caller, name: string): string =>
  JSON.stringify(
    getPrompt(caller, name, { input: 'a.mp4', ...(name === 'shrink_to_size' && { megabytes: '8' }) }).messages,
  );

test('a prompt names only tools that the caller may use', () => {
  const tools = Object.keys(TOOL_SCOPES) as readonly ToolName[];
  const named = new Set<ToolName>();
  for (let bits = 0; bits < 2 ** SCOPES.length; bits += 1) {
    const caller = callerWith(SCOPES.filter((_, i) => (bits >> i) % 2 === 1));
    const has = toolsOf(caller);
    for (const { name } of listPrompts(caller))
      for (const tool of tools.filter((one) => textOf(caller, name).includes(one))) {
        expect(has(tool), `${tool} in ${name} for ${caller.scopes.join()}`).toBe(true);
        named.add(tool);
      }
  }
  expect([...named].toSorted()).toEqual(['convert_media', 'probe_media', 'wait_for_job']);
});

test('a caller who may not convert gets no prompts', () => {
  expect(listPrompts(callerWith(['jobs:read', 'files:read']))).toEqual([]);
});

test.each([
  ['10', '10'],
  ['10 MB', '10'],
  ['0.5 GB', '500'],
  ['800 kB', '0.8'],
])('%j megabytes are the number %s in the call', (megabytes, number) => {
  const caller = callerWith(SCOPES);
  const { messages } = getPrompt(caller, 'shrink_to_size', { input: 'a.mp4', megabytes });
  expect(JSON.stringify(messages)).toContain(`\\"size\\":${number}}`);
});

test('a height may have its unit', () => {
  const { messages } = getPrompt(callerWith(SCOPES), 'convert_for_web', { input: 'a.mp4', height: '720p' });
  expect(JSON.stringify(messages)).toContain('\\"height\\":720}');
});

test('all wrong arguments of a prompt are named at once', () => {
  const caller = callerWith(SCOPES);
  expect(() => getPrompt(caller, 'shrink_to_size', { megabytes: 'small' })).toThrow(
    /needs the argument "input".*"megabytes" must be a number, not "small"/,
  );
  expect(() => getPrompt(caller, 'convert_for_web', { height: 'high' })).toThrow(/"input".*"height" must be a number/);
});

test.each([
  ['m4b audio book', '.m4b.'],
  ['.MP3', '\\"name\\":\\"mp3\\"'],
])('the format %j is read as one that can be written', (format, text) => {
  const { messages } = getPrompt(callerWith(SCOPES), 'extract_audio', { input: 'a.mp4', format });
  expect(JSON.stringify(messages)).toContain(text);
});

test('a format that the prompt cannot write is rejected', () => {
  const caller = callerWith(SCOPES);
  expect(() => getPrompt(caller, 'extract_audio', { input: 'a.mp4', format: 'audio book' })).toThrow(
    /"format" must be one of mp3, m4a,/,
  );
  for (const name of ['convert_for_web', 'shrink_to_size'])
    expect(() => getPrompt(caller, name, { input: 'a.mp4', megabytes: '8', output: 'a.webm' })).toThrow(
      /"output" must be a path that ends with \.mp4/,
    );
});

test.each([
  ['shrink_to_size', { input: 'a.mp4', megabyte: '20' }, 'has no argument "megabyte". Did you mean megabytes?'],
  ['extract_audio', { input: 'a.mkv', codec: 'opus' }, 'has no argument "codec". Use input, format, output, language.'],
])('an argument that %s does not have is rejected: %j', (name, values, message) => {
  expect(() => getPrompt(callerWith(SCOPES), name, values)).toThrow(message);
});

test('the audio in a language is asked for by it', () => {
  const textWith = (values: Readonly<Record<string, string>>): string =>
    JSON.stringify(getPrompt(callerWith(SCOPES), 'extract_audio', { input: 'a.mkv', ...values }).messages);
  expect(textWith({ language: 'French' })).toMatch(/in the language .*French.*take the one in that language/);
  expect(textWith({})).toContain('ask me which one');
});
