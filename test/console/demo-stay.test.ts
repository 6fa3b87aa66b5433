import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished } from 'vitest';
import { command } from '../../scripts/setup/command.ts';
import { openBrowser } from '../support/browser.ts';
import { endWithTests } from '../support/end-with-tests.ts';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';

const TREE = join(import.meta.dirname, '../..');
const open = openBrowser();
const test = needs('ffmpeg', 'Chromium', 'curl');

test('the demo leaves its service running, its link leads to a conversion, and a copied command works after the line that it prints', async () => {
  const demo = spawn('npm', ['run', 'demo', '--silent', '--', '--stay'], {
    cwd: TREE,
    env: { ...process.env, TMPDIR: await testFolder('demo'), NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  endWithTests(demo, { isGroup: true });
  const exited = once(demo, 'exit');
  onTestFinished(async () => {
    if (demo.exitCode !== null || demo.signalCode !== null) return;
    process.kill(-(demo.pid ?? 0), 'SIGINT');
    await exited;
  });
  let printed = '';
  let link: string | undefined;
  for await (const line of createInterface(demo.stdout)) {
    printed += `${line}\n`;
    link ??= /^http\S+#sign-in=\S+$/.exec(line)?.[0];
    if (line.includes('until you press Ctrl-C')) break;
  }
  expect(link, printed).toBeDefined();
  expect(printed).not.toMatch(/stopped|8080|npm start/);
  const setSecret = /^export TELECINE_CLIENT_SECRET=.*$/m.exec(printed)?.[0] ?? '';
  const { page, context, errors } = await open();
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(link ?? '');
  await page.getByRole('heading', { name: 'Workbench' }).waitFor();
  // A sample waits, the words for it are written, and the page says what comes next.
  const next = page.getByRole('group', { name: 'Next step' });
  await page.getByRole('article', { name: /big-buck-bunny/ }).waitFor();
  await next.getByText('Press “Use …”.').waitFor();
  await page
    .getByRole('group', { name: 'Run' })
    .getByRole('button', { name: /^Use “Animated GIF.*”$/ })
    .click();
  await page.getByRole('textbox', { name: 'Start', exact: true }).fill('2');
  await page.getByRole('textbox', { name: 'Length', exact: true }).fill('3');
  await next.getByText('Press “Convert”.').waitFor();
  await page.getByText('Ready.').waitFor();
  const exported = page.getByRole('region', { name: 'Export' });
  await exported.getByRole('button', { name: 'curl', exact: true }).click();
  await exported.getByRole('button', { name: 'Copy the request', exact: true }).click();
  await exported.getByRole('button', { name: 'Copied' }).waitFor();
  const curl = await page.evaluate<string>('navigator.clipboard.readText()');
  const said = await command('bash', ['-ec', `${setSecret}\n${curl.replace('.gif"', '-by-curl.gif"')}`]);
  expect(said.ok, said.text).toBe(true);
  expect(JSON.parse(said.text)).toMatchObject({ status: 'PENDING' });
  await page.getByRole('button', { name: 'Convert', exact: true }).click();
  await next.getByText('That is all.').waitFor({ timeout: 60_000 });
  await page.getByRole('article', { name: 'Result' }).waitFor();
  await next.getByRole('link', { name: 'Jobs' }).click();
  await page.getByRole('row').filter({ hasText: 'Completed' }).first().waitFor();
  await page.getByRole('row').filter({ hasText: 'Completed' }).first().getByRole('link').click();
  await page.getByRole('region', { name: /^Source and result$|^Result$/ }).waitFor();
  expect(errors).toEqual([]);
  // Ctrl-C.
  process.kill(-(demo.pid ?? 0), 'SIGINT');
  await exited;
  await expect
    .poll(() =>
      fetch(link ?? '').then(
        () => 'served',
        () => 'gone',
      ),
    )
    .toBe('gone');
});
