import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { login } from './api-client.ts';
import { testFolder } from './folders.ts';
import { insertClient } from './insert-client.ts';
import { clip } from './media.ts';
import { startCli } from './run-cli.ts';
import type { TestServer } from './server.ts';

/** Returns a function that makes a folder of a user with a clip, and a client with its own media root on the service. */
export function cliUsers(start: () => Promise<{ readonly server: TestServer }>) {
  let users = 0;
  return async (file = 'in.mp4') => {
    const { server } = await start();
    users += 1;
    const name = `person-${users}`;
    const credentials = await insertClient(server, name, { root: name });
    const cwd = await testFolder('here');
    await copyFile(await clip('480p', 3), join(cwd, file));
    const settings = {
      TELECINE_URL: server.url,
      TELECINE_CLIENT_ID: credentials.clientId,
      TELECINE_CLIENT_SECRET: credentials.clientSecret,
    };
    const begin = (...args: readonly string[]) => startCli(args, settings, { cwd });
    const run = (...args: readonly string[]) => begin(...args).ended;
    const api = await login(server.url, credentials);
    return { server, api, root: join(server.mediaRoot, name), cwd, settings, begin, run };
  };
}
