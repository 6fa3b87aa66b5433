// @module-tag long
import { once } from 'node:events';
import { join } from 'node:path';
import { Client, type ClientOptions, ProtocolError } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, inject, onTestFinished, test } from 'vitest';
import type { ClientCredentials } from '../support/api-client.ts';
import { insertClient } from '../support/insert-client.ts';
import { callTool, NEGOTIATION_MODES } from '../support/mcp-client.ts';
import { putClip } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { decodesWithoutErrors, probe } from '../support/probe.ts';
import { runCli, startCli } from '../support/run-cli.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';

const start = sharedServer({ env: { TELECINE_CONCURRENCY: '2' } });

const settingsOf = ({ url }: TestServer, { clientId, clientSecret }: ClientCredentials) => ({
  TELECINE_URL: url,
  TELECINE_CLIENT_ID: clientId,
  TELECINE_CLIENT_SECRET: clientSecret,
});

/** A desktop client that has started the bridge as its command. */
async function desktop(settings: Readonly<Record<string, string>>, options: ClientOptions): Promise<Client> {
  const client = new Client({ name: 'desktop', version: '1.0.0' }, options);
  onTestFinished(() => client.close());
  const { entry, compileCache } = inject('program');
  const args = [entry, 'mcp'];
  const env = { ...settings, NODE_COMPILE_CACHE: compileCache };
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }));
  return client;
}

interface Job {
  readonly jobId: string;
  readonly status: string;
  readonly llmId?: string;
}

const call = (client: Client, name: string, args: Record<string, unknown>) => callTool<Job>(client, name, args);

needs('ffmpeg').each(NEGOTIATION_MODES)(
  'the official client (%s) converts through the bridge',
  async (mode, revision, options) => {
    const { server } = await start();
    const root = `desktop-${mode}`;
    const client = await desktop(settingsOf(server, await insertClient(server, root, { root })), options);
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('convert_media');
    const input = await putClip(join(server.mediaRoot, root), '480p', 3);

    const parameters = { 'c:v': 'libx264', preset: 'ultrafast', s: '320x180', an: '' };
    const { jobId } = await call(client, 'convert_media', { input, output: 'größe.mkv', parameters });
    const progressValues: number[] = [];
    const { structuredContent } = await client.callTool(
      { name: 'wait_for_job', arguments: { jobId } },
      { onprogress: ({ progress }) => progressValues.push(progress) },
    );
    expect(structuredContent).toMatchObject({ status: 'COMPLETED' });
    expect(await call(client, 'wait_for_job', { jobId, timeoutSeconds: 0 })).toMatchObject({ llmId: 'desktop' });
    // The client drops a notification that arrives together with the result, so the last one may be missing.
    expect(progressValues.length).toBeGreaterThan(0);
    expect(progressValues).toEqual(progressValues.toSorted((a, b) => a - b));
    const { contents } = await client.readResource({ uri: `media://jobs/${jobId}` });
    expect(contents).toEqual([expect.objectContaining({ text: expect.stringContaining('größe.mkv') })]);
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toContain('shrink_to_size');
    const outputFile = join(server.mediaRoot, root, 'größe.mkv');
    expect((await probe(outputFile)).streams).toEqual([expect.objectContaining({ codec_name: 'h264', width: 320 })]);
    expect(await decodesWithoutErrors(outputFile)).toBe(true);
  },
);

needs('ffmpeg')(
  'the bridge waits for a service that restarts, and reports one that stays down',
  async () => {
    const first = await startServer();
    const input = await putClip(first.mediaRoot, '480p', 3);
    const { port } = new URL(first.url);
    const again = () =>
      startServer({ dataDir: first.dataDir, mediaRoot: first.mediaRoot, env: { TELECINE_PORT: port } });
    // The bridge reads the operator's credentials from the data folder.
    const client = await desktop({ TELECINE_URL: first.url, TELECINE_DATA_DIR: first.dataDir }, {});

    const slow = {
      input,
      output: 'slow.mkv',
      parameters: { vf: 'scale=1920:-2', 'c:v': 'libx264', preset: 'veryslow', threads: '1' },
    };
    const { jobId } = await call(client, 'convert_media', slow);
    const waiting = call(client, 'wait_for_job', { jobId, timeoutSeconds: 2 });
    await first.kill9('group');
    const second = await again();
    expect((await waiting).jobId).toBe(jobId);

    await second.kill9('group');
    const rejected = await client
      .callTool({ name: 'wait_for_job', arguments: { jobId, timeoutSeconds: 0 } })
      .catch((error: unknown) => error);
    expect(rejected).toBeInstanceOf(ProtocolError);
    expect(rejected).toMatchObject({
      code: -32000,
      message: expect.stringContaining(`${first.url} cannot be reached: connect ECONNREFUSED`),
      data: { code: 'UNREACHABLE', retryable: true },
    });

    await again();
    await call(client, 'cancel_job', { jobId });
    const quick = await call(client, 'convert_media', { input, output: 'quick.mkv', parameters: { c: 'copy' } });
    expect(await call(client, 'wait_for_job', { jobId: quick.jobId })).toMatchObject({ status: 'COMPLETED' });
    expect(await decodesWithoutErrors(join(first.mediaRoot, 'quick.mkv'))).toBe(true);
  },
  120_000,
);

test('the bridge exits at the end of standard input, even if the service is unreachable', async () => {
  const settings = { TELECINE_URL: 'http://127.0.0.1:9', TELECINE_CLIENT_ID: 'a', TELECINE_CLIENT_SECRET: 'b' };
  const { child, ended } = startCli(['mcp'], settings, { stdin: 'pipe' });
  child.stdin?.write('no json\n{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n');
  await once(child, 'wrote');
  child.stdin?.end();
  const { code, stdout } = await ended;
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ id: null, error: { code: -32700 } });
});

test('without credentials the bridge prints what to set, and writes nothing to standard output', async () => {
  const { code, stdout, stderr } = await runCli(['mcp', '--url', 'http://192.0.2.1'], {});
  expect([code, stdout]).toEqual([3, '']);
  expect(stderr).toContain('Set TELECINE_CLIENT_ID and TELECINE_CLIENT_SECRET_FILE');
});
