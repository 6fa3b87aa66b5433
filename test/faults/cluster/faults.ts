import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rm, statfs, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { FailureCode } from '../../../packages/contract/src/domain/failure.ts';
import type { TokensView } from '../../../packages/contract/src/wire/token.ts';
import { must } from '../../../scripts/lib/api.ts';
import type { FaultOf } from '../../support/s3-fault-server.ts';
import type { SeededChoices } from '../soak/seeded-choices.ts';
import { ADMIN, type Cluster } from './cluster.ts';
import { queryCluster } from './cluster-audit.ts';
import type { Member, MemberCommand } from './member.ts';
import type { Cut } from './tcp-proxy.ts';

/** How long the database is away: always for seconds, sometimes for longer than a lease, or always for about as long as a lease. */
export type Outages = 'short' | 'sometimes long' | 'long';

/** A fault that a round injects under load. */
export interface Fault {
  /** Injects the fault and ends it. Resolves to what it did, for the log. */
  inject(cluster: Cluster, chance: SeededChoices, outages: Outages): Promise<string>;
  /** Failures that it may cause. */
  readonly mayFailWith?: readonly FailureCode[];
  /** Whether workers lose their leases, so that a job may fail with WORKER_LOST after its last attempt. */
  readonly losesWorkers?: true;
  /** Whether the database cannot be reached meanwhile. Services log that. */
  readonly hidesDatabase?: true;
  /** Whether the media are on S3, and requests to it fail. */
  readonly disturbsStore?: true;
  /** Whether the media root is a small disk of its own. */
  readonly smallDisk?: true;
  /** Whether services run with libfaketime. */
  readonly wrongClock?: true;
  /** Whether it needs a fleet: services without workers, three workers, a bucket. */
  readonly fleet?: true;
  /** The folder of the last worker that is a small disk. */
  readonly smallFolder?: SmallFolder;
}

/** A folder of a member: its data, or what conversions write until they are published. */
export type SmallFolder = 'data' | 'scratch';

/** The lease of 15 s, 10 s until somebody notices its end, and 3 s in which its worker may revive it. */
const LEASE_MS = 28_000;

const pickMember = (members: readonly Member[], chance: SeededChoices): Member => {
  const member = members[Math.floor(chance.between(0, members.length))];
  if (member === undefined) throw new Error('There is no such member.');
  return member;
};

/** Mostly short, so that many rounds fit. */
const outageMs = (chance: SeededChoices, outages: Outages): number =>
  outages !== 'long' && (chance.happens(0.85) || outages === 'short')
    ? chance.between(100, 4000)
    : chance.between(12_000, LEASE_MS + 4000);

const waitMs = async (ms: number): Promise<string> => {
  await delay(ms);
  return `${Math.round(ms)} ms`;
};

/** Gives requests of all services to the object store faults for some seconds. Resolves to how long and how many. */
async function disturbStores({ members }: Cluster, chance: SeededChoices, faultOf: FaultOf): Promise<string> {
  const count = (): number => members.reduce((sum, { storeNetwork }) => sum + (storeNetwork?.disturbed() ?? 0), 0);
  const before = count();
  for (const { storeNetwork } of members) storeNetwork?.disturb(faultOf);
  const disturbed = await waitMs(chance.between(1000, 9000));
  for (const { storeNetwork } of members) storeNetwork?.disturb(undefined);
  return `${disturbed} (${count() - before} requests)`;
}

const pickOf = ({ members }: Cluster, command: MemberCommand, chance: SeededChoices): Member =>
  pickMember(
    members.filter((one) => one.command === command),
    chance,
  );

/** Kills a member with SIGKILL, and starts it again. */
async function killMember(cluster: Cluster, chance: SeededChoices, command: MemberCommand): Promise<string> {
  const member = pickOf(cluster, command, chance);
  const target = chance.pick({ group: 1, main: 1 });
  await member.kill(target);
  const down = await waitMs(chance.between(0, 2000));
  await member.start();
  return `${target} of ${member.name}, down for ${down}`;
}

/** Fills the small disk of the last worker to its last byte. */
async function fillFolder({ members }: Cluster, name: SmallFolder): Promise<string> {
  const ballast = join(members.at(-1)?.folder ?? '', name, 'ballast');
  await fillDisk(ballast);
  // Longer than a job takes for all its attempts.
  const full = await waitMs(60_000);
  await rm(ballast);
  return `full for ${full}`;
}

/** Has the first service tell a worker to drain or to resume. */
async function orderWorker({ members }: Cluster, workerId: string, order: 'drain' | 'resume'): Promise<void> {
  const url = members[0]?.url() ?? '';
  const { accessToken: token } = await must<TokensView>(`${url}/api/auth/token`, { body: ADMIN });
  await must(`${url}/api/workers/${workerId}/${order}`, { method: 'POST', token });
}

export const FAULTS = {
  // A service runs jobs too, so its kill also loses a worker.
  'service-kill': { losesWorkers: true, inject: (cluster, chance) => killMember(cluster, chance, 'serve') },
  'worker-kill': { losesWorkers: true, inject: (cluster, chance) => killMember(cluster, chance, 'worker') },
  'postgres-kill': {
    hidesDatabase: true,
    async inject({ postgres }, chance, outages) {
      await postgres.kill9();
      const down = await waitMs(outageMs(chance, outages));
      await postgres.start();
      return `down for ${down}`;
    },
  },
  'network-cut': {
    losesWorkers: true,
    hidesDatabase: true,
    async inject(cluster, chance, outages) {
      const member = pickMember(cluster.members, chance);
      const how = chance.pick<Cut>({ refuse: 2, reset: 2, stall: 3 });
      member.network.cut(how);
      const down = await waitMs(outageMs(chance, outages));
      member.network.heal();
      return `${how} at ${member.name} for ${down}`;
    },
  },
  'connections-end': {
    hidesDatabase: true,
    async inject({ postgres }, chance) {
      const times = Math.ceil(chance.between(0, 6));
      for (let time = 0; time < times; time += 1) {
        await queryCluster(
          postgres,
          'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
        );
        await delay(chance.between(20, 400));
      }
      return `${times} times`;
    },
  },
  'disk-full': {
    smallDisk: true,
    mayFailWith: ['NO_SPACE'],
    async inject({ setup }, chance) {
      const ballast = join(setup.mediaRoot, 'ballast');
      const left = Math.round(chance.between(0, 400_000));
      const size = await fillDisk(ballast);
      await truncate(ballast, Math.max(0, size - left));
      const full = await waitMs(chance.between(1000, 4000));
      await rm(ballast);
      return `${left} bytes left for ${full}`;
    },
  },
  'service-pause': {
    losesWorkers: true,
    // To the paused service, the database gave no reply.
    hidesDatabase: true,
    async inject(cluster, chance) {
      const member = pickMember(cluster.members, chance);
      member.signal('SIGSTOP');
      const paused = await waitMs(chance.between(LEASE_MS - 12_000, LEASE_MS + 3000));
      member.signal('SIGCONT');
      return `${member.name} for ${paused}`;
    },
  },
  's3-throttle': {
    disturbsStore: true,
    mayFailWith: ['STORAGE_FAULT'],
    async inject(cluster, chance) {
      const share = chance.pick({ '0.2': 2, '0.6': 2, '1': 1 });
      const seen = await disturbStores(cluster, chance, () =>
        chance.happens(Number(share)) ? 'slow down' : undefined,
      );
      return `503 to ${Number(share) * 100} % of the requests to S3 for ${seen}`;
    },
  },
  's3-resets': {
    disturbsStore: true,
    mayFailWith: ['STORAGE_FAULT'],
    async inject(cluster, chance) {
      const kind = () => chance.pick({ reset: 1, 'lose reply': 1, cut: 2, 'reset half way': 2 });
      const seen = await disturbStores(cluster, chance, () => {
        if (!chance.happens(0.4)) return undefined;
        const bytes = Math.ceil(chance.between(0, 200_000));
        const name = kind();
        if (name === 'cut') return { cutAfterBytes: bytes };
        return name === 'reset half way' ? { resetAfterBytes: bytes } : name;
      });
      return `connections to S3 end half way for ${seen}`;
    },
  },
  's3-cut': {
    disturbsStore: true,
    mayFailWith: ['STORAGE_FAULT'],
    async inject(cluster, chance, outages) {
      const member = pickMember(cluster.members, chance);
      const how = chance.pick<Cut>({ refuse: 2, reset: 2, stall: 3 });
      member.storeNetwork?.network.cut(how);
      const down = await waitMs(outageMs(chance, outages));
      member.storeNetwork?.network.heal();
      return `${how} between ${member.name} and S3 for ${down}`;
    },
  },
  'wrong-clock': {
    wrongClock: true,
    async inject(cluster, chance) {
      const member = pickMember(cluster.members, chance);
      const size = chance.pick({ '5': 1, '60': 1, '1200': 1, '10800': 1, '200000': 1 });
      const offset = Number(size) * (chance.happens(0.5) ? 1 : -1);
      await member.setClock(offset);
      const wrong = await waitMs(chance.between(1500, 6000));
      // A worker whose clock is wrong by minutes is not ready.
      const stays = Number(size) < 300 && chance.happens(0.5);
      if (!stays) await member.setClock(0);
      return `${member.name} by ${offset} s for ${stays ? 'good' : wrong}`;
    },
  },
  'clock-hour': {
    fleet: true,
    wrongClock: true,
    async inject(cluster, chance) {
      const wrong = (['serve', 'worker'] as const).map((command) => pickOf(cluster, command, chance));
      const offset = chance.happens(0.5) ? 3600 : -3600;
      for (const member of wrong) await member.setClock(offset);
      await delay(20_000);
      for (const member of wrong) await member.setClock(0);
      return `${wrong.map(({ name }) => name).join(' and ')} by ${offset} s`;
    },
  },
  'postgres-pause': {
    fleet: true,
    losesWorkers: true,
    hidesDatabase: true,
    async inject({ postgres }) {
      await postgres.signal('SIGSTOP');
      await delay(25_000);
      await postgres.signal('SIGCONT');
      return 'frozen for 25 s';
    },
  },
  's3-kill': {
    fleet: true,
    disturbsStore: true,
    async inject({ media }) {
      await media.store?.killServer?.();
      await delay(25_000);
      await media.store?.startServer?.();
      return 'down for 25 s';
    },
  },
  'scratch-full': {
    fleet: true,
    smallFolder: 'scratch',
    inject: (cluster) => fillFolder(cluster, 'scratch'),
  },
  'data-full': {
    fleet: true,
    smallFolder: 'data',
    inject: (cluster) => fillFolder(cluster, 'data'),
  },
  'rolling-restart': {
    fleet: true,
    async inject({ members, allReady }) {
      for (const member of members) {
        await member.stop();
        await member.start();
        await allReady();
      }
      return 'all members';
    },
  },
  'worker-drain': {
    fleet: true,
    async inject(cluster) {
      const [row] = await queryCluster(cluster.postgres, 'select worker_id from workers limit 1');
      const workerId = String(row?.['worker_id']);
      await orderWorker(cluster, workerId, 'drain');
      await delay(10_000);
      await orderWorker(cluster, workerId, 'resume');
      return 'drained for 10 s';
    },
  },
} as const satisfies Readonly<Record<string, Fault>>;

export type FaultName = keyof typeof FAULTS;

/** Writes a file until the disk is full. Resolves to its size. */
async function fillDisk(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(join(path, '..'));
  const file = createWriteStream(path);
  let size = 0;
  const full = once(file, 'error').then(() => true);
  const block = Buffer.alloc(256 * 1024);
  while (size < 2 * bavail * bsize) {
    const written = new Promise<false>((resolve) => file.write(block, () => resolve(false)));
    if (await Promise.race([full, written])) break;
    size += block.length;
  }
  file.destroy();
  return size;
}
