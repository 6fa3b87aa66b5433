import { expect, test } from 'vitest';
import { rpcRequestOf } from './mcp-message.ts';

const call = { method: 'tools/call', params: { name: 'convert_media', arguments: {} } };

test.each([
  ['node', 'mcp'],
  ['python-httpx/0.27', 'mcp'],
  ['undici', 'mcp'],
  ['Claude-User', 'Claude-User'],
  ['nodemon desktop', 'nodemon desktop'],
])('the User-Agent %s names the model %s', (userAgent, llmId) => {
  expect(rpcRequestOf(call, userAgent).llmId).toBe(llmId);
});
