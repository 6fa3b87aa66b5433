import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { onPath } from '../setup/command.ts';

/** The content of packages that debian:trixie-slim omits. */
const SLIM = ['doc', 'info', 'locale', 'man', 'groff', 'lintian', 'linda'].map(
  (folder) => `--dpkgopt=path-exclude=/usr/share/${folder}/*`,
);

/**
 * Creates substitutes for the base images of the Dockerfile, under their names and without a registry.
 * debian:trixie-slim is built from the same packages by mmdebstrap. node:24-trixie-slim is the substitute of
 * debian:trixie-slim with the locked Node of this checkout and the npm of this machine; the real image also has yarn,
 * corepack and headers. The image of the product contains none of these three.
 */
export function makeBaseImages(env: NodeJS.ProcessEnv): void {
  const docker = (...args: readonly string[]) => execFileSync('docker', args, { env, stdio: 'inherit' });
  const folder = mkdtempSync(join(tmpdir(), 'telecine-base-'));
  try {
    const tar = join(folder, 'base.tar');
    execFileSync('mmdebstrap', ['--variant=minbase', ...SLIM, 'trixie', tar], { stdio: 'inherit' });
    docker('import', tar, 'debian:trixie-slim');
    const context = join(folder, 'node');
    mkdirSync(context);
    cpSync(process.execPath, join(context, 'node'));
    cpSync(resolve(process.execPath, '../../LICENSE'), join(context, 'LICENSE'));
    cpSync(findNpm(), join(context, 'npm'), { recursive: true });
    writeFileSync(join(context, 'Dockerfile'), nodeDockerfile(context));
    docker('build', '--tag', 'node:24-trixie-slim', context);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function nodeDockerfile(context: string): string {
  const lines = [
    'FROM debian:trixie-slim',
    'COPY node /usr/local/bin/node',
    'COPY LICENSE /usr/local/LICENSE',
    'COPY npm /usr/local/lib/node_modules/npm',
    'RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm',
  ];
  // Machines behind a proxy have their own certificates. The first stage needs them for npm; the second stage needs
  // none.
  const certificates = process.env['NODE_EXTRA_CA_CERTS'];
  if (certificates !== undefined && existsSync(certificates)) {
    cpSync(realpathSync(certificates), join(context, 'extra.pem'));
    lines.push('COPY extra.pem /usr/local/share/extra.pem', 'ENV NODE_EXTRA_CA_CERTS=/usr/local/share/extra.pem');
  }
  return lines.join('\n');
}

function findNpm(): string {
  const npm = onPath('npm');
  if (npm === undefined) throw new Error('npm was not found on PATH.');
  return resolve(realpathSync(npm), '../..');
}
