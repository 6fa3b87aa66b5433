// @module-tag long
import type { CallToolResult, Client } from '@modelcontextprotocol/client';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { Client as ClientV1 } from 'mcp-sdk-v1/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from 'mcp-sdk-v1/client/streamableHttp.js';
import { expect, onTestFinished } from 'vitest';
import type { JobSummary } from '../../packages/service/src/mcp/results/job-summary.ts';
import { errorOf, mcpClient } from '../support/mcp-client.ts';
import { putSample } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { sharedServer } from '../support/shared-server.ts';

const start = sharedServer();
const test = needs('ffmpeg');

/** A client of either SDK. */
interface AnyClient {
  listTools(): ReturnType<Client['listTools']>;
  call(name: string, args: Record<string, unknown>): Promise<CallToolResult>;
}

async function sdkV1(url: string, token: string): Promise<AnyClient> {
  const client = new ClientV1({ name: 'a test of SDK v1', version: '1.0.0' });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  const transport = new TransportV1(new URL('/mcp', url), { requestInit });
  // The optional properties of the SDK's own transport do not fit `exactOptionalPropertyTypes`.
  await client.connect(transport as Parameters<ClientV1['connect']>[0]);
  onTestFinished(() => client.close());
  return {
    listTools: () => client.listTools() as ReturnType<Client['listTools']>,
    call: (name, args) => client.callTool({ name, arguments: args }) as Promise<CallToolResult>,
  };
}

async function sdkV2(url: string, token: string): Promise<AnyClient> {
  const client = await mcpClient(url, token);
  return { listTools: () => client.listTools(), call: (name, args) => client.callTool({ name, arguments: args }) };
}

test.for([
  ['SDK v1', sdkV1],
  ['SDK v2', sdkV2],
] as const)(
  'a client of %s gets the code and the fix of an error, and ids and states as data',
  async ([name, connect]) => {
    const { server, admin } = await start();
    await putSample(server.mediaRoot, 'mp3', 'song.mp3');
    const client = await connect(server.url, admin.token);
    const output = `${name}/song.mka`;
    const wrong = await client.call('convert_media', { input: 'song.mp3', output, parameters: { 'c:a': 'copi' } });
    expect(wrong.isError).toBe(true);
    expect(errorOf(wrong)).toMatchObject({ field: '/parameters/c:a', fix: 'Send "copy".' });

    const accepted = await client.call('convert_media', { input: 'song.mp3', output, parameters: { 'c:a': 'copy' } });
    const { jobId } = accepted.structuredContent as JobSummary;
    const done = await client.call('wait_for_job', { jobId });
    expect(done.structuredContent).toMatchObject({ status: 'COMPLETED', outputs: [{ path: output }] });
    const again = await client.call('cancel_job', { jobId });
    expect(errorOf(again)).toMatchObject({ code: 'JOB_FINISHED', fix: expect.stringContaining('wait_for_job') });
    expect(errorOf(await client.call('probe_media', { input: 'none.mp3' }))).toMatchObject({ code: 'INPUT_NOT_FOUND' });
    for (const [tool, args] of [
      ['wait_for_job', { jobId, timeoutSeconds: 0 }],
      ['list_jobs', {}],
      ['find_capability', { query: 'loudness' }],
      ['convert_media', { input: 'song.mp3', output: 'dry.mka', dryRun: true }],
    ] as const)
      expect(await client.call(tool, args)).toHaveProperty('structuredContent');
  },
);

test('all schemas compile in the strict mode of Ajv', async () => {
  const { server, admin } = await start();
  const { tools } = await (await sdkV2(server.url, admin.token)).listTools();
  const ajv = new Ajv2020({ strict: true, strictRequired: true, allErrors: true });
  addFormats.default(ajv);
  for (const { inputSchema, outputSchema } of tools) {
    ajv.compile(inputSchema);
    expect(outputSchema).toBeUndefined();
  }
});
