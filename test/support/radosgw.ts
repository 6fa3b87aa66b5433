import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { endWithTests } from './end-with-tests.ts';
import { freePort } from './free-port.ts';

const run = promisify(execFile);

/** An S3 server of the tests, on a loopback port. */
export interface S3Server {
  readonly endpoint: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Sends SIGKILL to the server. What it has stored stays. */
  killServer?(): Promise<void>;
  startServer?(): Promise<void>;
}

const ACCESS = { accessKeyId: 'telecine', secretAccessKey: 'secret-of-the-tests' };

/** The server replies within 15 s on two idle cores. */
const START_SECONDS = 120;

/** Largest content of the server, in memory. */
const MEMORY_BYTES = 4 * 2 ** 30;

/**
 * Starts Ceph's S3 server, with a cluster of one monitor and one disk in memory in `folder`. Takes about 13 s. It is
 * the S3 server in Debian that implements multipart uploads, ranges, conditions and presigned addresses like S3.
 */
export async function startRadosgw(folder: string): Promise<S3Server & { stop(): Promise<void> }> {
  const children: ChildProcess[] = [];
  const end = async (child: ChildProcess | undefined): Promise<void> => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  const stop = async (): Promise<void> => {
    for (const child of children.toReversed()) await end(child);
  };
  process.once('exit', () => {
    for (const child of children) child.kill('SIGKILL');
  });
  const [port, v2, v1] = [await freePort(), await freePort(), await freePort()];
  const [config, keyring, monmap] = ['ceph.conf', 'keyring', 'monmap'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const fsid = randomUUID();
  for (const name of ['mon', 'osd', 'rgw']) await mkdir(join(folder, name));
  await writeFile(config, configText({ folder, fsid, port, v1, v2, keyring }));

  const authtool = (...args: readonly string[]) => run('ceph-authtool', [keyring, ...args]);
  const allow = (...daemons: readonly string[]) => daemons.flatMap((daemon) => ['--cap', daemon, 'allow *']);
  await authtool('--create-keyring', '--gen-key', '-n', 'mon.', ...allow('mon'));
  await authtool('--gen-key', '-n', 'client.admin', ...allow('mon', 'osd', 'mgr', 'mds'));
  await authtool('--gen-key', '-n', 'osd.0', '--cap', 'mon', 'allow profile osd', ...allow('osd'));
  await run('monmaptool', [
    '--create',
    '--addv',
    'a',
    `[v2:127.0.0.1:${v2},v1:127.0.0.1:${v1}]`,
    '--fsid',
    fsid,
    monmap,
  ]);

  /** Starts a daemon, which writes to the file `<program>.out`. */
  const daemon = async (program: string, args: readonly string[]): Promise<void> => {
    const log = await open(join(folder, `${program}.out`), 'w');
    const child = spawn(program, ['-c', config, ...args, '-f'], { stdio: ['ignore', log.fd, log.fd] });
    children.push(child);
    endWithTests(child);
    await log.close();
  };
  try {
    await run('ceph-mon', ['-c', config, '--mkfs', '-i', 'a', '--monmap', monmap, '--keyring', keyring]);
    await daemon('ceph-mon', ['-i', 'a']);
    const disk = randomUUID();
    await run('ceph', ['-c', config, 'osd', 'new', disk]);
    await run('ceph-osd', ['-c', config, '-i', '0', '--mkfs', '--osd-uuid', disk]);
    await daemon('ceph-osd', ['-i', '0']);
    const keys = ['--access-key', ACCESS.accessKeyId, '--secret-key', ACCESS.secretAccessKey];
    await run('radosgw-admin', ['-c', config, 'user', 'create', '--uid=tests', '--display-name=tests', ...keys]);
    const endpoint = `http://127.0.0.1:${port}`;
    const startServer = async (): Promise<void> => {
      await daemon('radosgw', ['-n', 'client.admin']);
      await untilReachable(endpoint);
    };
    await startServer();
    return { endpoint, ...ACCESS, stop, startServer, killServer: () => end(children.at(-1)) };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function untilReachable(endpoint: string): Promise<void> {
  const deadline = performance.now() + START_SECONDS * 1000;
  for (;;) {
    try {
      await fetch(endpoint);
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await delay(100);
    }
  }
}

/** Without `tcp_nodelay`, each reply with a body waits 40 ms for an acknowledgement, so that all would measure this wait. */
const configText = (c: {
  readonly folder: string;
  readonly fsid: string;
  readonly port: number;
  readonly v1: number;
  readonly v2: number;
  readonly keyring: string;
}): string => `[global]
fsid = ${c.fsid}
mon host = [v2:127.0.0.1:${c.v2},v1:127.0.0.1:${c.v1}]
auth cluster required = cephx
auth service required = cephx
auth client required = cephx
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pgp num = 1
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
mon allow pool size one = true
mon max pg per osd = 500
mon data = ${c.folder}/mon
mon data avail crit = 1
osd data = ${c.folder}/osd
osd objectstore = memstore
memstore device bytes = ${MEMORY_BYTES}
run dir = ${c.folder}
admin socket = ${c.folder}/$name.asok
pid file =
log file = ${c.folder}/$name.log
rgw frontends = beast endpoint=127.0.0.1:${c.port} tcp_nodelay=1
rgw dns name = localhost
rgw data = ${c.folder}/rgw
rgw enable usage log = false
rgw thread pool size = 32
keyring = ${c.keyring}
`;
