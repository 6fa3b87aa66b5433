import { afterAll } from 'vitest';
import { endFile } from './after-file.ts';
import { forgetContracts } from './api-client.ts';
import { removeTestFolders } from './folders.ts';
import { killServers } from './server.ts';

interface Node {
  readonly result?: { readonly state?: string } | undefined;
  readonly tasks?: readonly Node[];
}

const failed = (node: Node): boolean => node.result?.state === 'fail' || (node.tasks ?? []).some(failed);

// Registered before the hooks of the tests, so it runs after them.
// biome-ignore lint/correctness/noEmptyPattern: Vitest reads from this pattern which fixtures a hook wants
afterAll(async ({}, file) => {
  await endFile(failed(file));
  await killServers();
  forgetContracts();
  await removeTestFolders(failed(file));
});
