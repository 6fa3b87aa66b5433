// npm run release -- [--image] [--node-image=IMAGE@DIGEST] [--debian-image=IMAGE@DIGEST]: builds all that a release publishes, and writes
// it to dist/release with an SBOM for each package, the licences of what is bundled, and SHA256SUMS. A commit gives the same files
// everywhere, if npm has the same version. The image is built if a builder works here; --image fails without one.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import manifest from '../package.json' with { type: 'json' };
import { changedFiles, checkedOutCommit } from './release/checkout.ts';
import { FAILURE_ADVICE, findBuilder, imageCommands, imageFile } from './release/image.ts';
import { mergeNotices, NOTICES, type Notice } from './release/notices.ts';
import { npm, pack } from './release/pack.ts';
import { type Bom, bomOf, type Product } from './release/sbom.ts';

const TREE = resolve(import.meta.dirname, '..');
const RELEASE = join(TREE, 'dist/release');
const SUMS = 'SHA256SUMS';

/** The packages of a release: the script that builds each, and the folder that it writes. */
const PACKAGES = [
  { script: 'build', folder: '.' },
  { script: 'build:client', folder: 'dist-client' },
  { script: 'build:ffmpeg', folder: 'dist-ffmpeg' },
];

const { values } = parseArgs({
  options: {
    image: { type: 'boolean', default: false },
    'node-image': { type: 'string' },
    'debian-image': { type: 'string' },
  },
});

await requireCleanCheckout();
const builder = findBuilder();
if (values.image && builder === undefined) fail('No builder works here: neither "docker buildx" nor "buildah".');

const { id, seconds } = await checkedOutCommit(TREE);
const time = new Date(seconds * 1000).toISOString();
process.umask(0o022);
for (const { script } of PACKAGES) run(['npm', 'run', script]);
await requireCleanCheckout();
await rm(RELEASE, { recursive: true, force: true });
await mkdir(RELEASE, { recursive: true });

const locked = JSON.parse(
  await npm(TREE, 'sbom', '--sbom-format=cyclonedx', '--package-lock-only', '--include=dev'),
) as Bom;
const direct = await declaredPackages();
const notices: Notice[] = [];
for (const { folder } of PACKAGES) {
  const packed = await pack(join(TREE, folder), RELEASE);
  const product = { ...(await productIn(join(TREE, folder))), sha512: packed.sha512, bundled: packed.notices };
  await write(
    packed.file.replace(/\.tgz$/, '.cdx.json'),
    JSON.stringify(bomOf(product, locked, direct, time), null, 2),
  );
  notices.push(...packed.notices);
}
await write(NOTICES, mergeNotices(notices));
const sums = await Promise.all((await readdir(RELEASE)).toSorted().map(sumOf));
await write(SUMS, sums.join('\n'));
for (const file of (await readdir(RELEASE)).toSorted())
  console.log(`dist/release/${file}  ${Math.ceil((await stat(join(RELEASE, file))).size / 1024)} KiB`);
console.log(`Release ${manifest.version} of commit ${id}`);
await buildImage();

async function requireCleanCheckout(): Promise<void> {
  const changed = await changedFiles(TREE);
  if (changed.length === 0) return;
  const files = changed.map((file) => `  ${file}`).join('\n');
  fail(
    `A release contains only what is committed. These files differ from the commit:\n${files}\nCommit or remove them.`,
  );
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

/** Runs a command in the checkout. Ends this process if it fails. `advice`: what to do then. */
function run([program = '', ...args]: readonly string[], advice = ''): void {
  const { status, error } = spawnSync(program, args, { cwd: TREE, stdio: 'inherit' });
  if (status !== 0)
    fail(`${[program, ...args].join(' ')} failed${error ? `: ${error.message}` : ''}. ${advice}`.trimEnd());
}

function write(name: string, text: string): Promise<void> {
  return writeFile(join(RELEASE, name), `${text.trimEnd()}\n`);
}

async function sumOf(file: string): Promise<string> {
  const content = await readFile(join(RELEASE, file));
  return `${createHash('sha256').update(content).digest('hex')}  ${file}`;
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

async function readManifest(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
}

async function productIn(folder: string): Promise<Omit<Product, 'sha512' | 'bundled'>> {
  const {
    name,
    version,
    description,
    license,
    dependencies = {},
    optionalDependencies = {},
  } = await readManifest(folder);
  return { name, version, description, licence: license, dependencies, optionalDependencies };
}

/** The packages that the manifests of the checkout declare, as `name@version`. Manifests contain exact versions. */
async function declaredPackages(): Promise<ReadonlySet<string>> {
  const files = globSync(['package.json', ...manifest.workspaces.map((folder) => `${folder}/package.json`)], {
    cwd: TREE,
  });
  const manifests = await Promise.all(files.map((file) => readManifest(join(TREE, dirname(file)))));
  return new Set(
    manifests
      .flatMap(({ dependencies, devDependencies, optionalDependencies }) =>
        Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies }),
      )
      .map(([name, version]) => `${name}@${version}`),
  );
}

/** Omit the archive from SHA256SUMS. Debian keeps only the newest packages, so no two builds of an image are the same. */
async function buildImage(): Promise<void> {
  const options = {
    ...{ version: manifest.version, seconds },
    ...{ nodeImage: values['node-image'], debianImage: values['debian-image'] },
  };
  if (builder === undefined) {
    console.log('The image was not built: neither "docker buildx" nor "buildah" works here. Where one does, run');
    for (const command of imageCommands('docker', 'dist/release', options)) console.log(`  ${command.join(' ')}`);
    return;
  }
  for (const command of imageCommands(builder, RELEASE, options)) run(command, FAILURE_ADVICE[builder]);
  const file = imageFile(manifest.version);
  await write(`${file}.sha256`, await sumOf(file));
  console.log(`dist/release/${file}`);
}
