import manifest from '../../package.json' with { type: 'json' };

/** The version of this program. A build contains it, so no file is read. */
export const version = (): string => manifest.version;
