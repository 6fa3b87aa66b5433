import { expect, test } from 'vitest';
import { mediaRoot } from '../../../test/support/media-root.ts';
import { type Caller, SCOPES, type Scope } from '../../domain/client.ts';
import { TOOL_SCOPES, type ToolName, toolsOf } from '../tool-names.ts';
import { getPrompt, listPrompts } from './all-prompts.ts';

const callerWith = (scopes: readonly Scope[]): Caller => ({
  clientId: 'amy',
  scopes,
  root: mediaRoot('/'),
  policy: {},
});

const textOf = (caller: Caller, name: string): string =>
  JSON.stringify(getPrompt(caller, name, { input: 'a.mp4', megabytes: '8' }).messages);

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
