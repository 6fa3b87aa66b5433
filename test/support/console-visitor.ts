import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { createClient } from '../../packages/client/src/client.ts';
import type { Scope } from '../../packages/contract/src/domain/client.ts';
import type { ClientLimitChanges } from '../../packages/contract/src/domain/client-limits.ts';
import type { BrowserPage, openBrowser } from './browser.ts';
import { insertClient } from './insert-client.ts';
import type { TestServer } from './server.ts';

/** A person with a client and a folder of their own, at the page to sign in. */
export async function consoleVisitor(
  open: ReturnType<typeof openBrowser>,
  server: TestServer,
  name: string,
  {
    width,
    hasTouch,
    scopes,
    limits,
    root = name,
  }: {
    readonly width?: number;
    readonly hasTouch?: boolean;
    readonly scopes?: readonly Scope[];
    readonly limits?: ClientLimitChanges;
    /** The folder of the client. Default: one with its name. */
    readonly root?: string;
  } = {},
) {
  const credentials = await insertClient(server, name, {
    root,
    ...(scopes && { scopes }),
    ...(limits && { limits }),
  });
  const visited: BrowserPage = await open(width, hasTouch);
  await visited.page.goto(server.url);
  return {
    ...visited,
    credentials,
    /** The folder of the client. */
    folder: join(server.mediaRoot, root),
    client: createClient(server.url, credentials),
    signIn: () => signIn(visited.page, credentials),
  };
}

/** Opens the request of a completed job in the workbench, on the page of the job. */
export async function editCompletedJob(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'More for this job' }).click();
  await page.getByRole('button', { name: 'Edit and run again' }).click();
}

/** Opens the menu of the account, which has the theme and the sign-out. */
export const openAccount = (page: Page): Promise<void> => page.getByRole('button', { name: /^Account / }).click();

/** Presses "Sign out" in the menu of the account. */
export async function signOut(page: Page): Promise<void> {
  await openAccount(page);
  await page.getByRole('button', { name: 'Sign out' }).click();
}

/** Signs in at the page that asks for it. Resolves when the first page of the console is there. */
export async function signIn(
  page: Page,
  { clientId, clientSecret }: { readonly clientId: string; readonly clientSecret: string },
): Promise<void> {
  await page.getByLabel('Client id').fill(clientId);
  await page.getByLabel('Secret').fill(clientSecret);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
}
