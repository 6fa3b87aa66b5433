import manifest from '../../../../package.json' with { type: 'json' };

/** The version of this program. The bundler inlines it, so a build does not read a file. */
export const version = (): string => manifest.version;
