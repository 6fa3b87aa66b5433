import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Program } from '../../../scripts/lib/service.ts';
import { type PostgresServer, startPostgres } from '../../support/postgres.ts';
import { waitUntil } from '../../support/wait.ts';
import type { SoakSetup } from '../soak/soak-setup.ts';
import type { ClusterMedia } from './cluster-media.ts';
import { createMember, type Member, type MemberCommand } from './member.ts';
import { startStoreNetwork } from './store-network.ts';
import { startTcpProxy } from './tcp-proxy.ts';

export const DATABASE = 'telecine';

/** The secret of the administrator, at every service. */
export const ADMIN = { clientId: 'admin', clientSecret: 'the secret of the soak' } as const;

/** Several services and workers on one PostgreSQL and one media root. */
export interface Cluster {
  readonly postgres: PostgresServer;
  readonly members: readonly Member[];
  readonly setup: SoakSetup;
  readonly media: ClusterMedia;
  /** Resolves when every member says that it is ready. */
  allReady(): Promise<void>;
  /** Sends SIGTERM to the members. Resolves to their exit codes. */
  stopMembers(): Promise<readonly (number | null)[]>;
}

export interface ClusterOptions {
  /** An existing folder. */
  readonly folder: string;
  readonly setup: SoakSetup;
  readonly media: ClusterMedia;
  /** What each member runs. The first is a service, which creates the tables. */
  readonly commands: readonly ['serve', ...MemberCommand[]];
  /** Services run no jobs. */
  readonly withoutWorkers?: boolean;
  /** Settings of all members, added to the settings of the set-up and of the media. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Called with the folder of each member before it starts. Returns settings of this member. */
  readonly prepare?: (folder: string, index: number) => Promise<Readonly<Record<string, string>>>;
  readonly program?: Program | undefined;
  /** The ffmpeg catalogue of an earlier service. */
  readonly catalogues?: string | undefined;
  readonly libfaketime?: string | undefined;
  /** Called when the database has its tables, before the services start. */
  readonly onMigrated: (postgres: PostgresServer) => Promise<void>;
}

/** How long a service may take to be ready after a fault. */
export const READY_SECONDS = 90;

/** Starts the database and the members. `closers` ends them. */
export async function startCluster(closers: AsyncDisposableStack, options: ClusterOptions): Promise<Cluster> {
  const { folder, setup, media, program, catalogues, libfaketime } = options;
  const postgresFolder = join(folder, 'postgres');
  await mkdir(postgresFolder);
  const postgres = await startPostgres(postgresFolder, { durable: true });
  closers.defer(() => postgres.stop());
  await postgres.sql(`create database ${DATABASE}`);
  const secretFile = join(folder, 'admin-secret');
  await writeFile(secretFile, ADMIN.clientSecret);
  const members: Member[] = [];
  for (const [index, command] of options.commands.entries()) {
    const network = await startTcpProxy(postgres.port);
    closers.defer(() => network.close());
    const storeNetwork = media.store && (await startStoreNetwork(media.store.endpoint));
    closers.defer(() => storeNetwork?.close());
    const memberFolder = join(folder, `member-${index + 1}`);
    await mkdir(join(memberFolder, 'data'), { recursive: true });
    const own = await options.prepare?.(memberFolder, index);
    if (catalogues !== undefined) await cp(catalogues, join(memberFolder, 'data', 'catalogues'), { recursive: true });
    const url = `postgres://telecine@127.0.0.1:${network.port}/${DATABASE}`;
    const member = await createMember({
      name: `${command} ${index + 1}`,
      command,
      ...(options.withoutWorkers === true && command === 'serve' && { args: ['--no-worker'] }),
      folder: memberFolder,
      mediaRoot: setup.mediaRoot,
      network,
      storeNetwork,
      program,
      libfaketime,
      env: {
        ...setup.env,
        ...media.env,
        ...(storeNetwork && { TELECINE_STORAGE_ENDPOINT: storeNetwork.endpoint }),
        TELECINE_CONCURRENCY: '1',
        TELECINE_ADMIN_SECRET_FILE: secretFile,
        TELECINE_DATABASE_URL: url,
        TELECINE_DATABASE_LISTEN_URL: url,
        ...options.env,
        ...own,
      },
    });
    closers.defer(() => member.kill('group'));
    members.push(member);
  }
  const [first, ...others] = members;
  await first?.start();
  await options.onMigrated(postgres);
  await Promise.all(others.map((member) => member.start()));
  const isReady = async (member: Member): Promise<true | undefined> => {
    const url = member.url();
    if (url === undefined) return undefined;
    const signal = AbortSignal.timeout(5000);
    const status = await fetch(`${url}/ready`, { signal }).then(
      async (reply) => [reply.status, await reply.text()] as const,
      () => undefined,
    );
    return status?.[0] === 200 || undefined;
  };
  return {
    postgres,
    members,
    setup,
    media,
    async allReady() {
      for (const member of members) await waitUntil(`${member.name} to be ready`, () => isReady(member), READY_SECONDS);
    },
    stopMembers: () => Promise.all(members.map((member) => member.stop())),
  };
}
