import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { copyFile, mkdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { expect } from 'vitest';
import { adminClient } from '../support/api-client.ts';
import { needs } from '../support/needs.ts';
import { startServer } from '../support/server.ts';

/** The backup commands of docs/operate/backups.md that call SQLite's program. They expect the data folder in the working directory. */
function documentedCommands(): string {
  const manual = readFileSync(resolve(import.meta.dirname, '../../docs/operate/backups.md'), 'utf8');
  const block = /```bash\n(\( umask .*?)```/s.exec(manual)?.[1];
  if (block === undefined) throw new Error('The manual shows no backup.');
  return block;
}

needs('sqlite3')(
  'the documented backup is readable only by its owner, and a service starts from it',
  { tags: 'long' },
  async () => {
    const server = await startServer({ until: 'listening' });
    const { dataDir, mediaRoot } = server;
    const folder = dirname(dataDir);
    execFileSync('sh', ['-ec', `umask 022\n${documentedCommands()}`], { cwd: folder });
    for (const name of ['telecine-backup.db', 'admin-client-backup.json'])
      expect((await stat(join(folder, name))).mode & 0o777, name).toBe(0o600);
    await server.stop();

    const restored = join(folder, 'restored');
    await mkdir(restored, { mode: 0o700 });
    await copyFile(join(folder, 'telecine-backup.db'), join(restored, 'telecine.db'));
    await copyFile(join(folder, 'admin-client-backup.json'), join(restored, 'admin-client.json'));
    const again = await startServer({ dataDir: restored, mediaRoot, until: 'listening' });
    expect((await (await adminClient(again)).list()).jobs).toEqual([]);
  },
);
