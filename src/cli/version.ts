import manifest from '../../package.json' with { type: 'json' };

/** The version of this program. A build carries it, so it reads no file. */
export const version = (): string => manifest.version;
