import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { pictureTaker } from '../support/console-pictures.ts';
import { signOut } from '../support/console-visitor.ts';
import { testFolder } from '../support/folders.ts';
import { freePort } from '../support/free-port.ts';
import { insertExternalClient } from '../support/insert-client.ts';
import { needs } from '../support/needs.ts';
import { CONSOLE, startIssuer } from '../support/oidc-issuer.ts';
import { startServer } from '../support/server.ts';

const open = openBrowser();
const test = needs('ffmpeg', 'Chromium');

/** A service whose console is a client of an issuer, which is another site for browsers, as real ones are. */
async function serviceWithIssuer() {
  const url = `http://127.0.0.1:${await freePort()}`;
  const issuer = await startIssuer(undefined, { host: 'localhost', serviceUrl: url });
  const secretFile = join(await testFolder('secret'), 'secret');
  await writeFile(secretFile, CONSOLE.client_secret, { mode: 0o600 });
  const server = await startServer({
    until: 'listening',
    env: {
      TELECINE_PORT: new URL(url).port,
      TELECINE_PUBLIC_URL: url,
      TELECINE_OAUTH: JSON.stringify({
        ...{ issuer: issuer.url, clientId: CONSOLE.client_id, clientSecretFile: secretFile },
      }),
    },
  });
  return { server, issuer };
}

test('a person signs in by the issuer and is back at the page that was opened', async () => {
  const { server, issuer } = await serviceWithIssuer();
  const { page, context, errors } = await open(360);
  await page.goto(`${server.url}/jobs?status=FAILED`);
  const button = page.getByRole('link', { name: `Sign in with ${new URL(issuer.url).host}` });
  await button.waitFor();
  // Who has an account at the issuer needs no secret, so the fields come after it.
  expect((await button.boundingBox())?.y).toBeLessThan((await page.getByLabel('Client id').boundingBox())?.y ?? 0);
  const { look } = pictureTaker(page);
  await look('sign-in-issuer', { isState: true });
  await page.getByLabel('Show what I type').check();
  expect(await page.getByLabel('Secret').getAttribute('type')).toBe('text');
  await button.click();
  await page.getByRole('alert').getByText('Telecine does not know your account yet').waitFor();
  // It says who that is, and what the operator needs.
  await page.getByText('Your account is somebody.').waitFor();
  const command = page.getByRole('group', { name: 'Command for the operator' });
  expect(await command.innerText()).toBe('telecine client add NAME --external somebody');
  // Sign-in fails until the operator has run the command, so copying the command is the main action.
  const copy = page.getByRole('button', { name: 'Copy for the operator' });
  expect(await copy.evaluate((one) => one.matches(':focus'))).toBe(true);
  await look('sign-in-no-client', { isState: true });
  // On a phone, a long word does not push the card from the centre.
  await page.setViewportSize({ width: 360, height: 800 });
  const card = await page.getByRole('form').boundingBox();
  expect(card?.x).toBe(360 - (card?.x ?? 0) - (card?.width ?? 0));
  await page.setViewportSize({ width: 1280, height: 900 });
  // The fields would not help, so they are folded.
  await page.getByRole('heading', { name: 'No account here yet' }).waitFor();
  expect(await page.getByLabel('Secret').isVisible()).toBe(false);
  expect(page.url(), 'a reload does not say it again').toBe(`${server.url}/jobs?status=FAILED`);
  expect(await context.cookies(server.url)).toEqual([]);

  // Another account is asked for by the issuer, who would otherwise sign the same person in again.
  const before = page.getByRole('heading', { name: 'No account here yet' });
  await before.evaluate((heading) => heading.setAttribute('data-page', 'before'));
  const [asked] = await Promise.all([
    page.waitForRequest((request) => new URL(request.url()).searchParams.has('prompt')),
    page.getByRole('link', { name: 'Sign in with another account' }).click(),
  ]);
  expect(new URL(asked.url()).host).toBe(new URL(issuer.url).host);
  await page.locator('h1:not([data-page])').waitFor();
  await page.getByText('Your account is somebody.').waitFor();

  await insertExternalClient(server, 'amy', 'somebody');
  await page.getByRole('link', { name: 'Sign in again' }).click();
  await page.getByRole('heading', { name: 'Jobs' }).waitFor();
  await page.getByText('amy').first().waitFor();
  expect(page.url()).toBe(`${server.url}/jobs?status=FAILED`);
  await page.reload();
  await page.getByRole('heading', { name: 'Jobs' }).waitFor();
  const cookies = await context.cookies(server.url);
  expect(cookies).toMatchObject([{ name: `telecine-${new URL(server.url).port}`, httpOnly: true, sameSite: 'Strict' }]);
  await signOut(page);
  await page.getByLabel('Secret').waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
  expect(errors).toEqual([]);
});
