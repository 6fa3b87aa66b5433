import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** A program that builds images. */
export type Builder = 'docker' | 'buildah';

export interface ImageOptions {
  readonly version: string;
  /** The time of the commit, in seconds since 1970. */
  readonly seconds: number;
  /** Base images, each with its digest. By default the tags in the Dockerfile. */
  readonly nodeImage?: string | undefined;
  readonly debianImage?: string | undefined;
}

const works = (...[program = '', ...args]: readonly string[]): boolean =>
  spawnSync(program, args, { stdio: 'ignore' }).status === 0;

/** The builder of this machine. Undefined if none works. */
export function findBuilder(): Builder | undefined {
  if (works('docker', 'buildx', 'version') && works('docker', 'info')) return 'docker';
  return works('buildah', 'info') ? 'buildah' : undefined;
}

/**
 * What to do if a builder fails, added to the message. Docker's default driver can write neither an OCI archive nor an SBOM, and the error
 * of BuildKit does not name the command that makes another builder.
 */
export const FAILURE_ADVICE: Readonly<Record<Builder, string>> = {
  docker:
    'If the error says that the docker driver does not support it, run "docker buildx create --use" once, and then this command again.',
  buildah: '',
};

/** The name of the archive with the image. */
export const imageFile = (version: string): string => `telecine-image-${version}.tar`;

/**
 * The commands that build the image from the sources and write it to `folder` as an OCI archive. BuildKit adds the SBOM of the image,
 * with Debian's packages, and which base images it used.
 */
export function imageCommands(builder: Builder, folder: string, options: ImageOptions): readonly (readonly string[])[] {
  const { version, seconds, nodeImage, debianImage } = options;
  const tag = `telecine:${version}`;
  const archive = join(folder, imageFile(version));
  const bases = [
    ...(nodeImage === undefined ? [] : ['--build-arg', `NODE_IMAGE=${nodeImage}`]),
    ...(debianImage === undefined ? [] : ['--build-arg', `DEBIAN_IMAGE=${debianImage}`]),
  ];
  if (builder === 'buildah')
    return [
      ['buildah', 'build', '--timestamp', String(seconds), '--tag', tag, ...bases, '.'],
      ['buildah', 'push', tag, `oci-archive:${archive}:${tag}`],
    ];
  const output = `type=oci,dest=${archive},rewrite-timestamp=true`;
  return [
    [
      ...['docker', 'buildx', 'build', '--build-arg', `SOURCE_DATE_EPOCH=${seconds}`, ...bases],
      ...['--sbom=true', '--provenance=mode=min', '--tag', tag, '--output', output, '.'],
    ],
  ];
}
