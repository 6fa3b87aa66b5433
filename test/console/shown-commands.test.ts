import { spawn } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished } from 'vitest';
import { command } from '../../scripts/setup/command.ts';
import { expectAccessible, openBrowser } from '../support/browser.ts';
import { cliUsers } from '../support/cli-user.ts';
import { consoleVisitor } from '../support/console-visitor.ts';
import { testFolder } from '../support/folders.ts';
import { putClip } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { runCli } from '../support/run-cli.ts';
import { startServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { startReceiver } from '../support/webhook-receiver.ts';

const start = sharedServer();
const open = openBrowser();
const createUser = cliUsers(start);

const CONSOLE = join(import.meta.dirname, '../../console');

// By its address: the types of the console are those of browsers, which the tests do not have.
const { COMMANDS } = (await import(new URL('../../console/app/commands.ts', import.meta.url).pathname)) as {
  COMMANDS: Readonly<Record<'convert' | 'addClient' | 'doctor' | 'serve' | 'worker', string>>;
};

/** The arguments of a command of the command line. */
const wordsOf = (text: string): readonly string[] => text.split(' ').slice(1);

needs()('no page writes a command beside the list of commands', async () => {
  const files = (await readdir(CONSOLE, { recursive: true })).filter((name) => /\.tsx?$/.test(name));
  const found = await Promise.all(
    files.map(async (name) => [name, /<code>telecine /.test(await readFile(join(CONSOLE, name), 'utf8'))] as const),
  );
  expect(found.filter(([, isWritten]) => isWritten).map(([name]) => name)).toEqual([]);
});

needs('ffmpeg')('each command of the command line that the console shows works as it is', async () => {
  const { run } = await createUser('in.mov');
  const converted = await run(...wordsOf(COMMANDS.convert));
  expect(converted.code, converted.stderr).toBe(0);
  const own = await testFolder('own');
  await mkdir(join(own, 'media'));
  const settings = { TELECINE_DATA_DIR: join(own, 'data'), TELECINE_MEDIA_ROOT: join(own, 'media') };
  const added = await runCli(wordsOf(COMMANDS.addClient.replace('NAME', 'shop')), settings);
  expect(added.code, added.stderr).toBe(0);
  expect(added.stdout).toContain('tcs_');
  expect((await runCli(wordsOf(COMMANDS.doctor), settings)).stdout).toContain('ffmpeg');
  // Other tests start services and workers by these commands.
  for (const text of [COMMANDS.serve, COMMANDS.worker])
    expect((await runCli([...wordsOf(text), '--help'], settings)).stdout).toContain(text);
});

needs('ffmpeg', 'Chromium')(
  'the commands of two passes are shown one at a time, in the plan and on the page of the job',
  async () => {
    const { server } = await start();
    const { page, errors, folder, client, signIn } = await consoleVisitor(open, server, 'passes');
    await putClip(folder, '480p', 2, 'in.mp4');
    await signIn();
    await page.goto(`${server.url}/files?file=in.mp4`);
    await page.getByRole('button', { name: 'Convert…' }).click();
    await page.getByLabel('What to do').fill('fit in 0.3 MB');
    await page.getByLabel('What to do').press('Enter');
    await page.getByLabel(/^Size/).fill('0.3');
    const expectPasses = async (name: string) => {
      const command = page.getByRole('group', { name, exact: true });
      // The recipe encodes samples first.
      await page.getByRole('group', { name: 'Pass to show' }).waitFor({ timeout: 90_000 });
      await expect.poll(() => command.textContent()).toContain('-pass 1 ');
      expect(await command.count()).toBe(1);
      await page.getByRole('group', { name: 'Pass to show' }).getByRole('button', { name: 'Pass 2' }).click();
      await expect.poll(() => command.textContent()).toContain('-pass 2 ');
      expect(await command.textContent()).not.toContain('-pass 1 ');
      await expectAccessible(page);
    };
    await expectPasses('Command');
    const preset = { name: 'target-size', arguments: { size: 0.3 } };
    const { jobId } = await client.submit({ input: 'in.mp4', output: 'out.mp4', preset });
    await page.goto(`${server.url}/jobs/${jobId}`);
    await page.getByText('Show the arguments of ffmpeg').click();
    await expectPasses('Arguments of ffmpeg');
    expect(errors).toEqual([]);
  },
);

needs(
  'ffmpeg',
  'Chromium',
  'curl',
)('the command of an upload link stores a file as it is copied', async () => {
  const { server } = await start();
  const { page, client, signIn } = await consoleVisitor(open, server, 'sender');
  await signIn();
  await page.goto(`${server.url}/files`);
  await page.getByRole('button', { name: 'More for this folder' }).click();
  await page.getByRole('button', { name: 'Upload link…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Path of the folder').fill('sent/');
  await dialog.getByRole('button', { name: 'Create the link' }).click();
  await dialog.getByText('Show the command').click();
  const text = await dialog.getByText(/^curl -T/).innerText();
  const said = await command('bash', [
    '-ec',
    text.replace('FILE', join(import.meta.dirname, 'shown-commands.test.ts')),
  ]);
  expect(said.ok, said.text).toBe(true);
  expect((await client.listFiles('sent/')).files).toMatchObject([{ path: 'sent/shown-commands.test.ts' }]);
});

needs(
  'ffmpeg',
  'Chromium',
  'curl',
)(
  'the commands beside the secret of a new client get a token and submit a job, and the name of a client leads to its jobs',
  async () => {
    const { server } = await start();
    const { page, context, errors, client, signIn } = await consoleVisitor(open, server, 'host', { scopes: ['admin'] });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await signIn();
    await page.goto(`${server.url}/operate/clients`);
    await page.getByRole('button', { name: 'Add a client' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('till');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    const secret = String(await dialog.getByText(/^tcs_/).textContent());
    await expectAccessible(page);
    await dialog.getByText('Show the command that gets a token').click();
    await dialog.getByRole('button', { name: 'Copy the command' }).click();
    await dialog.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    // The command has no secret, so the history of a shell does not have it either.
    expect(copied).not.toContain(secret);
    const said = await command('bash', ['-ec', copied], { TELECINE_CLIENT_SECRET: secret });
    const reply: unknown = JSON.parse(said.text);
    expect(reply).toMatchObject({ access_token: expect.any(String), token_type: 'Bearer' });
    // The next command gets a token itself.
    await putClip(join(server.mediaRoot, 'till'), '480p', 1, 'in.mp4');
    await dialog.getByText('Show the command that submits a first job').click();
    const submit = await dialog.getByRole('group', { name: 'Command that submits a job' }).innerText();
    expect(submit).not.toContain(secret);
    const submitted = await command('bash', ['-ec', submit], { TELECINE_CLIENT_SECRET: secret });
    const { jobId } = Object(JSON.parse(submitted.text));
    expect(await client.wait(String(jobId))).toMatchObject({ status: 'COMPLETED' });
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('rowheader', { name: 'till' }).getByRole('link').click();
    await page.waitForURL(/\/jobs\?client=till$/);
    expect(errors).toEqual([]);
  },
);

needs('Chromium')(
  'the receiver beside the secret of a new webhook accepts what the service signed, and nothing else',
  async () => {
    // A port that is free, and real requests to compare with.
    const recorder = await startReceiver();
    const { host } = recorder;
    const port = Number(new URL(recorder.url('/')).port);
    const server = await startServer({ env: { TELECINE_WEBHOOK_HOSTS: host } });
    const { page, context, errors, signIn } = await consoleVisitor(open, server, 'shop');
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await signIn();
    await page.goto(`${server.url}/operate/webhooks`);
    await page.getByRole('button', { name: 'Add a webhook' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('URL').fill(recorder.url('/hook'));
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    const secret = String(await dialog.getByText(/^whsec_/).textContent());
    await dialog.getByText('How to check a signature').click();
    await dialog.getByText('decoded from Base64').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Copy the program' }).click();
    await dialog.getByRole('button', { name: 'Copied' }).waitFor();
    const program = await page.evaluate<string>('navigator.clipboard.readText()');
    await dialog.getByRole('button', { name: 'Send a test' }).click();
    await expect.poll(() => recorder.received('/hook').length).toBe(1);
    const [sent] = recorder.received('/hook');
    if (sent === undefined) throw new Error('The receiver got nothing.');
    recorder.close();

    const file = join(await testFolder('receiver'), 'receiver.mjs');
    await writeFile(file, program);
    // With an empty key, anyone could sign.
    for (const malformed of ['', 'whsec_', 'whsec_…', secret.slice(0, 20)]) {
      const started = await command(process.execPath, [file], { WEBHOOK_SECRET: malformed, PORT: String(port) });
      expect(started.ok, malformed).toBe(false);
      expect(started.text).toContain('WEBHOOK_SECRET is missing or incomplete.');
    }
    const receiver = spawn(process.execPath, [file], {
      env: { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void receiver.kill());
    let printed = '';
    receiver.stdout.on('data', (chunk) => {
      printed += String(chunk);
    });
    const post = async (headers: Readonly<Record<string, string>>, body: string) =>
      (await fetch(`http://${host}/hook`, { method: 'POST', headers, body })).status;
    const { 'webhook-id': id = '', 'webhook-timestamp': time = '', 'webhook-signature': signature = '' } = sent.headers;
    const headers = { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signature };
    await expect.poll(() => post(headers, sent.body).catch(() => 0), { timeout: 30_000 }).toBe(204);
    // While two secrets sign, any of the signatures may be the right one.
    expect(await post({ ...headers, 'webhook-signature': `v1,AAAA ${signature}` }, sent.body)).toBe(204);
    expect(await post(headers, `${sent.body} `)).toBe(401);
    expect(await post({ ...headers, 'webhook-id': 'msg_other' }, sent.body)).toBe(401);
    expect(await post({ ...headers, 'webhook-timestamp': String(Number(time) + 1) }, sent.body)).toBe(401);
    // A request that someone has recorded is rejected after five minutes, although its signature is right.
    const signedAgo = (seconds: number) => {
      const at = new Date(Date.now() - seconds * 1000);
      const signed = new Webhook(secret).sign(id, at, sent.body);
      return {
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': signed,
      };
    };
    expect(await post(signedAgo(270), sent.body)).toBe(204);
    expect(await post(signedAgo(301), sent.body)).toBe(401);
    expect(await post(signedAgo(-330), sent.body)).toBe(401);
    expect(await post(headers, 'a'.repeat(16 * 2 ** 20 + 1))).toBe(413);
    expect(await post({ ...headers, 'webhook-signature': 'é'.repeat(signature.length) }, sent.body)).toBe(401);
    expect(await post({}, sent.body)).toBe(401);

    // The page of the webhook has the program too, and shows that it accepted a real delivery.
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByText('How to check a signature').click();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByRole('table', { name: 'Deliveries' }).getByText('Delivered').nth(1).waitFor();
    // The first event, three times, and the second one.
    await expect.poll(() => printed.match(/msg_/g)?.length).toBe(4);
    expect(printed).toContain(id);
    expect(errors).toEqual([]);
  },
);
