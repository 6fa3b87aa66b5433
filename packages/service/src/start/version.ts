import manifest from '../../../../package.json' with { type: 'json' };

/** The version of this program. The bundler inlines it, so that no file is read at run time. */
export const version = (): string => manifest.version;
