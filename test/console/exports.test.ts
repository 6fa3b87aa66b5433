import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type ConversionRequest, createClient } from '../../packages/client/src/index.ts';
import { adminFile } from '../../scripts/lib/api.ts';
import { command } from '../../scripts/setup/command.ts';
import type { ClientCredentials } from '../support/api-client.ts';
import { openBrowser } from '../support/browser.ts';
import { clientPackage } from '../support/client-package.ts';
import { consoleVisitor, signIn } from '../support/console-visitor.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { sharedServer } from '../support/shared-server.ts';

const start = sharedServer();
const open = openBrowser();
const installClient = clientPackage();
const test = needs('ffmpeg', 'Chromium', 'curl');

test('an administrator finds the line that sets the secret for a copied command', async () => {
  const { server } = await start();
  const admin = JSON.parse(await readFile(adminFile(server.dataDir), 'utf8')) as ClientCredentials;
  await putSmallMovie(server.mediaRoot, 2, 'admin-in.mp4');
  const { page, context, errors } = await open();
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(server.url);
  await signIn(page, admin);
  await page.goto(`${server.url}/files?file=admin-in.mp4`);
  await page.getByRole('button', { name: 'Convert…' }).click();
  await page.getByLabel('File to write').fill('admin-out.mp4');
  const exported = page.getByRole('region', { name: 'Export' });
  await exported.getByRole('button', { name: 'curl', exact: true }).click();
  await exported.getByText('admin-out.mp4').waitFor();
  const copied = async (button: string, begin: string): Promise<string> => {
    await exported.getByRole('button', { name: button, exact: true }).click();
    const read = () => page.evaluate<string>('navigator.clipboard.readText()');
    await expect.poll(read).toMatch(begin);
    return read();
  };
  const setSecret = await copied('Copy this line', 'export TELECINE_CLIENT_SECRET=');
  expect(setSecret).not.toContain(admin.clientSecret);
  const curl = await copied('Copy the request', 'TOKEN=');
  const { text, ok } = await command('bash', ['-ec', `${setSecret}\n${curl}`]);
  expect(ok, text).toBe(true);
  expect(await createClient(server.url, admin).wait((JSON.parse(text) as { jobId: string }).jobId)).toMatchObject({
    status: 'COMPLETED',
  });
  expect(errors).toEqual([]);
});

test('a conversion is copied as JSON, as a command of curl and as a program, and each runs as it is; the JSON can be pasted', async () => {
  const { server } = await start();
  const { page, context, errors, folder, client, credentials, signIn } = await consoleVisitor(open, server, 'exporter');
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const name = "it's in.mp4";
  await putSmallMovie(folder, 2, name);
  await signIn();
  await page.goto(`${server.url}/files?file=${encodeURIComponent(name)}`);
  await page.getByRole('button', { name: 'Convert…' }).click();
  await page.getByRole('button', { name: 'Add an option' }).click();
  await page.keyboard.insertText('c:v');
  await page.getByLabel('Value of c:v').fill('copy');
  await page.getByText('Ready.').waitFor();
  const copies = async (form: string, output: string): Promise<string> => {
    // A job of its own for each, so that none is in the way of another.
    await page.getByLabel('File to write').fill(output);
    await page.getByRole('button', { name: form, exact: true }).click();
    const exported = page.getByRole('region', { name: 'Export' });
    await exported.getByText(output).waitFor();
    await exported.getByRole('button', { name: 'Copy the request', exact: true }).click();
    await exported.getByRole('button', { name: 'Copied' }).waitFor();
    return page.evaluate<string>('navigator.clipboard.readText()');
  };
  const job = async (output: string) => (await client.list()).jobs.find((one) => one.output === output);

  const json = await copies('JSON', 'json.mp4');
  await client.wait((await client.submit(JSON.parse(json) as ConversionRequest)).jobId);
  expect(await job('json.mp4')).toMatchObject({ input: name, parameters: { 'c:v': 'copy' }, status: 'COMPLETED' });

  const curl = await copies('curl', 'curl.mp4');
  await page.getByText('curl asks for the secret of exporter. It was shown once').waitFor();
  const said = await command('bash', ['-ec', curl], { TELECINE_CLIENT_SECRET: credentials.clientSecret });
  expect(said.ok, said.text).toBe(true);
  await client.wait((JSON.parse(said.text) as { jobId: string }).jobId);
  expect(await job('curl.mp4')).toMatchObject({ input: name, status: 'COMPLETED' });

  const program = await copies('TypeScript', 'program.mp4');
  const file = join((await installClient()).project, 'convert.ts');
  await writeFile(file, program);
  const ran = await command(process.execPath, [file], { TELECINE_CLIENT_SECRET: credentials.clientSecret });
  expect(ran.ok, ran.text).toBe(true);
  expect(ran.text).toContain('COMPLETED');
  expect(await job('program.mp4')).toMatchObject({ input: name, status: 'COMPLETED' });

  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByRole('button', { name: 'Paste a command' }).click();
  await page.getByRole('textbox', { name: 'Command line of ffmpeg' }).fill(json);
  await page.getByRole('button', { name: 'Use this request' }).click();
  await expect.poll(() => page.getByLabel('File to write').inputValue()).toBe('json.mp4');
  expect(errors).toEqual([]);
});
