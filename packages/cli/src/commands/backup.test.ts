import { afterEach, expect, test, vi } from 'vitest';
import { backupDatabase, restoreDatabase } from './backup.ts';

afterEach(() => vi.unstubAllEnvs());

test('on PostgreSQL, both commands change nothing and name the tools of the database', async () => {
  vi.stubEnv('TELECINE_DATABASE_URL', 'postgres://telecine@127.0.0.1:1/telecine');
  await expect(backupDatabase('copy.db')).rejects.toThrow('Use pg_dump');
  await expect(restoreDatabase('copy.db', { replace: true })).rejects.toThrow('Use pg_restore');
});
