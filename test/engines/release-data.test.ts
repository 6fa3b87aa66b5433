import { afterAll, beforeAll } from 'vitest';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { RELEASES, readReleaseData } from '../support/release-data.ts';
import { expectUpgraded, putInput, upgradeEnv } from '../support/release-data-test.ts';
import { startServer } from '../support/server.ts';
import { startReceiver } from '../support/webhook-receiver.ts';

const test = needs('ffmpeg', 'PostgreSQL');

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres(await testFolder('postgres'));
});
afterAll(() => postgres?.stop());

test.for(RELEASES)('a service goes on with the PostgreSQL database of a killed %s', async (version) => {
  const receiver = await startReceiver();
  const mediaRoot = await testFolder('media');
  await putInput(mediaRoot);
  const { sql, facts } = readReleaseData(version, 'postgres', { mediaRoot, receiver: receiver.host });
  const database = `release_${version.replaceAll(/\W/g, '_')}`;
  await postgres.sql(`create database ${database}`);
  await postgres.sql(sql, database);
  const env = { TELECINE_DATABASE_URL: postgres.url(database), ...upgradeEnv(receiver) };
  const server = await startServer({ dataDir: await testFolder('release-data'), mediaRoot, env });
  await expectUpgraded(server, facts, receiver);
});
