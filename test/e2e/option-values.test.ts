import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { DryRunView } from '../../packages/contract/src/wire/dry-run.ts';
import { cliUsers } from '../support/cli-user.ts';
import { commonServer } from '../support/common-server.ts';
import { callTool, mcpClient } from '../support/mcp-client.ts';
import { needs } from '../support/needs.ts';

const person = cliUsers(commonServer());
const test = needs('ffmpeg');

const SENT = { 'c:v': 'libx264', crf: 23, an: true, sn: false, a53cc: false, 'b:v': '1M' };
const TEXTS = { 'c:v': 'libx264', crf: '23', an: '', a53cc: '0', 'b:v': '1M' };

test('numbers and booleans make the command of their texts over REST, MCP and the command line', async () => {
  const { server, api, cwd, run } = await person();
  const files = { inputs: [{ input: 'in.mp4', parameters: { ss: 1.5 } }], output: 'out.mp4' };
  const argvOf = async (body: object) =>
    (await api.request<DryRunView>('/api/conversion?dryRun=true', { body })).body.argv;
  const argv = await argvOf({
    ...{ inputs: [{ input: 'in.mp4', parameters: { ss: '1.5' } }], output: 'out.mp4' },
    parameters: TEXTS,
  });
  expect(await argvOf({ ...files, parameters: SENT })).toEqual(argv);
  expect(argv[0]?.join(' ')).toContain('-c:v libx264 -crf 23 -an -a53cc 0 -b:v 1M');

  const mcp = await mcpClient(server.url, api.token);
  const commandsOf = async (parameters: object) =>
    (await callTool<{ commands: string[] }>(mcp, 'convert_media', { ...files, parameters, dryRun: true })).commands;
  expect(await commandsOf(SENT)).toEqual(await commandsOf(TEXTS));

  const recipe = {
    ...{ version: 1, title: 'House style', description: 'As we like it.', words: [], outputs: ['mp4'], arguments: {} },
    inputs: [{ role: 'film', description: 'A film.', parameters: { ss: 1.5 } }],
    request: { parameters: SENT },
  };
  await writeFile(join(cwd, 'house-style.json'), JSON.stringify(recipe));
  expect(await run('recipes', 'add', 'house-style', 'house-style.json')).toMatchObject({ code: 0 });
  const dry = await run('convert', 'in.mp4', 'out.mp4', '--preset', 'house-style', '--dry-run', '--json');
  expect((JSON.parse(dry.stdout) as DryRunView).argv[0]?.join(' ')).toContain(
    '-c:v libx264 -crf 23 -an -a53cc 0 -b:v 1M',
  );
});

test('a number and its text are the same request, which is submitted once', async () => {
  const { api, run } = await person();
  expect(await run('upload', 'in.mp4')).toMatchObject({ code: 0 });
  const submit = async (crf: string | number) => {
    const body = { input: 'in.mp4', output: 'once.mp4', parameters: { crf, t: 0.5, an: true } };
    return (await api.request<{ jobId: string }>('/api/conversion', { body, headers: { 'idempotency-key': 'once' } }))
      .body;
  };
  const first = await submit(30);
  expect(await submit('30')).toMatchObject({ jobId: first.jobId });
  expect((await api.request(`/api/conversion/${first.jobId}`)).body).toMatchObject({
    parameters: { crf: '30', t: '0.5', an: true },
  });
});
